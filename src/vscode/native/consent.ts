/**
 * Parses `vscode://` links to the extension, and writes the text of the dialog that confirms a question from outside.
 */
import { plural, t } from '../../shared/text/l10n.ts';
import { shownName } from '../../chat/connection/connectionList.ts';
import type { Services } from '../services.ts';

export type WhereServices = Services<'branches' | 'identities' | 'connections'>;

/** @param branch requested branch; empty for the current one */
export function whereText({ branches, connections, identities }: WhereServices, branch = ''): string {
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

/** The action that a link requests. */
type LinkRequest = { kind: 'thread'; threadId: string } | { kind: 'ask'; text: string };

/** Control, invisible and bidirectional characters, which could disguise the text; removed from the question. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * @param path path of the link, such as `/ask`
 * @param query decoded query string; `text` must be its only parameter, because it extends to the end
 * @returns the request, or undefined if the link is invalid
 */
export function readLink(path: string, query: string): LinkRequest | undefined {
  if (path === '/thread') {
    const threadId = /^id=([\w-]{1,100})(?:&|$)/.exec(query)?.[1];
    return threadId === undefined ? undefined : { kind: 'thread', threadId };
  }
  if (path !== '/ask' || !query.startsWith('text=')) return undefined;
  const raw = query.slice('text='.length);
  // On the web, spaces arrive form-encoded as "+".
  const text = (/\s/.test(raw) ? raw : raw.replaceAll('+', ' ')).replace(HIDDEN, '').trim();
  // The confirmation dialog could not show all of a longer question.
  return text === '' || text.length > MAX_CHARACTERS ? undefined : { kind: 'ask', text };
}
