/** Text of the dialog that confirms a question from a link or a language model. */
import { plural, t } from '../../shared/text/l10n.ts';

const MAX_LINES = 20;
const MAX_CHARACTERS = 2000;

/**
 * @param where description of the connection, branch and identity
 * @returns `where`, first so that a long question can't push it out of view; then the question with whitespace
 * collapsed, cut to `MAX_LINES` and `MAX_CHARACTERS`, and how much was cut
 */
export function consentText(where: string, question: string): string {
  const text = question.replace(/[^\S\r\n\u2028\u2029]+/g, ' ');
  const start = text.slice(0, MAX_CHARACTERS);
  const lines = start.split(/[\r\n\u2028\u2029]/).filter((line) => line.trim() !== '');
  const hidden = text.length - start.length;
  return [
    where,
    '',
    ...lines.slice(0, MAX_LINES),
    ...(lines.length > MAX_LINES ? [plural(lines.length - MAX_LINES, '… {0} more line|… {0} more lines')] : []),
    ...(hidden > 0 ? [t('… {0} more characters', hidden)] : []),
  ].join('\n');
}
