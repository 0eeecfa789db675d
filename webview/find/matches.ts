/** Finds text in a thread. Searches the model rather than the page, where most of the thread may not be rendered. */
import type { ViewContext } from '../../src/shared/protocol/chat.ts';
import type { ShownTurn } from '../../src/shared/thread/turns.ts';
import { partKey, partsOf, textOf, type PartKind } from './parts.ts';

/** A part of a turn that contains the text. */
export interface PartMatches {
  /** Index of the turn. */
  turn: number;
  itemId: string;
  kind: PartKind;
  key: string;
  /** Number of matches in the part. */
  count: number;
}

/** A match: the key of its part, and its index among the matches there. */
export interface MatchPosition {
  key: string;
  index: number;
}

/**
 * @returns a pattern that matches the query literally, ignoring case and the amount of white space between words;
 *   `undefined` for an empty query
 */
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

type Counted = readonly Omit<PartMatches, 'turn'>[];
const known = new WeakMap<ShownTurn, { by: string; found: Counted }>();

function foundInTurn(turn: ShownTurn, pattern: RegExp, show: ViewContext['showThinking']): Counted {
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
 * Extracts and caches the texts of turns, starting with the last one. This takes a while for a long thread, so it can
 * be done in several calls.
 * @param until deadline, on the clock of `performance.now()`
 * @returns whether the texts of all turns are cached
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
 * Searches the turns whose texts are cached. The result of an unchanged turn is cached for the last query.
 * @returns every part that contains the text, in display order
 */
export function findIn(turns: readonly ShownTurn[], pattern: RegExp, show: ViewContext['showThinking']): PartMatches[] {
  return turns.flatMap((turn, index) =>
    readTurns.has(turn) ? foundInTurn(turn, pattern, show).map((found) => ({ ...found, turn: index })) : [],
  );
}

export const totalOf = (found: readonly PartMatches[]): number => found.reduce((sum, { count }) => sum + count, 0);

/** @returns the number of a match among all, from 1; 0 if it no longer exists */
export function matchNumber(found: readonly PartMatches[], place: MatchPosition | undefined): number {
  let before = 0;
  for (const { key, count } of found) {
    if (key === place?.key) return place.index < count ? before + place.index + 1 : 0;
    before += count;
  }
  return 0;
}

/** @returns the match with this number, from 1; numbers beyond the ends wrap around */
export function placeAt(found: readonly PartMatches[], number: number): MatchPosition | undefined {
  const total = totalOf(found);
  if (total === 0) return undefined;
  let rest = (((number - 1) % total) + total) % total;
  for (const { key, count } of found) {
    if (rest < count) return { key, index: rest };
    rest -= count;
  }
  return undefined;
}

/** @returns the first match from a turn on, otherwise the last one of the thread */
export function nearest(found: readonly PartMatches[], turn: number): MatchPosition | undefined {
  const next = found.find((one) => one.turn >= turn);
  return next ? { key: next.key, index: 0 } : placeAt(found, 0);
}
