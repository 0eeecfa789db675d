/** Bodies that are read for what they say, not as a stream. */
import { decodeLine } from './decode.ts';
import { ChatError } from './errors.ts';

/** Characters. */
const LONGEST_MESSAGE = 65_536;

/** Reads as much of a body as a message can be in, and gives the rest up; what fails on the way is left out. */
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
    // The status says enough.
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
  return text;
}

/** What a response begins with, while it is not known what it is. */
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

  /** The failure that it reports as one JSON value, over several lines or in a list. */
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
