/** Redacts a credential in text, in common encodings and in fragments, and JSON Web Tokens. */
import { withoutTrailing } from './lines.ts';
import { plain } from './plainText.ts';

const MASK = '[redacted]';
/** Minimum length in characters; a shorter value can occur by chance. */
const SHORTEST = 4;
/** From this length, neither a secret nor a fragment of `PIECE` characters occurs by chance. */
const LONG = 16;
const PIECE = 8;

export class Secret {
  /** The plain and encoded forms, longest first: one form may contain another. */
  readonly #forms: readonly string[];
  readonly #isLong: boolean;
  #pieces: Set<string> | undefined;

  /** @param credential surrounding white space is ignored */
  constructor(credential: string) {
    const value = credential.trim();
    this.#forms = value.length < SHORTEST ? [] : formsOf(value).sort((a, b) => b.length - a.length);
    this.#isLong = value.length >= LONG;
  }

  /**
   * For large content that must not change by chance, such as whole answers.
   * @returns the text with complete occurrences of a long secret redacted; unchanged for a short secret
   */
  redactWhole(text: string): string {
    return this.#isLong ? this.redactForms(text) : text;
  }

  /**
   * For streamed text: also cuts off an end that may be the beginning of the secret.
   * @param least minimum length of such a beginning; shorter ones occur by chance
   */
  redactStreaming(text: string, least = SHORTEST): string {
    const clean = this.redactWhole(text);
    if (!this.#isLong) return clean;
    const longest = Math.max(...this.#forms.map(({ length }) => length));
    for (let at = Math.max(0, clean.length - longest); at <= clean.length - least; at += 1)
      if (this.#forms.some((form) => form.startsWith(clean.slice(at)))) return clean.slice(0, at);
    return clean;
  }

  /** For user files, where a fragment may occur by chance. @returns the text with complete occurrences redacted */
  redactForms(text: string): string {
    const decoded = withoutEscapes(text);
    // Return the original text if it does not contain the secret.
    if (!this.#forms.some((form) => decoded.includes(form))) return text;
    return this.#forms.reduce((clean, form) => clean.replaceAll(form, MASK), decoded);
  }

  /**
   * For messages and logs. @returns the text with the secret and any eight or more consecutive characters of it
   * redacted
   */
  redact(text: string): string {
    const clean = this.redactForms(text);
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

/** Unicode escapes at any level of JSON inside JSON. A match never starts inside a run of backslashes. */
const ESCAPE = /(?<!\\)(\\+)u00([2-7][\da-f])/gi;
/** Number of levels of nested escaping to decode. */
const LEVELS = 3;

/**
 * Decodes escapes: some services write `=` as `\u003d`, or any other character in this way.
 * @returns the text with printable ASCII decoded; escaped quotes and backslashes stay, so that JSON stays valid
 */
function withoutEscapes(text: string): string {
  if (!text.includes('\\u00')) return text;
  const decode = (all: string, run: string, code: string): string => {
    const character = String.fromCharCode(parseInt(code, 16));
    if (character === '"' || character === '\\') return all;
    // Each level of JSON doubles the backslashes of an escape, so their number is a power of two; the others are text
    // before it.
    return run.slice(run.length & -run.length) + character;
  };
  let decoded = text;
  for (let level = 0; level < LEVELS; level += 1) decoded = decoded.replace(ESCAPE, decode);
  return decoded;
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

function formsOf(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  // Every byte has two hexadecimal digits, because a credential contains no control characters.
  const hex = Array.from(bytes, (byte) => byte.toString(16)).join('');
  const json = escaped(value);
  const base64 = [0, 1, 2].map((before) => base64Within(bytes, before));
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  // Tool inputs and results are JSON inside JSON.
  const inJson = [json, json.replaceAll('/', '\\/'), escaped(json)];
  const percent = encodeURIComponent(value);
  // Some services write the digits in lower case; an address inside another address is encoded twice.
  const inUrl = [percent, percent.replace(/%../g, (byte) => byte.toLowerCase())];
  const forms = [value, plain(value), ...inUrl, ...inUrl.map(encodeURIComponent), ...inJson, hex, hex.toUpperCase()];
  return [...new Set([...forms, ...base64, ...urlSafe])];
}

/**
 * @param before number of bytes that precede these in a longer text, modulo 3
 * @returns the part of the base64 of the longer text that depends on these bytes alone
 */
function base64Within(bytes: Uint8Array, before: number): string {
  const text = withoutTrailing(btoa(String.fromCharCode(...new Uint8Array(before), ...bytes)), '=');
  const isOpen = (before + bytes.length) % 3 !== 0;
  return text.slice(Math.ceil((before * 8) / 6), isOpen ? -1 : undefined);
}

/** Credentials in request headers, also in the JSON of their names and values. */
const HEADERS = [/(Api-Key\s+)[^\s"',}]+/gi, /(X-Svc-Auth-Token["':\s]+)[^\s"',}]+/gi];

/** @returns the text with credential headers and JSON Web Tokens (`eyJ…` in three parts) replaced by `[redacted]` */
export function redactTokens(text: string): string {
  const clean = HEADERS.reduce((rest, header) => rest.replace(header, `$1${MASK}`), text);
  return clean.replace(/[\w.-]+/g, (run) => {
    const start = run.indexOf('eyJ');
    return /^eyJ[^.]*\.[^.]+\./.test(run.slice(start)) ? run.slice(0, start) + MASK : run;
  });
}
