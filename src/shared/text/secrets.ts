/** Redacts credentials in text that leaves the product: history, log, exports, copies, recordings, diagnostics. */
import { plain } from './plainText.ts';

const MASK = '[redacted]';
/** Minimum length in characters; a shorter value can occur by chance. */
const SHORTEST = 8;

export class Secrets {
  /** The credentials and their encoded forms, longest first: one may contain another. */
  #forms: readonly string[] = [];

  constructor(...credentials: string[]) {
    for (const credential of credentials) this.add(credential);
  }

  /** @param credential redacted from now on; surrounding white space is ignored */
  add(credential: string): void {
    const value = credential.trim();
    if (value.length < SHORTEST) return;
    const forms = new Set([...this.#forms, ...formsOf(value)]);
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
  }

  /** @returns the text with each credential replaced; JSON stays valid */
  redact(text: string): string {
    return this.#forms.reduce((clean, form) => clean.replaceAll(form, MASK), text);
  }
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The result of a tool is JSON inside JSON, and the headings of an exported chat are Markdown. */
const formsOf = (value: string): string[] => [
  value,
  escaped(value),
  escaped(escaped(value)),
  encodeURIComponent(value),
  plain(value),
];

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
