/** The searchable parts of a turn, in display order. */
import type { ViewContext } from '../../src/shared/protocol/chat.ts';
import type { Item, Question } from '../../src/shared/thread/model.ts';
import { payloadOf, type ShownTurn } from '../../src/shared/thread/turns.ts';
import { visibleText } from '../markdown/parser.ts';

/** The text of an item or question that a part contains. */
export type PartKind = 'question' | 'thinking' | 'message' | 'title' | 'sql' | 'answer';

type Part = { kind: 'question'; item: Question } | { kind: Exclude<PartKind, 'question'>; item: Item };

/** Value of `data-part` on the element of a part. */
export const partKey = (item: Pick<Item, 'id'>, kind: PartKind): string => `${kind} ${item.id}`;

export const isSqlQuery = (item: Item): boolean => payloadOf(item)?.kind === 'sqlQuery';
export const isUnknownTool = (item: Item): boolean => payloadOf(item)?.kind === 'unknownTool';

/** @returns the items of a turn that are folded into its steps; any item can have reasoning, including the answer */
export function foldedItems({ steps, answer }: ShownTurn): Item[] {
  return [...steps, ...(answer ? [answer] : [])].filter(
    (item) => item.thinking !== '' || (item !== answer && !isSqlQuery(item) && !isUnknownTool(item)),
  );
}

/** @returns the title of a query's card; empty if the query has no title */
export function queryTitle(item: Item): string {
  const payload = payloadOf(item);
  return payload?.kind === 'sqlQuery' ? payload.queryTitle || payload.description : '';
}

/** @param showThinking the setting: `hidden` excludes reasoning, which is then not rendered */
export function partsOf(turn: ShownTurn, showThinking: ViewContext['showThinking']): Part[] {
  const { question, steps, answer } = turn;
  const parts: Part[] = question ? [{ item: question, kind: 'question' }] : [];
  for (const item of foldedItems(turn)) {
    if (showThinking !== 'hidden') parts.push({ item, kind: 'thinking' });
    if (item !== answer && item.toolCall === undefined) parts.push({ item, kind: 'message' });
  }
  for (const item of steps.filter(isSqlQuery)) parts.push({ item, kind: 'title' }, { item, kind: 'sql' });
  if (answer) parts.push({ item: answer, kind: 'answer' });
  return parts;
}

const texts = new WeakMap<Item | Question, Map<PartKind, string>>();

/** @returns the displayed text of a part, cached for each version of its item */
export function textOf(part: Part): string {
  const { item, kind } = part;
  let known = texts.get(item);
  if (known === undefined) texts.set(item, (known = new Map<PartKind, string>()));
  let text = known.get(kind);
  if (text === undefined) known.set(kind, (text = read(part)));
  return text;
}

function read({ kind, item }: Part): string {
  if (kind === 'question') return item.content;
  const payload = payloadOf(item);
  switch (kind) {
    case 'thinking':
      return visibleText(item.thinking);
    case 'message':
    case 'answer':
      return visibleText(item.content);
    case 'title':
      return queryTitle(item);
    case 'sql':
      return payload?.kind === 'sqlQuery' ? payload.sqlQuery : '';
  }
}
