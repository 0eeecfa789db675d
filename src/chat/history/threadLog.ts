/** Reads files of the first version of the extension: logs with a JSON record in each line, of which later ones count. */
import { fieldsOf, listOf, maybe, shape, text } from '../../shared/text/checks.ts';
import type { Item, Turn } from '../../shared/thread/model.ts';
import { isItem, turnFields } from '../../shared/thread/turnChecks.ts';
import { supersedes } from './merge.ts';
import { metaOf, timeOf, type StoredMeta, type StoredThread } from './storedThread.ts';
import { draftFrom, isMeta, parsed, splitLines, threadFrom } from './threadFile.ts';

interface LoggedTurn extends Omit<Turn, 'items'> {
  /** Id of the preceding turn. */
  after?: string;
  /** Item ids, in order. */
  items: readonly string[];
}

const loggedTurn = shape({ ...turnFields, after: maybe(text), items: listOf(text) });

/** @returns the thread; undefined if nothing in the log is readable */
export function readThreadLog(id: string, bytes: Uint8Array, mtime: number): StoredThread | undefined {
  const turns = new Map<string, LoggedTurn>();
  const items = new Map<string, Map<string, Item>>();
  /** The ids of all turns, also of those that were removed later. */
  const order: string[] = [];
  let meta: StoredMeta | undefined;
  let [state, queue, draft]: unknown[] = [];

  for (const line of splitLines(bytes)) {
    const record = fieldsOf(parsed(new TextDecoder().decode(line)));
    const { kind, turn, item } = record;
    if (kind === 'head' && isMeta(record.meta)) [meta, state] = [record.meta, record.state];
    else if (kind === 'queue') queue = record.queue;
    else if (kind === 'draft') draft = record.draft;
    else if (kind === 'turn' && loggedTurn(turn)) add(turn as LoggedTurn);
    else if (kind === 'message' && isItem(item)) {
      const saved = items.get(String(turn));
      const before = saved?.get(item.id);
      if (before === undefined || supersedes(item, before)) saved?.set(item.id, item);
    } else if (kind === 'removed' && Array.isArray(record.turns))
      for (const name of record.turns) if (turns.delete(String(name))) items.delete(String(name));
  }

  function add(turn: LoggedTurn): void {
    if (!items.has(turn.id)) items.set(turn.id, new Map());
    turns.set(turn.id, turn);
    if (order.includes(turn.id)) return;
    let at = order.indexOf(turn.after ?? '', 0) + 1;
    // Two windows may have asked after the same turn.
    while (order[at] !== undefined && timeOf(turns.get(order[at] as string) ?? {}) <= timeOf(turn)) at += 1;
    order.splice(at, 0, turn.id);
  }

  if (meta === undefined && turns.size === 0) return undefined;
  const all = order.flatMap((name): Turn[] => {
    const { after: _after, items: places, ...turn } = turns.get(name) ?? {};
    const placeOf = ({ id }: Item): number => (places?.includes(id) ? places.indexOf(id) : Infinity);
    const found = [...(items.get(name)?.values() ?? [])].sort((a, b) => placeOf(a) - placeOf(b) || 0);
    return places ? [{ ...turn, id: name, items: found }] : [];
  });
  const thread = threadFrom(id, { ...fieldsOf(state), queue }, all, fieldsOf(state).chatId ?? meta?.chatId);
  return { thread, meta: metaOf(thread, mtime, meta), draft: draftFrom(draft) };
}
