/** Redacts a credential in texts, in any encoding and in pieces. */
import { withoutTrailing } from './text/trim.ts';

export const MASK = '[redacted]';
/** Characters; what is shorter is in texts by chance. */
const SHORTEST = 4;
/** From this length on a secret is in no text by chance, and neither is a piece of it. */
const LONG = 16;
const PIECE = 8;

export class Secret {
  /** As it is and encoded, the longest first: one form may hold another. */
  readonly #forms: readonly string[];
  readonly #isLong: boolean;
  #pieces: Set<string> | undefined;

  /** @param credential as given; space around it is no part of it */
  constructor(credential: string) {
    const value = credential.trim();
    this.#forms = value.length < SHORTEST ? [] : formsOf(value).sort((a, b) => b.length - a.length);
    this.#isLong = value.length >= LONG;
  }

  /**
   * For what is big and must not change by chance, such as whole answers.
   * @returns the text itself unless all of a long secret is in it
   */
  hideWhole(text: string): string {
    return this.#isLong ? this.hideForms(text) : text;
  }

  /**
   * For a text of an answer that may go on: its end may be the beginning of the secret.
   * @param least characters of a beginning that count; fewer are there by chance
   */
  hideOpen(text: string, least = SHORTEST): string {
    const clean = this.hideWhole(text);
    if (!this.#isLong) return clean;
    const longest = Math.max(...this.#forms.map(({ length }) => length));
    for (let at = Math.max(0, clean.length - longest); at <= clean.length - least; at += 1)
      if (this.#forms.some((form) => form.startsWith(clean.slice(at)))) return clean.slice(0, at);
    return clean;
  }

  /** For files of the user's, where a piece of a secret may be by chance. @returns the text without all of the secret */
  hideForms(text: string): string {
    const plain = withoutEscapes(text);
    // Where the secret is not, every character stays as it was sent.
    if (!this.#forms.some((form) => plain.includes(form))) return text;
    return this.#forms.reduce((clean, form) => clean.replaceAll(form, MASK), plain);
  }

  /** For messages and logs. @returns the text without the secret, and without eight or more characters of it in a row */
  hide(text: string): string {
    const clean = this.hideForms(text);
    if (!this.#isLong) return clean;
    const pieces = (this.#pieces ??= new Set(this.#forms.flatMap(piecesOf)));
    let kept = '';
    let end = 0;
    for (let at = 0; at + PIECE <= clean.length; at += 1) {
      if (!pieces.has(clean.slice(at, at + PIECE))) continue;
      if (at > end || end === 0) kept += clean.slice(end, at) + MASK;
      end = at + PIECE;
    }
    return kept + clean.slice(end);
  }
}

const piecesOf = (form: string): string[] =>
  Array.from({ length: Math.max(0, form.length - PIECE + 1) }, (_, at) => form.slice(at, at + PIECE));

/** A run of backslashes and a code, in any level of JSON within JSON. No search begins within a run. */
const ESCAPE = /(?<!\\)(\\+)u00([2-7][\da-f])/gi;
/** So many levels may each escape what the one within has escaped. */
const LEVELS = 3;

/**
 * Some services write `=` as `\u003d`, or any other character so.
 * @returns the text with printable ASCII as it is; quotes and backslashes stay, so that JSON stays JSON
 */
function withoutEscapes(text: string, levels = LEVELS): string {
  if (levels === 0 || !text.includes('\\u00')) return text;
  const plain = text.replace(ESCAPE, (all: string, run: string, code: string) => {
    const character = String.fromCharCode(parseInt(code, 16));
    if (character === '"' || character === '\\') return all;
    // Each level of JSON halves the run, until one backslash is left for the code.
    return run.slice(run.length & -run.length) + character;
  });
  return plain === text ? text : withoutEscapes(plain, levels - 1);
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

function formsOf(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const json = escaped(value);
  const base64 = [0, 1, 2].map((before) => base64Within(bytes, before));
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  // What tools send is JSON within JSON.
  const inJson = [json, json.replaceAll('/', '\\/'), escaped(json)];
  const forms = [value, encodeURIComponent(value), ...inJson, hex, hex.toUpperCase()];
  return [...new Set([...forms, ...base64, ...urlSafe])].filter((form) => form.length >= SHORTEST);
}

/** @returns what of the base64 of a longer text depends on these bytes alone, which so many others precede (modulo 3) */
function base64Within(bytes: Uint8Array, before: number): string {
  const text = withoutTrailing(btoa(String.fromCharCode(...new Uint8Array(before), ...bytes)), '=');
  const isOpen = (before + bytes.length) % 3 !== 0;
  return text.slice(Math.ceil((before * 8) / 6), isOpen ? -1 : undefined);
}
