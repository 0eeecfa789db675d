/** Reads files of the first version of the extension: logs with a JSON record in each line, of which later ones count. */
import { fieldsOf, textIn, type Fields } from '../../shared/text/checks.ts';
import { parsed } from '../../shared/text/jsonText.ts';
import type { Item } from '../../shared/thread/model.ts';
import { isItem } from '../../shared/thread/turnChecks.ts';
import { supersedes } from './merge.ts';

/** @returns the document of a thread file, unchecked; turns and items are in the order of their first records */
export function readThreadLog(log: string): Fields {
  const turns = new Map<string, { turn: Fields; items: Map<string, Item> }>();
  let latest: Fields = {};
  for (const line of log.split('\n')) {
    const record = fieldsOf(parsed(line));
    const { kind, turn, item } = record;
    const id = textIn(turn, 'id');
    if (kind === 'turn' && id !== undefined)
      turns.set(id, { turn: fieldsOf(turn), items: turns.get(id)?.items ?? new Map<string, Item>() });
    else if (kind === 'message' && isItem(item)) {
      const items = turns.get(String(turn))?.items;
      const before = items?.get(item.id);
      if (before === undefined || supersedes(item, before)) items?.set(item.id, item);
    } else if (kind === 'removed' && Array.isArray(record.turns))
      for (const name of record.turns) turns.delete(String(name));
    else latest = { ...latest, ...record };
  }
  const { meta, state, queue, draft } = latest;
  return {
    meta,
    state: { ...fieldsOf(state), queue, draft },
    turns: [...turns.values()].map(({ turn: { id, question, outcome, usage }, items }) => ({
      ...{ id, question, outcome, usage },
      items: [...items.values()],
    })),
  };
}
