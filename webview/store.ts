/** What the page shows: a replica of the thread, kept in step by running the host's own reducer on its events. */
import type { Column } from '../src/shared/payloads.ts';
import {
  isToWebview,
  assertNever,
  type Draft,
  type FocusTarget,
  type LoadState,
  type Surroundings,
  type ToWebview,
} from '../src/shared/protocol.ts';
import { reduceAll } from '../src/shared/reduce.ts';
import type { Thread, ThreadEvent } from '../src/shared/thread.ts';
import type { ThreadsPart } from '../src/shared/threadsProtocol.ts';
import { t, useBundle } from '../src/shared/l10n.ts';
import { post, readState, saveState } from './host.ts';

export interface ViewState {
  thread: Thread;
  around: Surroundings;
  /** Changes with each thread that is shown, so that what belongs to the last one goes. */
  draft: Draft;
  /** What a screen reader is told; the number makes a repeated text a new one. */
  announcement: { text: string; number: number };
  /** Rows that were loaded beyond those of the tool results, by tool call. */
  loaded: ReadonlyMap<string, LoadedRows>;
}

export interface LoadedRows {
  columns: readonly Column[];
  /** Grows in place: a copy of it with each batch would cost more than all the rest. */
  rows: (readonly unknown[])[];
  state: LoadState;
}

/** Things that happen to the composer rather than being a state of it. */
export interface ComposerEvents {
  onCompose(draft: Draft): void;
  /** A message was sent; when it had come back to the composer, it leaves it again. */
  onSent(text: string): void;
  onDraft(draft: Draft): void;
}

let state: ViewState | undefined;
let seq = 0;
/** The number of the events that were drawn last. */
let drawnSeq = 0;
let drawing = false;
let draw: (state: ViewState) => void = () => undefined;
let composer: ComposerEvents | undefined;
/** For a composer that is not drawn yet. */
let drafts: Draft[] = [];
/** What takes the keyboard, by its name; a wish that comes before it is there waits for it. */
const focusable = new Map<FocusTarget, () => void>();
let wished: FocusTarget | undefined;
let takeThreads: ((part: ThreadsPart) => void) | undefined;

/** @param view draws a state; called at most once per frame */
export function start(view: (state: ViewState) => void): void {
  draw = view;
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isToWebview(data)) take(data);
  });
  // A page that was hidden may have missed events without being dropped.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) post({ type: 'needSnapshot' });
  });
  post({ type: 'ready' });
}

/** Lets the composer hear of what is meant for it. */
export function attachComposer(events: ComposerEvents): () => void {
  composer = events;
  const waiting = drafts;
  drafts = [];
  for (const draft of waiting) events.onCompose(draft);
  return () => {
    if (composer === events) composer = undefined;
  };
}

/** Has something take the keyboard whenever the host, or another part of the page, gives it the keyboard. */
export function attachFocus(what: FocusTarget, take: () => void): () => void {
  focusable.set(what, take);
  if (wished === what) focusOn(what);
  return () => {
    if (focusable.get(what) === take) focusable.delete(what);
  };
}

/** Lets the list of threads hear of its parts. */
export function attachThreads(take: (part: ThreadsPart) => void): () => void {
  takeThreads = take;
  return () => {
    if (takeThreads === take) takeThreads = undefined;
  };
}

/** Gives the keyboard to a part of the page. */
export function focusOn(what: FocusTarget): void {
  const take = focusable.get(what);
  wished = take ? undefined : what;
  take?.();
}

/** Puts something into the composer. */
export function compose(draft: Draft): void {
  if (composer) composer.onCompose(draft);
  else drafts.push(draft);
}

export function announce(text: string): void {
  if (state) change({ ...state, announcement: { text, number: state.announcement.number + 1 } });
}

function change(next: ViewState): void {
  state = next;
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    if (state) draw(state);
    if (drawnSeq === seq) return;
    drawnSeq = seq;
    post({ type: 'drawn', seq });
  });
}

function take(message: ToWebview): void {
  switch (message.type) {
    case 'snapshot': {
      useBundle(message.l10n, document.documentElement.lang);
      seq = drawnSeq = message.seq;
      // By this a tab finds its thread after a restart.
      if (readState()?.threadId !== message.thread.id) saveState({ threadId: message.thread.id });
      const same = state?.thread.id === message.thread.id;
      change({
        thread: message.thread,
        around: message.around,
        draft: same && state ? state.draft : message.draft,
        announcement: state?.announcement ?? { text: '', number: 0 },
        loaded: same && state ? state.loaded : new Map<string, LoadedRows>(),
      });
      return;
    }
    case 'events': {
      if (!state) return;
      if (message.seq !== seq + 1) {
        post({ type: 'needSnapshot' });
        return;
      }
      seq = message.seq;
      const thread = reduceAll(state.thread, message.events);
      const said = announcementFor(state.thread, thread, message.events);
      const announcement =
        said === undefined ? state.announcement : { text: said, number: state.announcement.number + 1 };
      change({ ...state, thread, announcement });
      for (const event of message.events) if (event.type === 'sent') composer?.onSent(event.text);
      return;
    }
    case 'rows':
      if (state) change({ ...state, loaded: withRows(state.loaded, message) });
      return;
    case 'threads':
      takeThreads?.(message);
      return;
    case 'surroundings':
      if (state) change({ ...state, around: message.around });
      return;
    case 'compose':
      compose(message.draft);
      return;
    case 'draft':
      composer?.onDraft(message.draft);
      return;
    case 'focus':
      focusOn(message.what);
      return;
    case 'ping':
      post({ type: 'pong', id: message.id });
      return;
    default:
      assertNever(message);
  }
}

/** @returns the loaded rows with those of one more message */
export function withRows(
  loaded: ReadonlyMap<string, LoadedRows>,
  { toolCallId, columns, rows, state }: Extract<ToWebview, { type: 'rows' }>,
): ReadonlyMap<string, LoadedRows> {
  const before = loaded.get(toolCallId);
  const going = before?.state === 'loading' ? before : undefined;
  const all = going?.rows ?? [];
  for (const row of rows) all.push(row);
  return new Map(loaded).set(toolCallId, { columns: going?.columns ?? columns, rows: all, state });
}

const busy = (thread: Thread): boolean => thread.status === 'submitted' || thread.status === 'streaming';

/** Start and end are worth saying; failures are alerts and speak for themselves. */
function announcementFor(before: Thread, after: Thread, events: readonly ThreadEvent[]): string | undefined {
  if (!busy(before) && busy(after)) return t('Answer started');
  // A short answer may have come whole, from its question to its end.
  const wasBusy = busy(before) || events.some(({ type }) => type === 'sent' || type === 'resumed');
  if (!wasBusy || busy(after) || after.status === 'error') return undefined;
  const outcome = after.items.findLast(({ id }) => id === after.messageId)?.outcome;
  return outcome?.state === 'stopped' ? t('Stopped') : t('Answer finished');
}
