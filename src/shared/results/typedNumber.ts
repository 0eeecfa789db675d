/** Parses numbers typed in the format of a locale. */
import { isNumeric } from './decimal.ts';

/**
 * @returns plain digits for a number typed with the separators of the locale, or `undefined` if the text is not a
 * number
 */
export function parseTyped(typed: string, locale: string | undefined): string | undefined {
  const format = new Intl.NumberFormat(locale, { useGrouping: 'always' });
  const digits = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210)].reverse();
  const compact = [...typed.replace(/[\s\u00a0\u202f\u200e\u200f\u061c_']/g, '')]
    .map((character) => (digits.includes(character) ? String(digits.indexOf(character)) : character))
    .join('');
  const parts = format.formatToParts(-11_111.5);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const [group, decimal] = [part('group') || ',', part('decimal') || '.'];
  // In locales that group digits with a point, `1.234` is 1234.
  const isGrouped = /^[-+\u2212]?\d{1,3}(?:g\d{2,3})+(?:d\d+)?$/.test(
    compact.replaceAll(group, 'g').replaceAll(decimal, 'd'),
  );
  if (!isGrouped && isNumeric(compact)) return compact;
  const plain = compact.replace('\u2212', '-').replaceAll(group, '').replace(decimal, '.');
  return isNumeric(plain) ? plain : undefined;
}
