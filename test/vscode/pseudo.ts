/**
 * A language that nobody speaks: each text can still be read, is longer, as in many languages, and shows by its
 * brackets where it begins and ends. What is plain on the screen was never translated; what has lost its bracket is cut.
 */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repoRoot } from './paths.ts';

export const PSEUDO = 'qps-ploc';
/** How much longer a text becomes. */
const GROWTH = 0.35;
const accents: Record<string, string> = {
  a: 'á',
  e: 'ë',
  i: 'ï',
  o: 'ö',
  u: 'ü',
  c: 'ç',
  n: 'ñ',
  s: 'š',
  y: 'ÿ',
  A: 'Å',
  E: 'É',
  O: 'Ö',
};

/** @returns the text in the pseudo-language, its places and plural forms kept */
export function pseudo(text: string): string {
  return text
    .split('|')
    .map((form) => {
      const accented = form.replace(/\{\d+\}|[a-z]/gi, (part) => accents[part] ?? part);
      return `[${accented}${'·'.repeat(Math.ceil(form.length * GROWTH))}]`;
    })
    .join('|');
}

/** @returns a new folder with the extension as it is built, and the pseudo-language; the caller removes it */
export function pseudoExtension(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pseudo-'));
  for (const name of ['package.json', 'dist', 'media', 'l10n'])
    cpSync(join(repoRoot, name), join(folder, name), { recursive: true });
  for (const [from, to] of [
    ['package.nls.json', `package.nls.${PSEUDO}.json`],
    ['l10n/bundle.l10n.json', `l10n/bundle.l10n.${PSEUDO}.json`],
  ] as const) {
    const texts = JSON.parse(readFileSync(join(repoRoot, from), 'utf8')) as Record<string, string>;
    const translated = Object.entries(texts).map(([key, text]) => [key, pseudo(text)]);
    writeFileSync(join(folder, to), JSON.stringify(Object.fromEntries(translated)));
  }
  cpSync(join(repoRoot, 'package.nls.json'), join(folder, 'package.nls.json'));
  return folder;
}
