/** What the list of threads in a view is told, and what can be done with a thread in it. */

/** `[start, end)` in a text, in UTF-16 units. */
export type Mark = readonly [start: number, end: number];

/** A thread as the list shows it: never anything of its contents but what a search has found. */
export interface ThreadEntry {
  id: string;
  title: string;
  /** Unix milliseconds of the last change. */
  time: number;
  /** Branch of the last question, and the connection where there are several. */
  where: string;
  pinned: boolean;
  running: boolean;
  /** An answer has ended in it that nobody has looked at. */
  unseen: boolean;
  /** What was searched for, in the title. */
  marks: readonly Mark[];
  /** Where else it was found. */
  snippet?: { text: string; marks: readonly Mark[] };
}

export type ThreadAct = 'open' | 'openInTab' | 'pin' | 'unpin' | 'remove' | 'bringBack' | 'export' | 'stop';

/** A part of the list. */
export interface ThreadsPart {
  /** What was asked for; empty for all threads. */
  query: string;
  /** The place in the list from which on these entries stand; those before stay as they are. */
  from: number;
  entries: readonly ThreadEntry[];
  /** How many there are in all; while a search goes on, how many have been found. */
  total: number;
  /** More is still being looked for. */
  busy: boolean;
}

const acts: Record<ThreadAct, true> = {
  open: true,
  openInTab: true,
  pin: true,
  unpin: true,
  remove: true,
  bringBack: true,
  export: true,
  stop: true,
};

export const isThreadAct = (value: unknown): value is ThreadAct =>
  typeof value === 'string' && Object.hasOwn(acts, value);
