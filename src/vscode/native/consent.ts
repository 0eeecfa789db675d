/** Text of the dialog that confirms a question from a link or a language model. */
import { plural, t } from '../../shared/text/l10n.ts';
import { shownName } from '../../chat/connection/connectionList.ts';
import type { Branches } from '../connection/branches.ts';
import type { Identities } from '../connection/identities.ts';
import type { Connections } from '../connection/connections.ts';

export interface WhereServices {
  branches: Branches;
  identities: Identities;
  connections: Connections;
}

/** @param branch requested branch; empty for the current one */
export function whereWords({ branches, connections, identities }: WhereServices, branch = ''): string {
  const { current, several } = connections;
  const name = branch || branches.label;
  return current && several
    ? t('to {0}, on branch “{1}” as “{2}”', shownName(current), name, identities.current)
    : t('on branch “{0}” as “{1}”', name, identities.current);
}

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
