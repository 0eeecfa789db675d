/**
 * How records lie in a file: each begins and ends with a newline of its own, so that neither a torn record before it
 * nor a flipped newline touches its neighbour. Between them: checksum and length in hexadecimal, then JSON.
 */
import { crc32 } from './crc32.ts';
import { joined } from './files.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const HEADER = /^([0-9a-f]{8}) ([0-9a-f]{1,8}) /;
/** No header is longer than this. */
const HEADER_BYTES = 18;

/** @returns one record as bytes, to be appended as they are */
export function frame(value: unknown): Uint8Array {
  const json = encoder.encode(JSON.stringify(value));
  const header = `\n${crc32(json).toString(16).padStart(8, '0')} ${json.length.toString(16)} `;
  const bytes = new Uint8Array(header.length + json.length + 1);
  encoder.encodeInto(header, bytes);
  bytes.set(json, header.length);
  bytes[bytes.length - 1] = 10;
  return bytes;
}

/** A line of a file; `closed` when the newline that ends a complete record is there. */
export interface Line {
  bytes: Uint8Array;
  closed: boolean;
}

/** `torn`: the writer died in the middle, nothing was ever acknowledged. `spoilt`: it was changed afterwards. */
export type Unframed =
  { state: 'good'; value: unknown; bytes: number; rubbish: boolean } | { state: 'torn' } | { state: 'spoilt' };

/** @returns what a line holds, if its checksum is right */
export function unframe({ bytes, closed }: Line): Unframed {
  const header = HEADER.exec(decoder.decode(bytes.subarray(0, HEADER_BYTES)));
  const bad: Unframed = { state: closed ? 'spoilt' : 'torn' };
  if (header === null) return bytes.length >= HEADER_BYTES ? { state: 'spoilt' } : bad;
  const end = header[0].length + Number.parseInt(header[2]!, 16);
  if (end > bytes.length) return bad;
  const json = bytes.subarray(header[0].length, end);
  if (crc32(json) !== Number.parseInt(header[1]!, 16)) return { state: 'spoilt' };
  try {
    const value: unknown = JSON.parse(decoder.decode(json));
    return { state: 'good', value, bytes: end + 2, rubbish: end < bytes.length };
  } catch {
    return { state: 'spoilt' };
  }
}

/** Cuts chunks into lines; a line is handed on once it is known what follows it. */
export class Lines {
  readonly #take: (line: Line) => void;
  #rest: Uint8Array[] = [];
  #held: Uint8Array | undefined;

  constructor(take: (line: Line) => void) {
    this.#take = take;
  }

  /** Bytes of the line that has not ended yet. */
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
    if (this.#held) this.#take({ bytes: this.#held, closed });
    this.#held = undefined;
  }
}
