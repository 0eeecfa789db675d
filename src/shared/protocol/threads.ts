/** The thread list of a view: its entries, and the actions on them. */

/** A range `[start, end)` of a text, in UTF-16 code units. */
export type Mark = readonly [start: number, end: number];

/** An entry of the thread list. It contains none of the thread's content except a search snippet. */
export interface ThreadEntry {
  id: string;
  title: string;
  /** Unix milliseconds of the last change. */
  time: number;
  /** Branch of the last question; the connection too if there are several. */
  where: string;
  pinned: boolean;
  running: boolean;
  /** The thread has an unread answer. */
  unread: boolean;
  /** Search matches in the title. */
  marks: readonly Mark[];
  /** Search matches in the content. */
  snippet?: { text: string; marks: readonly Mark[] };
}

export type ThreadAct = 'open' | 'openInTab' | 'pin' | 'unpin' | 'remove' | 'bringBack' | 'export' | 'stop';

/** A contiguous part of the list. */
export interface ThreadsPart {
  /** The search query; empty for all threads. */
  query: string;
  /** Index of the first entry in the list; the entries before it are unchanged. */
  from: number;
  entries: readonly ThreadEntry[];
  /** Number of entries in the whole list; while a search runs, the number of hits so far. */
  total: number;
  /** The search is still running. */
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
