/** A credential that is detected wherever it leaks, in any encoding. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PIECE = 8;

/** @returns a new key with many different characters, including those that encodings change */
export const canaryKey = (): string => `ak/${randomBytes(24).toString('base64')}+Z"&~`;

/** @returns a string in the form of a JWT */
export function canaryToken(): string {
  return [24, 96, 32].map((length) => randomBytes(length).toString('base64url')).join('.');
}

/** The base64 forms of the secret within a longer text, for each alignment. */
function base64Within(secret: string): string[] {
  return ['', 'a', 'ab'].map((before) =>
    Buffer.from(`${before}${secret}`)
      .toString('base64')
      .slice(before.length === 0 ? 0 : before.length + 1, -4),
  );
}

const windows = (text: string): string[] =>
  Array.from({ length: text.length - PIECE + 1 }, (_, at) => text.slice(at, at + PIECE));

/** Every form of the secret, by name. */
function tracesOf(secret: string): Map<string, string[]> {
  const base64 = base64Within(secret);
  const hex = Buffer.from(secret).toString('hex');
  const json = JSON.stringify(secret).slice(1, -1);
  return new Map([
    ['plain', windows(secret)],
    ['reversed', windows([...secret].reverse().join(''))],
    ['URL', [encodeURIComponent(secret), encodeURI(secret)]],
    ['JSON', [json, JSON.stringify(json).slice(1, -1), json.replaceAll('/', '\\/')]],
    ['HTML', [secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')]],
    ['base64', base64.flatMap(windows)],
    ['base64url', base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')).flatMap(windows)],
    ['hex', [hex, hex.toUpperCase()]],
  ]);
}

/** Searches text and files for secrets and reports where they were found. */
export class Search {
  readonly #traces: [string, string][];

  constructor(...secrets: string[]) {
    this.#traces = secrets.flatMap((secret) =>
      [...tracesOf(secret)].flatMap(([form, texts]) => texts.map((text): [string, string] => [form, text])),
    );
  }

  /** @returns the forms of a secret or of a part of it that the text contains */
  in(content: string | Buffer): string[] {
    const found = this.#traces.filter(([, text]) => content.includes(text));
    return [...new Set(found.map(([form]) => form))];
  }

  /** @returns the files in a folder that contain a secret */
  inFolder(folder: string): string[] {
    return filesOf(folder).flatMap((path) => this.in(readFileSync(path)).map((form) => `${path}: ${form}`));
  }
}

/** @returns all files below a folder */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
