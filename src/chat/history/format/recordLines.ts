/**
 * Encodes and splits records. A record is one line of JSON with a newline before and after it, so that a truncated
 * record cannot run into the next one. Files of earlier versions have a checksum and a length before the JSON.
 */
import { joined } from '../files/files.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const CHECKSUM_AND_LENGTH = /^[0-9a-f]{8} [0-9a-f]{1,8} (?=\{)/;

/** @returns the bytes of one record, newlines included */
export const encodeRecord = (record: object): Uint8Array => encoder.encode(`\n${JSON.stringify(record)}\n`);

export interface Line {
  bytes: Uint8Array;
  /** The line has its own newline at the end, so it was written completely. */
  closed: boolean;
}

/** `truncated`: the record was not written completely. `corrupt`: it was changed after it was written. */
export type ParsedLine = { state: 'record'; value: object; bytes: number } | { state: 'truncated' | 'corrupt' };

export function parseLine({ bytes, closed }: Line): ParsedLine {
  const json = decoder.decode(bytes).replace(CHECKSUM_AND_LENGTH, '');
  try {
    // A truncated object is never valid JSON, but a truncated checksum may be a number.
    if (json.startsWith('{')) return { state: 'record', value: JSON.parse(json) as object, bytes: bytes.length + 2 };
  } catch {
    // Reported below.
  }
  return { state: closed ? 'corrupt' : 'truncated' };
}

/** Splits chunks into lines. A line is emitted when the bytes after it show whether it is closed. */
export class LineSplitter {
  readonly #onLine: (line: Line) => void;
  #rest: Uint8Array[] = [];
  #held: Uint8Array | undefined;

  constructor(onLine: (line: Line) => void) {
    this.#onLine = onLine;
  }

  /** Bytes of the unfinished line. */
  get open(): number {
    return this.#rest.reduce((sum, { length }) => sum + length, 0);
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#end(chunk.subarray(from, at));
      from = at + 1;
    }
    if (from < chunk.length) this.#rest.push(chunk.slice(from));
  }

  finish(): void {
    if (this.open > 0) {
      this.#end(new Uint8Array());
      this.#release(false);
    } else this.#release(true);
  }

  #end(tail: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? tail : joined([...this.#rest, tail]);
    this.#rest = [];
    this.#release(bytes.length === 0);
    if (bytes.length > 0) this.#held = bytes;
  }

  #release(closed: boolean): void {
    if (this.#held) this.#onLine({ bytes: this.#held, closed });
    this.#held = undefined;
  }
}
