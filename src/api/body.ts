/** Reads response bodies, or the start of them, as text. */
import { decodeLine } from './decode.ts';
import { ChatError } from './errors.ts';

/** Maximum number of characters to read. */
const LONGEST_MESSAGE = 65_536;

/**
 * Reads the start of a body, long enough for an error message, and cancels the rest. Never throws: a read error ends
 * the text.
 */
export async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (reader && text.length < LONGEST_MESSAGE) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status is reported even without a body.
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
  return text;
}

/** The start of a response whose format is not known yet. */
export class Beginning {
  readonly #decoder = new TextDecoder();
  #text = '';

  add(bytes: Uint8Array): void {
    if (this.#text.length < LONGEST_MESSAGE) this.#text += this.#decoder.decode(bytes, { stream: true });
  }

  get isPage(): boolean {
    return this.#text.trimStart().startsWith('<');
  }

  get isJson(): boolean {
    return this.#text.trimStart().startsWith('{');
  }

  /** The error of a body that is one JSON value, on several lines or in an array; undefined for any other body. */
  get failure(): ChatError | undefined {
    try {
      const value: unknown = JSON.parse(this.#text);
      const entries: unknown[] = Array.isArray(value) ? value : [value];
      return entries
        .map((entry) => decodeLine({ value: entry, text: JSON.stringify(entry) }))
        .find((line) => line instanceof ChatError);
    } catch {
      return undefined;
    }
  }
}
