/** Keyboard navigation in the history list, and the search matches of its rows. */
import { plural, t } from '../../src/shared/text/l10n.ts';
import type { Mark, ThreadEntry, ThreadsPart } from '../../src/shared/protocol/threads.ts';

const PAGE = 10;

/**
 * @param ids thread ids of the rows, in order
 * @param current the focused row; `undefined` for the search field above the rows
 * @returns the row to focus, '' for the search field, `undefined` if the key does not move the focus
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

/**
 * @param held ids in the order in which the rows stay; undefined for the order of the list
 * @returns the threads; those that are not held, below the others
 */
export function inHeldOrder<Entry extends { id: string }>(
  entries: readonly Entry[],
  held: readonly string[] | undefined,
): readonly Entry[] {
  if (held === undefined) return entries;
  const place = new Map(held.map((id, at) => [id, at]));
  return entries.toSorted((a, b) => (place.get(a.id) ?? Infinity) - (place.get(b.id) ?? Infinity) || 0);
}

/**
 * @param marks ranges of search matches in `text`, in order
 * @returns the text split into marked and unmarked pieces
 */
export function pieces(text: string, marks: readonly Mark[]): { text: string; marked: boolean }[] {
  const found: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    found.push({ text: text.slice(at, start), marked: false }, { text: text.slice(start, end), marked: true });
    at = end;
  }
  found.push({ text: text.slice(at), marked: false });
  return found.filter((piece) => piece.text !== '');
}

/** A search match to reveal in a thread. */
export interface Sought {
  threadId: string;
  text: string;
}

/**
 * @returns the text to find in the opened thread: the query if the snippet contains it, otherwise the first matching
 *   word; `undefined` if only the title matches
 */
export function soughtIn({ snippet }: ThreadEntry, query: string): string | undefined {
  if (!snippet) return undefined;
  const phrase = query.trim();
  if (snippet.text.toLowerCase().includes(phrase.toLowerCase())) return phrase;
  const [first] = snippet.marks;
  return first ? snippet.text.slice(...first) : undefined;
}

/**
 * @param most number of rows requested
 * @returns the announcement of a search's result; empty while the search is running and has found fewer than `most`
 */
export function foundIn({ entries, total, busy }: ThreadsPart, most: number): string {
  if (total === 0) return t('No chats found.');
  const { length } = entries;
  if (length < most && busy) return '';
  return plural(length, '{0} chat found|{0} chats found', busy ? `${length}+` : length);
}
