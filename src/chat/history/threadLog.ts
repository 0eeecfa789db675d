/** Reads files of the first version of the extension: logs with a JSON record in each line, of which later ones count. */
import { fieldsOf, listOf, shape, text, type Fields } from '../../shared/text/checks.ts';
import { parsed } from '../../shared/text/jsonText.ts';
import type { Item, Turn } from '../../shared/thread/model.ts';
import { isItem, turnFields } from '../../shared/thread/turnChecks.ts';
import { supersedes } from './merge.ts';
import { metaOf, type StoredThread } from './storedThread.ts';
import { draftFrom, isMeta, threadFrom } from './threadFile.ts';

const loggedTurn = shape({ ...turnFields, items: listOf(text) });
const isLoggedTurn = (value: unknown): value is Omit<Turn, 'items'> => loggedTurn(value);

/** @returns the thread, with turns and items in the order of their first records; undefined if nothing is readable */
export function readThreadLog(id: string, bytes: Uint8Array, mtime: number): StoredThread | undefined {
  const logged = new Map<string, { turn: Omit<Turn, 'items'>; items: Map<string, Item> }>();
  let latest: Fields = {};
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    const record = fieldsOf(parsed(line));
    const { kind, turn, item } = record;
    if (kind === 'turn' && isLoggedTurn(turn))
      logged.set(turn.id, { turn, items: logged.get(turn.id)?.items ?? new Map<string, Item>() });
    else if (kind === 'message' && isItem(item)) {
      const items = logged.get(String(turn))?.items;
      const before = items?.get(item.id);
      if (before === undefined || supersedes(item, before)) items?.set(item.id, item);
    } else if (kind === 'removed' && Array.isArray(record.turns))
      for (const name of record.turns) logged.delete(String(name));
    else latest = { ...latest, ...record };
  }
  const meta = isMeta(latest.meta) ? latest.meta : undefined;
  if (meta === undefined && logged.size === 0) return undefined;
  const turns = [...logged.values()].map(({ turn: { id, question, outcome, usage }, items }) => ({
    ...{ id, ...(question && { question }), ...(outcome && { outcome }), ...(usage && { usage }) },
    items: [...items.values()],
  }));
  const { chatId = meta?.chatId, ...state } = fieldsOf(latest.state);
  const thread = threadFrom(id, { ...state, queue: latest.queue }, turns, chatId);
  return { thread, meta: metaOf(thread, mtime, meta), draft: draftFrom(latest.draft) };
}
