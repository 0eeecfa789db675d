/** Keeps a credential out of texts that come in pieces: no piece of it holds the credential, together they would. */
import { MASK, type Secret } from '../shared/secret.ts';
import { isItemLine, type ItemLine, type StreamLine } from '../shared/wire.ts';

/** Characters; so much of the beginning of a credential is rarely in a text by chance. Less of it may be shown. */
const BEGINNING = 4;

/** The last few characters that were given on, and those that are held back. */
interface Seam {
  readonly shown: string;
  readonly held: string;
}
const NONE: Seam = { shown: '', held: '' };

/** Takes all lines of a connection, and gives them on without the credential. */
export class Seams {
  readonly #secret: Secret;
  readonly #longest: number;
  readonly #firsts: ReadonlySet<string | undefined>;
  readonly #open = new Map<string, { line: ItemLine; content: Seam; thinking: Seam }>();

  constructor(secret: Secret) {
    this.#secret = secret;
    this.#firsts = new Set(secret.whole.map(([first]) => first));
    this.#longest = Math.max(0, ...secret.whole.map(({ length }) => length));
  }

  /** @returns the line itself where nothing is left out of it, or held back for the next one of its message */
  take(line: StreamLine): StreamLine {
    if (this.#longest === 0 || !isItemLine(line)) return line;
    const key = `${line.role} ${line.id}`;
    const before = this.#open.get(key);
    // The whole text replaces what came in pieces.
    if (!line.isDelta) this.#open.delete(key);
    if (!line.isDelta || !(line.content || line.thinking)) return line;
    const [content, contentSeam] = this.#join(before?.content ?? NONE, line.content ?? '');
    const [thinking, thinkingSeam] = this.#join(before?.thinking ?? NONE, line.thinking ?? '');
    this.#open.set(key, { line, content: contentSeam, thinking: thinkingSeam });
    const isSame = content === (line.content ?? '') && thinking === (line.thinking ?? '');
    return isSame ? line : { ...line, content, thinking };
  }

  /** @returns what is held back still, when the pieces that it waits for do not come */
  rest(): StreamLine[] {
    const held = [...this.#open.values()].filter(({ content, thinking }) => content.held || thinking.held);
    this.#open.clear();
    return held.map(({ line, content, thinking }) => ({
      ...line,
      sort: undefined,
      content: this.#secret.hide(content.held),
      thinking: this.#secret.hide(thinking.held),
    }));
  }

  #join(seam: Seam, piece: string): [string, Seam] {
    if (piece === '') return ['', seam];
    const forms = this.#secret.whole;
    const from = seam.shown.length;
    let text = seam.shown + seam.held + piece;
    for (const form of forms)
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form))
        text = text.slice(0, Math.max(at, from)) + MASK + text.slice(at + form.length);
    const last = text.length - BEGINNING;
    let at = Math.max(0, text.length - this.#longest);
    const begins = (form: string): boolean => form.startsWith(text.slice(at));
    while (at <= last && !(this.#firsts.has(text[at]) && forms.some(begins))) at += 1;
    const to = at > last ? text.length : Math.max(at, from);
    return [text.slice(from, to), { shown: text.slice(0, to).slice(1 - BEGINNING), held: text.slice(to) }];
  }
}
