/**
 * Generates a pseudolocale: strings stay readable, get longer, and are enclosed in brackets. Strings without brackets
 * on the screen are not localized; a missing closing bracket shows that a string is truncated.
 */

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
