/** Names of new questions. */
import { t } from '../../shared/text/l10n.ts';

const MOST_LETTERS = 50;

/** @returns a unique name for a question, such as `revenue_by_month_in_2024` */
export function proposedName(question: string, taken: ReadonlySet<string>): string {
  const words = question
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, MOST_LETTERS) : `${slug}_${word}`;
    if (longer.length > MOST_LETTERS) break;
    slug = longer;
  }
  slug ||= 'question';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? slug : `${slug}_${number}`;
    if (!taken.has(name)) return name;
  }
}

/** @returns why a name can't be used; undefined if it can */
export function nameProblem(name: string, taken: ReadonlySet<string>): string | undefined {
  if (name.trim() === '') return t('Enter a name.');
  return taken.has(name.trim()) ? t('“{0}” is already the name of a question.', name.trim()) : undefined;
}
