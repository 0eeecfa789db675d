/** What the page shows: a replica of the thread. What is meant for one part of the page goes on to that part. */
import { isToWebview, assertNever, type Draft, type ToWebview } from '../../src/shared/protocol/chat.ts';
import type { Thread, ThreadEvent } from '../../src/shared/thread/model.ts';
import { isRunning } from '../../src/shared/thread/turns.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { oncePerFrame } from './frame.ts';
import { onHostMessage, post, readState, saveState } from './host.ts';
import { announce, compose, focusOn, parts } from './lazy.ts';
import { advance, type Replica } from './replica.ts';

export interface ViewState extends Replica {
  /** Changes with each thread that is shown, so that what belongs to the last one goes. */
  draft: Draft;
}

let state: ViewState | undefined;
/** The number of the events that were drawn last. */
let drawnSeq = 0;
let draw: (state: ViewState) => void = () => undefined;

/** @param view draws a state; called at most once per frame */
export function start(view: (state: ViewState) => void): void {
  draw = view;
  onHostMessage((message) => {
    if (isToWebview(message)) take(message);
  });
  // A page that was hidden may have missed events without being dropped.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) post({ type: 'needSnapshot' });
  });
  post({ type: 'ready' });
}

/** @param awaited whether it is something of an answer: its first words are not to miss a frame */
function change(next: ViewState, awaited = false): void {
  state = next;
  redraw(awaited);
}

const redraw = oncePerFrame(() => {
  if (!state) return;
  const { seq } = state;
  draw(state);
  if (drawnSeq === seq) return;
  drawnSeq = seq;
  post({ type: 'drawn', seq });
});

function take(message: ToWebview): void {
  switch (message.type) {
    case 'snapshot':
    case 'events':
    case 'rows':
    case 'surroundings':
      takeThread(message);
      return;
    case 'threads':
      parts.threads?.(message);
      return;
    case 'compose':
      compose(message.draft);
      return;
    case 'draft':
      parts.composer?.onDraft(message.draft);
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

/** Takes what is said of the thread. */
function takeThread(message: ToWebview): void {
  const before = state;
  const replica = advance(before, message);
  if (replica === 'gap') return post({ type: 'needSnapshot' });
  if (!replica) return;
  if (message.type === 'snapshot') {
    drawnSeq = message.seq;
    // By this a tab finds its thread after a restart.
    if (readState()?.threadId !== replica.thread.id) saveState({ threadId: replica.thread.id });
    const draft = before?.thread.id === replica.thread.id ? before.draft : message.draft;
    return change({ ...replica, draft });
  }
  if (!before) return;
  if (message.type !== 'events') return change({ ...before, ...replica });
  change(
    { ...before, ...replica },
    message.events.some(({ type }) => type === 'line'),
  );
  const said = announcementFor(before.thread, replica.thread, message.events);
  if (said !== undefined) announce(said);
  for (const event of message.events) if (event.type === 'sent') parts.composer?.onSent(event.text);
}

/** Start and end are worth saying; failures are alerts and speak for themselves. */
function announcementFor(before: Thread, after: Thread, events: readonly ThreadEvent[]): string | undefined {
  if (!isRunning(before) && isRunning(after)) return t('Answer started');
  // A short answer may have come whole, from its question to its end.
  const wasRunning = isRunning(before) || events.some(({ type }) => type === 'sent' || type === 'resumed');
  if (!wasRunning || isRunning(after) || after.status === 'error') return undefined;
  const outcome = after.turns.findLast(({ id }) => id === after.messageId)?.outcome;
  return outcome?.state === 'stopped' ? t('Stopped') : t('Answer finished');
}
