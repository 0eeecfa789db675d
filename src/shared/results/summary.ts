/** Computes the count, exact sum and average of selected cells. */
import { isNull, numberText, type CellKind } from './cells.ts';
import { dividedRounded, scaledText } from './decimal.ts';
import { withoutTrailing } from '../text/lines.ts';

export interface Summary {
  /** Number of cells that are not null. */
  count: number;
  /** Exact decimal digits; absent if no selected cell is a number. */
  sum?: string;
  /** Rounded half away from zero to ten decimals, or to those of the sum if it has more; without trailing zeros. */
  average?: string;
}

/** Maximum number of decimals. With more, or with huge exponents, there is no sum. */
const MAX_SCALE = 100;
const AVERAGE_DECIMALS = 10;
const SAFE = Number.MAX_SAFE_INTEGER / 2;

/** Adds decimal numbers exactly: numbers with the same count of decimals are summed as integers. */
export class Summarizer {
  #count = 0;
  #numbers = 0;
  #exact = true;
  /** Sums by number of decimals: those that fit a double, and the overflow. */
  readonly #small: number[] = [];
  readonly #big: bigint[] = [];

  /** Adds a cell; only cells of number columns count toward the sum. */
  add(cell: unknown, kind: CellKind): void {
    if (isNull(cell)) return;
    this.#count++;
    if (kind !== 'number') return;
    if (Number.isSafeInteger(cell)) this.#addInteger(cell as number, 0);
    else {
      const text = numberText(cell);
      if (text === undefined) return;
      this.#addText(text);
    }
    this.#numbers++;
  }

  #addText(text: string): void {
    const [mantissa = '', power = '0'] = text.split(/[eE]/);
    const dot = mantissa.indexOf('.');
    const digits = dot === -1 ? mantissa : mantissa.slice(0, dot) + mantissa.slice(dot + 1);
    const scale = (dot === -1 ? 0 : mantissa.length - dot - 1) - Number(power);
    if (Math.abs(scale) > MAX_SCALE) this.#exact = false;
    else if (scale < 0) this.#addBig(BigInt(digits) * 10n ** BigInt(-scale), 0);
    else if (digits.length <= 15) this.#addInteger(Number(digits), scale);
    else this.#addBig(BigInt(digits), scale);
  }

  #addInteger(value: number, scale: number): void {
    const held = this.#small[scale] ?? 0;
    if (Math.abs(held + value) < SAFE) {
      this.#small[scale] = held + value;
    } else {
      this.#addBig(BigInt(held) + BigInt(value), scale);
      this.#small[scale] = 0;
    }
  }

  #addBig(value: bigint, scale: number): void {
    this.#big[scale] = (this.#big[scale] ?? 0n) + value;
  }

  /** @returns the summary of the cells added so far */
  result(): Summary {
    if (this.#numbers === 0 || !this.#exact) return { count: this.#count };
    const scale = Math.max(this.#small.length, this.#big.length) - 1;
    let total = 0n;
    for (let at = 0; at <= scale; at++) {
      total += (BigInt(this.#small[at] ?? 0) + (this.#big[at] ?? 0n)) * 10n ** BigInt(scale - at);
    }
    return { count: this.#count, sum: scaledText(total, scale), average: average(total, scale, BigInt(this.#numbers)) };
  }
}

function average(total: bigint, scale: number, count: bigint): string {
  const wanted = Math.max(scale, AVERAGE_DECIMALS);
  const text = scaledText(dividedRounded(total * 10n ** BigInt(wanted - scale), count), wanted);
  return withoutTrailing(withoutTrailing(text, '0'), '.');
}
