/** The remaining words of a question; parsers remove the words that they understand. */
export class Reader {
  #text: string;

  constructor(question: string) {
    this.#text = ` ${normalize(question)} `;
  }

  /** The remaining words. `|` marks removed words, so that no phrase spans the gap. */
  get rest(): string {
    return this.#text;
  }

  has(pattern: RegExp): boolean {
    return pattern.test(this.#text);
  }

  /** Removes the first match from the remaining words and returns it. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#text = `${this.#text.slice(0, match.index)} | ${this.#text.slice(match.index + match[0].length)}`;
    return match;
  }

  /** Appends words to the remaining ones. */
  put(words: string): void {
    this.#text += words;
  }
}

/**
 * Lowercases text, normalizes quotes and spaces, replaces `&` with "and", and removes punctuation without meaning here.
 */
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

/** Removes the plural ending of a word, so that "categories" matches "category". */
export function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
