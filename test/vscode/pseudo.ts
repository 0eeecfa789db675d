/**
 * Generates a pseudolocale: strings stay readable, get longer, and are enclosed in brackets. Strings without brackets
 * on the screen are not localized; a missing closing bracket shows that a string is truncated.
 */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repoRoot } from './paths.ts';

export const PSEUDO = 'qps-ploc';
/** Relative growth of a string. */
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

/** @returns the text in the pseudolocale, with its placeholders and plural forms preserved */
export function pseudo(text: string): string {
  return text
    .split('|')
    .map((form) => {
      const accented = form.replace(/\{\d+\}|[a-z]/gi, (part) => accents[part] ?? part);
      return `[${accented}${'·'.repeat(Math.ceil(form.length * GROWTH))}]`;
    })
    .join('|');
}

/** @returns a new folder with the built extension and the pseudolocale; the caller must remove it */
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
