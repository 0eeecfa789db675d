/**
 * Incremental parser of newline-delimited JSON. Buffers bytes until a newline arrives and then decodes all complete
 * lines at once, so that no character is split and the cost is linear in the length of a line.
 */
const NEWLINE = 10;
const BYTE_ORDER_MARK = '\ufeff';

/** Longer lines are dropped and reported; real lines are far shorter. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** Larger chunks are split, so that the limit on line length does not depend on chunk boundaries. */
const PIECE = 1024 * 1024;
/** Initial size of the buffer for an unfinished line; a larger buffer is released after a long line. */
const ROOM = 64 * 1024;

/** A parsed line, or the reason why it could not be parsed. */
export type ParsedLine = { value: unknown; text: string } | { problem: string; text: string };

export const TOO_LONG = 'line too long';
const tooLong: ParsedLine = { problem: TOO_LONG, text: '' };

export class NdjsonParser {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #kept = new Uint8Array(ROOM);
  #length = 0;
  #skipping = false;

  /** @returns the lines completed by `chunk`, whose bytes are copied if needed later */
  push(chunk: Uint8Array): ParsedLine[] {
    const lines: ParsedLine[] = [];
    if (chunk.length <= PIECE) this.#read(chunk, lines);
    else for (let at = 0; at < chunk.length; at += PIECE) this.#read(chunk.subarray(at, at + PIECE), lines);
    return lines;
  }

  /** @returns the last line, if the stream ended without a newline */
  flush(): ParsedLine[] {
    const lines: ParsedLine[] = this.#skipping ? [tooLong] : [];
    if (this.#length > 0) this.#parse(this.#kept.subarray(0, this.#length), lines);
    this.#skipping = false;
    this.#drop(this.#length);
    return lines;
  }

  #read(piece: Uint8Array, lines: ParsedLine[]): void {
    const last = piece.lastIndexOf(NEWLINE);
    if (this.#skipping) {
      if (last < 0) return;
      lines.push(tooLong);
      this.#skipping = false;
      this.#read(piece.subarray(piece.indexOf(NEWLINE) + 1), lines);
    } else if (this.#isTooLong(piece)) {
      this.#skipping = true;
      this.#drop(this.#length);
      this.#read(piece, lines);
    } else {
      const end = this.#length + last;
      this.#keep(piece);
      if (last < 0) return;
      this.#parse(this.#kept.subarray(0, end), lines);
      this.#drop(end + 1);
    }
  }

  /** Whether the line that is continued by `piece` is too long. */
  #isTooLong(piece: Uint8Array): boolean {
    if (this.#length + piece.length <= MAX_LINE_BYTES) return false;
    const newline = piece.indexOf(NEWLINE);
    return this.#length + (newline < 0 ? piece.length : newline) > MAX_LINE_BYTES;
  }

  #parse(block: Uint8Array, lines: ParsedLine[]): void {
    parseBlock(this.#decoder.decode(block), lines);
  }

  #keep(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#kept.length) {
      const larger = new Uint8Array(Math.max(length, this.#kept.length * 2));
      larger.set(this.#kept.subarray(0, this.#length));
      this.#kept = larger;
    }
    this.#kept.set(piece, this.#length);
    this.#length = length;
  }

  /** Removes the first `count` of the buffered bytes. */
  #drop(count: number): void {
    const rest = this.#kept.subarray(count, this.#length);
    if (this.#kept.length > 4 * ROOM) this.#kept = new Uint8Array(Math.max(ROOM, rest.length));
    this.#kept.set(rest);
    this.#length = rest.length;
  }
}

function parseBlock(text: string, lines: ParsedLine[]): void {
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? text.length : newline;
    while (text[from] === BYTE_ORDER_MARK) from += 1;
    const line = from < to ? parseLine(text.slice(from, to)) : undefined;
    if (line) lines.push(line);
    from = to + 1;
  }
}

/** @returns undefined for a blank line */
function parseLine(text: string): ParsedLine | undefined {
  if (text.length > LONG && isTooDeep(text)) return { problem: 'nested too deep', text };
  try {
    return { value: JSON.parse(text), text };
  } catch {
    return text.trim() === '' ? undefined : { problem: 'not JSON', text };
  }
}

/** Shorter lines are parsed without a check of their depth. */
const LONG = 64 * 1024;
const DEEPEST = 200_000;

/** `JSON.parse` takes seconds and gigabytes of memory for millions of brackets. Ignores brackets inside strings. */
function isTooDeep(line: string): boolean {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < line.length && deepest <= DEEPEST; at += 1) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (code === BACKSLASH) at += 1;
    else if (isText) continue;
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) deepest = Math.max(deepest, (depth += 1));
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
  }
  return deepest > DEEPEST;
}

const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [34, 92, 91, 93, 123, 125];
