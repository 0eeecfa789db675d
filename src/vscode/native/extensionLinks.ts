/** Parses `vscode://` links to the extension. */

export type Wish = { kind: 'thread'; threadId: string } | { kind: 'ask'; text: string };

/** Maximum length of a question in characters: the confirmation dialog could not show a longer one. */
const LONGEST = 2000;
/** Control, invisible and bidirectional characters, which could disguise the text; removed from the question. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;

/**
 * @param path path of the link, such as `/ask`
 * @param query decoded query string; `text` must be its only parameter, because it extends to the end
 * @returns the request, or undefined if the link is invalid
 */
export function readLink(path: string, query: string): Wish | undefined {
  if (path === '/thread') {
    const threadId = /^id=([\w-]{1,100})(?:&|$)/.exec(query)?.[1];
    return threadId === undefined ? undefined : { kind: 'thread', threadId };
  }
  if (path !== '/ask' || !query.startsWith('text=')) return undefined;
  const raw = query.slice('text='.length);
  // On the web, spaces arrive form-encoded as "+".
  const text = (/\s/.test(raw) ? raw : raw.replaceAll('+', ' ')).replace(HIDDEN, '').trim();
  return text === '' || text.length > LONGEST ? undefined : { kind: 'ask', text };
}
