/** The words of a question, from which what is understood is taken away bit by bit. */
export class Reader {
  #text: string;

  constructor(question: string) {
    this.#text = ` ${normalize(question)} `;
  }

  /** What is left. `|` stands where something was taken, so that no phrase reaches across. */
  get rest(): string {
    return this.#text;
  }

  has(pattern: RegExp): boolean {
    return pattern.test(this.#text);
  }

  /** Takes the first match away and returns it. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#text = `${this.#text.slice(0, match.index)} | ${this.#text.slice(match.index + match[0].length)}`;
    return match;
  }

  /** Puts words back, at the end. */
  put(words: string): void {
    this.#text += words;
  }
}

/** Lower case, plain quotes and spaces, `&` as "and", no punctuation that means nothing here. */
export function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[‘’`]/g, "'")
    .replace(/[“”"?!;:()[\]{}]/g, ' ')
    .replace(/&/g, ' and ')
    .replace(/\.(?!\d)/g, ' ')
    .replace(/,(?!\d)/g, ' , ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A word without its plural ending, so that "categories" finds "category". */
export function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
