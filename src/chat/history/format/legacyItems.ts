/**
 * Reads files of version 1, in which a thread was a flat list of questions and answers, ordered by the number of their
 * request and by `sort` within it. They are converted to turns; only version 2 is written.
 */
import {
  image,
  listOf,
  maybe,
  number,
  oneOf,
  shape,
  questionContext,
  text,
  type Check,
} from '../../../shared/text/checks.ts';
import type { Item, Question, Turn } from '../../../shared/thread/model.ts';
import { itemFields, outcome, supersedes, usage } from './items.ts';

export interface LegacyItem extends Item, Pick<Question, 'images' | 'echo'>, Pick<Turn, 'outcome' | 'usage'> {
  role: 'user' | 'assistant';
  run: number;
  stamp?: Question['context'];
}

/** A removed item with the `updated` and `run` of its last version; the oldest files have no run. */
type LegacyRemoval = readonly [id: string, updated: number, run?: number];

export type LegacyRecord = { kind: 'item'; item: LegacyItem } | { kind: 'gone'; items: readonly LegacyRemoval[] };

const item = shape({
  ...itemFields,
  role: oneOf('user', 'assistant'),
  run: number,
  images: maybe(listOf(image)),
  stamp: maybe(questionContext),
  echo: maybe(text),
  outcome: maybe(outcome),
  usage: maybe(usage),
});
const removal: Check = (value) => Array.isArray(value) && text(value[0]) && number(value[1]) && maybe(number)(value[2]);

export const legacyRecords: Record<LegacyRecord['kind'], Check> = {
  item: shape({ item }),
  gone: shape({ items: listOf(removal) }),
};
export const isLegacyItem = (value: unknown): value is LegacyItem => item(value);

/** Merges the flat items of a file. */
export class LegacyItems {
  readonly #items = new Map<string, { item: LegacyItem; bytes: number }>();
  readonly #removed = new Map<string, LegacyRemoval>();

  add(record: LegacyRecord, bytes: number): void {
    if (record.kind === 'item') this.#add(record.item, bytes);
    else for (const removal of record.items) this.#remove(removal);
  }

  #add(item: LegacyItem, bytes: number): void {
    const known = this.#items.get(item.id);
    const removed = this.#removed.get(item.id);
    if ((removed && since(item, removed) < 0) || (known && !supersedes(item, known.item))) return;
    this.#items.set(item.id, { item, bytes });
  }

  #remove(removal: LegacyRemoval): void {
    const [id, updated, run] = removal;
    const before = this.#removed.get(id);
    if (before === undefined || since({ updated, run }, before) >= 0) this.#removed.set(id, removal);
    const known = this.#items.get(id);
    if (known && since(known.item, removal) <= 0) this.#items.delete(id);
  }

  /** Total bytes of the newest version of each item. */
  get bytes(): number {
    return [...this.#items.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get turns(): Turn[] {
    return legacyTurns([...this.#items.values()].map(({ item }) => item));
  }
}

/**
 * @returns a negative number if the version is older than the removed one. Compares runs first: they only increase,
 * while clocks may go back.
 */
const since = (version: { updated: number; run: number | undefined }, [, updated, run]: LegacyRemoval): number =>
  (version.run === undefined || run === undefined ? 0 : version.run - run) || version.updated - updated;

/** Separates an id that was reused in a later turn from the number of its run; may occur more than once. */
const OF_RUN = ' of run ';
const RUN = /^-?[\d.]+(?:e[-+]?\d+)?$/;

/** @returns the id without its run suffixes */
function withoutRuns(id: string): string {
  const at = id.lastIndexOf(OF_RUN);
  return at >= 0 && RUN.test(id.slice(at + OF_RUN.length)) ? withoutRuns(id.slice(0, at)) : id;
}

/** @returns the flat items grouped into turns, in order */
export function legacyTurns(items: readonly LegacyItem[]): Turn[] {
  const turns = new Map<string, Turn & { items: Item[] }>();
  let turn: (Turn & { items: Item[] }) | undefined;
  for (const item of ordered(items)) {
    const { role, run: _run, images, stamp: context, echo, outcome: ended, usage: used, ...rest } = item;
    const name = withoutRuns(item.id);
    if (role === 'assistant') {
      if (turn === undefined) {
        turn = { id: '', items: [] };
        turns.set(turn.id, turn);
      }
      const id = turn.items.some((other) => other.id === name) ? item.id : name;
      turn.items.push({ ...rest, id });
      continue;
    }
    const id = turns.has(name) ? item.id : name;
    const question: Question = { id, content: item.content, time: item.time };
    if (images) question.images = images;
    if (context) question.context = context;
    if (echo !== undefined) question.echo = echo;
    turn = { id, question, items: [], ...(ended ? { outcome: ended } : {}), ...(used ? { usage: used } : {}) };
    turns.set(id, turn);
  }
  return [...turns.values()];
}

/**
 * Sorts by run, then by `sort`. Two windows may have used the same run number in one thread: if a run has several
 * questions from this extension, other items are assigned to the latest question before them.
 */
function ordered(items: readonly LegacyItem[]): LegacyItem[] {
  const asked = Map.groupBy(
    items.filter((item) => item.stamp).sort((a, b) => a.time - b.time),
    ({ run }) => run,
  );
  const turnOf = ({ run, time }: LegacyItem): number => {
    const questions = asked.get(run) ?? [];
    const last = questions.findLastIndex((question) => question.time <= time);
    return Math.max(0, last);
  };
  return items.toSorted((a, b) => a.run - b.run || turnOf(a) - turnOf(b) || a.sort - b.sort);
}
