/** State of finding in a conversation: the query, its matches and the current match. */
import { createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewContext } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { ShownTurn } from '../../src/shared/thread/turns.ts';
import { announce } from '../app/mounted.ts';
import { Highlights } from './highlights.ts';
import {
  findIn,
  nearest,
  matchNumber,
  patternFor,
  placeAt,
  readTexts,
  totalOf,
  type PartMatches,
  type MatchPosition,
} from './matches.ts';
import type { PartKind } from './parts.ts';

/** Milliseconds between two searches while an answer is streaming. */
const COUNT_EVERY = 150;
/** Milliseconds per frame that are spent on extracting the texts of a long thread. */
const READ_FOR = 8;
const NONE: readonly ShownTurn[] = [];

/** The part with the current match; folded elements that contain it unfold. */
export const FoundPart = createContext<PartMatches | undefined>(undefined);

/** @returns whether the current match is in a part of one of these kinds, of an item for which `holds` returns true */
export function useFoundIn(kinds: readonly PartKind[], holds: (itemId: string) => boolean): boolean {
  const found = useContext(FoundPart);
  return found !== undefined && kinds.includes(found.kind) && holds(found.itemId);
}

export interface Find {
  query: string;
  /** Number of matches in the texts that are extracted so far. */
  total: number;
  /** Whether texts of the conversation are still being extracted. */
  isReading: boolean;
  /** Number of the current match, from 1; 0 if there is none. */
  number: number;
  /** The part with the current match. */
  part: PartMatches | undefined;
  look(query: string): void;
  go(by: 1 | -1): void;
}

interface FindOptions {
  open: boolean;
  turns: readonly ShownTurn[];
  show: ViewContext['showThinking'];
  log: { current: HTMLElement | null };
  content: { current: HTMLElement | null };
  /** Returns the index of the first turn in view. */
  firstInSight: () => number;
  /** Renders a turn that contains the next match. */
  draw: (turn: number) => void;
}

export function useFind({ open, turns, show, log, content, firstInSight, draw }: FindOptions): Find {
  const [query, setQuery] = useState('');
  const [place, setPlace] = useState<MatchPosition>();
  const highlights = useRef<Highlights | undefined>(undefined);
  const latest = useSeldom(open ? turns : NONE, open ? COUNT_EVERY : 0);
  // The first search doesn't wait, or it would say for a moment that there are no results.
  const searched = open && latest === NONE ? turns : latest;
  const pattern = useMemo(() => (open ? patternFor(query) : undefined), [open, query]);
  const [round, setRound] = useState(0);
  const read = useRef(true);
  const found = useMemo(() => {
    read.current = readTexts(searched, performance.now() + READ_FOR);
    return pattern ? findIn(searched, pattern, show) : [];
  }, [searched, pattern, show, round]);
  /** Whether no match was found yet in the texts extracted so far; the first match will then be revealed. */
  const seeking = useRef(false);
  useEffect(() => {
    if (seeking.current && found.length > 0) {
      seeking.current = false;
      goTo(nearest(found, firstInSight()), found);
    }
    if (read.current) {
      seeking.current = false;
      return undefined;
    }
    const frame = requestAnimationFrame(() => setRound((rounds) => rounds + 1));
    return () => cancelAnimationFrame(frame);
  }, [found]);

  useLayoutEffect(() => {
    if (!open || !log.current || !content.current) return undefined;
    const created = new Highlights(log.current, content.current);
    highlights.current = created;
    return () => {
      highlights.current = undefined;
      created.dispose();
    };
  }, [open, log, content]);
  useLayoutEffect(() => highlights.current?.show(pattern, place), [open, pattern, place]);

  function goTo(next: MatchPosition | undefined, among: readonly PartMatches[]): void {
    setPlace(next);
    const part = among.find(({ key }) => key === next?.key);
    if (!part) return;
    draw(part.turn);
    highlights.current?.reveal();
  }
  return {
    query,
    total: totalOf(found),
    isReading: !read.current,
    number: matchNumber(found, place),
    part: found.find(({ key }) => key === place?.key),
    look(next) {
      setQuery(next);
      const wanted = patternFor(next);
      const all = readTexts(turns, performance.now() + READ_FOR);
      const among = wanted ? findIn(turns, wanted, show) : [];
      seeking.current = among.length === 0 && !all;
      const still = among.find(({ key }) => key === place?.key);
      goTo(still ? { key: still.key, index: 0 } : nearest(among, firstInSight()), among);
    },
    go(by) {
      const at = matchNumber(found, place);
      const next = at > 0 ? placeAt(found, at + by) : nearest(found, firstInSight());
      goTo(next, found);
      announce(next ? t('{0} of {1}', matchNumber(found, next), totalOf(found)) : t('No results'));
    },
  };
}

/** @returns the value, updated at most once per interval */
function useSeldom<T>(value: T, milliseconds: number): T {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  latest.current = value;
  useEffect(() => {
    if (value === shown) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setShown(latest.current);
    }, milliseconds);
  }, [value, shown, milliseconds]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return shown;
}
