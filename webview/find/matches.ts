/** Where a text occurs in a thread: counted in the thread itself, for most of it may not be on the page. */
import type { Surroundings } from '../../src/shared/protocol/chat.ts';
import type { ShownTurn } from '../../src/shared/thread/turns.ts';
import { partKey, partsOf, textOf, type PartKind } from './parts.ts';

/** A piece of the thread in which the text occurs. */
export interface Found {
  /** Index of its turn. */
  turn: number;
  itemId: string;
  kind: PartKind;
  key: string;
  /** How often the text occurs in it. */
  count: number;
}

/** One occurrence: of a piece, the so-and-so-many-eth. */
export interface Place {
  key: string;
  index: number;
}

/** @returns matches the query wherever it stands, in any case and over any blanks; `undefined` for an empty query */
export function patternFor(query: string): RegExp | undefined {
  if (query.trim() === '') return undefined;
  const literal = query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/gu, '[^\\S\\n]+');
  return new RegExp(literal, 'giu');
}

function countIn(text: string, pattern: RegExp): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.exec(text) !== null) count += 1;
  return count;
}

type Counted = readonly Omit<Found, 'turn'>[];
const known = new WeakMap<ShownTurn, { by: string; found: Counted }>();

function foundInTurn(turn: ShownTurn, pattern: RegExp, show: Surroundings['showThinking']): Counted {
  const by = `${show} ${pattern.source}`;
  const before = known.get(turn);
  if (before?.by === by) return before.found;
  const found = partsOf(turn, show).flatMap((part) => {
    const count = countIn(textOf(part), pattern);
    const { item, kind } = part;
    return count > 0 ? [{ itemId: item.id, kind, key: partKey(item, kind), count }] : [];
  });
  known.set(turn, { by, found });
  return found;
}

const readTurns = new WeakSet<ShownTurn>();

/**
 * Reads the texts of turns, the last one first, which takes a while for a long thread and is done once for each.
 * @param until when to stop, on the clock of `performance.now()`
 * @returns whether all are read
 */
export function readTexts(turns: readonly ShownTurn[], until: number): boolean {
  for (const turn of turns.toReversed()) {
    if (readTurns.has(turn)) continue;
    if (performance.now() > until) return false;
    for (const part of partsOf(turn, 'expanded')) textOf(part);
    readTurns.add(turn);
  }
  return true;
}

/**
 * Looks into the turns that have been read; one that has not changed since the last call with the same query costs
 * nothing.
 * @returns every piece with the text in it, in order
 */
export function findIn(turns: readonly ShownTurn[], pattern: RegExp, show: Surroundings['showThinking']): Found[] {
  return turns.flatMap((turn, index) =>
    readTurns.has(turn) ? foundInTurn(turn, pattern, show).map((found) => ({ ...found, turn: index })) : [],
  );
}

export const totalOf = (found: readonly Found[]): number => found.reduce((sum, { count }) => sum + count, 0);

/** @returns the number of an occurrence among all, from 1; 0 when it is not there any more */
export function numberOf(found: readonly Found[], place: Place | undefined): number {
  let before = 0;
  for (const { key, count } of found) {
    if (key === place?.key) return place.index < count ? before + place.index + 1 : 0;
    before += count;
  }
  return 0;
}

/** @returns the occurrence with this number, from 1; numbers beyond the ends go on at the other end */
export function placeAt(found: readonly Found[], number: number): Place | undefined {
  const total = totalOf(found);
  if (total === 0) return undefined;
  let rest = (((number - 1) % total) + total) % total;
  for (const { key, count } of found) {
    if (rest < count) return { key, index: rest };
    rest -= count;
  }
  return undefined;
}

/** @returns the first occurrence from a turn on, or else the last one before it */
export function nearest(found: readonly Found[], turn: number): Place | undefined {
  const next = found.find((one) => one.turn >= turn);
  return next ? { key: next.key, index: 0 } : placeAt(found, 0);
}
