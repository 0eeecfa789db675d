/** The rows of the list: moving through them by keyboard, and what was found in them. */
import { plural, t } from '../../src/shared/text/l10n.ts';
import type { ThreadEntry, ThreadsPart } from '../../src/shared/protocol/threads.ts';

const PAGE = 10;

/**
 * @param ids of the rows, in order
 * @param current the row that has the keyboard; undefined for the search field above them
 * @returns the row that gets it, '' for the search field, undefined for a key that does not move
 */
export function nextRow(ids: readonly string[], current: string | undefined, key: string): string | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current);
  const to = (index: number): string | undefined => ids[Math.max(0, Math.min(index, ids.length - 1))];
  if (key === 'ArrowDown') return to(at + 1);
  if (current === undefined) return undefined;
  switch (key) {
    case 'ArrowUp':
      return at <= 0 ? '' : to(at - 1);
    case 'PageUp':
      return to(at - PAGE);
    case 'PageDown':
      return to(at + PAGE);
    case 'Home':
      return to(0);
    case 'End':
      return to(ids.length - 1);
    default:
      return undefined;
  }
}

/** A text in pieces, some of them marked. */
export function pieces(
  text: string,
  marks: readonly (readonly [start: number, end: number])[],
): { text: string; marked: boolean }[] {
  const found: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    found.push({ text: text.slice(at, start), marked: false }, { text: text.slice(start, end), marked: true });
    at = end;
  }
  found.push({ text: text.slice(at), marked: false });
  return found.filter((piece) => piece.text !== '');
}

/** What was found in a thread by searching all of them. */
export interface Sought {
  threadId: string;
  text: string;
}

/**
 * @returns the text to lead the reader to, which stands in the thread as it is: the query, or where its words are
 * spread the first of them; undefined where only the title has it
 */
export function soughtIn({ snippet }: ThreadEntry, query: string): string | undefined {
  if (!snippet) return undefined;
  const phrase = query.trim();
  if (snippet.text.toLowerCase().includes(phrase.toLowerCase())) return phrase;
  const [first] = snippet.marks;
  return first ? snippet.text.slice(...first) : undefined;
}

/**
 * @param most as many as were asked for
 * @returns what a search has found, in words, once it has gone as far as it was asked to; empty before
 */
export function foundIn({ entries, total, busy }: ThreadsPart, most: number): string {
  if (total === 0) return t('Nothing was found.');
  const { length } = entries;
  if (length < most && busy) return '';
  return plural(length, '{0} chat was found|{0} chats were found', busy ? `${length}+` : length);
}
