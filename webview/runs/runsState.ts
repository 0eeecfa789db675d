/** Holds the state of the page of a run, and exchanges its messages with the host. */
import { isToRuns, type FromRuns, type RunPage, type ToRuns } from '../../src/shared/protocol/runs.ts';
import { assertNever } from '../../src/shared/protocol/chat.ts';
import { useBundle } from '../../src/shared/text/l10n.ts';
import { oncePerFrame } from '../app/frame.ts';
import { onHostMessage, postRaw, readState, saveState } from '../app/host.ts';
import type { Post } from '../app/post.ts';
import { advance, type Replica } from '../app/replica.ts';

export interface RunsState {
  page: RunPage;
  /** The threads of the sides; undefined until the first snapshot. */
  replicas: readonly (Replica | undefined)[];
}

let state: RunsState | undefined;
let remember: unknown;
/** By context: posts messages about its thread. */
const posts: Post[] = [];
/** Sequence number of the last rendered batch of events, by context. */
const drawnSeq: (number | undefined)[] = [];
let draw: (state: RunsState) => void = () => undefined;

export const postRuns = (message: FromRuns): void => postRaw(message);

/** @returns the same function for the same context */
export const postTo = (context: number): Post =>
  (posts[context] ??= (message) => postRuns({ type: 'side', context, message }));

/** @param view renders a state; called at most once per frame */
export function startRuns(view: (state: RunsState) => void): void {
  draw = view;
  onHostMessage((message) => {
    if (isToRuns(message)) receive(message);
  });
  // A hidden page gets no events but may be kept.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) postRuns({ type: 'ready' });
  });
  postRuns({ type: 'ready' });
}

function receive(message: ToRuns): void {
  if (message.type === 'runs') {
    useBundle(message.l10n, document.documentElement.lang);
    const { page } = message;
    const isNew = state === undefined;
    ({ remember } = message);
    state = { page, replicas: state?.replicas ?? page.contexts.map(() => undefined) };
    if (page.hasSides && (isNew || !document.hidden))
      page.contexts.forEach((_, context) => postTo(context)({ type: 'ready' }));
  } else if (state) state = next(state, message);
  redraw();
}

function next(before: RunsState, message: Exclude<ToRuns, { type: 'runs' }>): RunsState {
  const { page, replicas } = before;
  switch (message.type) {
    case 'row':
      return { ...before, page: { ...page, rows: page.rows.with(message.index, message.row) } };
    case 'page':
      return { ...before, page: { ...page, ...message.change } };
    case 'side': {
      const { context } = message;
      const replica = advance(replicas[context], message.message);
      if (replica !== 'gap') return { ...before, replicas: replicas.with(context, replica) };
      postTo(context)({ type: 'needSnapshot' });
      return before;
    }
    default:
      return assertNever(message);
  }
}

/** Saves what the tab is restored from, and with it the page itself: a restart ends the run. */
export function save(filter = readState().filter): void {
  if (!state) return;
  const { hasSides, rows, comparison } = state.page;
  saveState(hasSides ? { remember } : { remember, filter, rows, comparison });
}

const redraw = oncePerFrame(() => {
  if (!state) return;
  draw(state);
  if (!state.page.isRunning) save();
  state.replicas.forEach((replica, context) => {
    if (replica === undefined || drawnSeq[context] === replica.seq) return;
    drawnSeq[context] = replica.seq;
    postTo(context)({ type: 'drawn', seq: replica.seq });
  });
});
