/**
 * Newline-delimited JSON out of bytes. Bytes are kept until a newline has come, then the whole block is decoded at
 * once, so that no character is ever cut and a long line costs no more than its length.
 */
const NEWLINE = 10;

/** Longer lines are dropped and counted; nothing that a conversation needs comes near. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** One line: parsed, or the reason why it could not be. */
export type ParsedLine = { value: unknown; text: string } | { problem: string; text: string };

export class NdjsonParser {
  readonly #decoder = new TextDecoder();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #skipping = false;

  /** @returns the lines that `chunk` completes */
  push(chunk: Uint8Array): ParsedLine[] {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      this.#keep(chunk);
      return [];
    }
    const lines: ParsedLine[] = [];
    let block = chunk.subarray(0, last);
    if (this.#skipping) {
      lines.push({ problem: 'line too long', text: '' });
      const first = chunk.indexOf(NEWLINE);
      block = block.subarray(Math.min(first + 1, block.length));
      this.#skipping = false;
    }
    parseBlock(this.#join(block), lines);
    this.#keep(chunk.subarray(last + 1));
    return lines;
  }

  /** @returns the last line, when the stream ended without a newline */
  flush(): ParsedLine[] {
    const lines: ParsedLine[] = [];
    if (this.#skipping) lines.push({ problem: 'line too long', text: '' });
    this.#skipping = false;
    parseBlock(this.#join(new Uint8Array()), lines);
    return lines;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#skipping) return;
    if (this.#pendingBytes + bytes.length > MAX_LINE_BYTES) {
      this.#skipping = true;
      this.#pending = [];
      this.#pendingBytes = 0;
      return;
    }
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  #join(block: Uint8Array): string {
    if (this.#pending.length === 0) return this.#decoder.decode(block);
    const whole = new Uint8Array(this.#pendingBytes + block.length);
    let at = 0;
    for (const part of [...this.#pending, block]) {
      whole.set(part, at);
      at += part.length;
    }
    this.#pending = [];
    this.#pendingBytes = 0;
    return this.#decoder.decode(whole);
  }
}

function parseBlock(text: string, lines: ParsedLine[]): void {
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? text.length : newline;
    const line = text.slice(from, to);
    from = to + 1;
    if (line.length === 0 || line.trim() === '') continue;
    try {
      lines.push({ value: JSON.parse(line), text: line });
    } catch {
      lines.push({ problem: 'not JSON', text: line });
    }
  }
}
