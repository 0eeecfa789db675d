/** What a link to the extension asks for. */

export type Wish = { kind: 'thread'; threadId: string } | { kind: 'ask'; text: string };

/** More could not be read before it is agreed to. */
const LONGEST = 2000;
/** Characters that could make a text look like another one: controls, invisible ones, and those that reorder. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;

/**
 * @param path of the link, as `/ask`
 * @param query of the link, decoded; a text goes on to its end
 * @returns what is wished for, or undefined for any other link
 */
export function readLink(path: string, query: string): Wish | undefined {
  if (path === '/thread') {
    const threadId = /^id=([\w-]{1,100})(?:&|$)/.exec(query)?.[1];
    return threadId === undefined ? undefined : { kind: 'thread', threadId };
  }
  if (path !== '/ask' || !query.startsWith('text=')) return undefined;
  const raw = query.slice('text='.length);
  // In a browser the editor gets links in the form's encoding, of which the spaces are left.
  const text = (/\s/.test(raw) ? raw : raw.replaceAll('+', ' ')).replace(HIDDEN, '').trim();
  return text === '' || text.length > LONGEST ? undefined : { kind: 'ask', text };
}
