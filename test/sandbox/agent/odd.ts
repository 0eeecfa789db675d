/** Simulates the errors that agents make now and then. */
import { seeded } from '../../support/random.ts';
import type { QueryResult } from '../data/client.ts';

export const ODD_KINDS = ['numbers', 'rows', 'column', 'noQuery'] as const;
export type OddKind = (typeof ODD_KINDS)[number];

/** An error in one answer. */
export interface Odd {
  /** Other numbers, a missing row, another column in place of a number, or an answer without any query. */
  kind: OddKind;
  /** Answers with different seeds err differently. */
  seed: number;
}

/** @returns the result with the error; one without numbers lacks a row instead */
export function oddResult({ schema, data }: QueryResult, { kind, seed }: Odd): QueryResult {
  const random = seeded(seed);
  const at = schema.findLastIndex(({ column_type: type }) => type === 'number');
  if (kind === 'rows' || at < 0) return { schema, data: data.toSpliced(Math.floor(random() * data.length), 1) };
  const factor = 1.1 + random();
  const scaled = (number: number): number => (Number.isInteger(number) ? Math.ceil(number * factor) : number * factor);
  const other = (value: unknown, row: number): number => (kind === 'numbers' ? scaled(Number(value)) : row + factor);
  const name = kind === 'numbers' ? schema[at]!.name : `${schema[at]!.name}_rank`;
  return {
    schema: schema.with(at, { ...schema[at]!, name }),
    data: data.map((row, index) => row.with(at, other(row[at], index))),
  };
}

/** Draws errors for a share of the answers. */
export class OddAnswers {
  readonly #share: number;
  readonly #random: () => number;

  /** @param share of the answers that have an error, from 0 to 1 */
  constructor(share: number, seed: number) {
    this.#share = share;
    this.#random = seeded(seed);
  }

  /** Call once per answer. */
  next(): Odd | undefined {
    if (this.#random() >= this.#share) return undefined;
    return { kind: ODD_KINDS[Math.floor(this.#random() * ODD_KINDS.length)]!, seed: this.#random() * 2 ** 32 };
  }
}
