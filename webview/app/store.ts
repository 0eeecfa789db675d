/** Holds the state of the chat view, a replica of the thread, and dispatches the host's messages. */
import {
  isToWebview,
  assertNever,
  type Draft,
  type FocusTarget,
  type ToWebview,
} from '../../src/shared/protocol/chat.ts';
import type { Thread, ThreadEvent } from '../../src/shared/thread/model.ts';
import { isRunning } from '../../src/shared/thread/turns.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { oncePerFrame } from './frame.ts';
import { onHostMessage, post, readState, saveState } from './host.ts';
import { announce, compose, focusOn, mounted } from './mounted.ts';
import { advance, type Replica } from './replica.ts';

export interface ViewState extends Replica {
  /** The initial draft of the composer; replaced only when another thread is shown. */
  draft: Draft;
}

let state: ViewState | undefined;
/** Sequence number of the last rendered batch of events. */
let drawnSeq = 0;
let draw: (state: ViewState) => void = () => undefined;
/** An announcement about the current state; made once that state is rendered. */
let news: string | undefined;
/** What gets the focus once the current state is rendered, which may replace the focused control. */
let focusNext: FocusTarget | undefined;

/** @param view renders a state; called at most once per frame */
export function startStore(view: (state: ViewState) => void): void {
  draw = view;
  onHostMessage((message) => {
    if (isToWebview(message)) receive(message);
  });
  // A hidden page gets no events but may be kept.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) post({ type: 'needSnapshot' });
  });
  post({ type: 'ready' });
}

/** @param awaited whether it contains a part of an answer, whose first words should be shown without a frame's delay */
function change(next: ViewState, awaited = false): void {
  state = next;
  redraw(awaited);
}

const redraw = oncePerFrame(() => {
  if (!state) return;
  const { seq } = state;
  draw(state);
  if (news !== undefined) announce(news);
  news = undefined;
  if (focusNext) focusOn(focusNext);
  focusNext = undefined;
  if (drawnSeq === seq) return;
  drawnSeq = seq;
  post({ type: 'drawn', seq });
});

function receive(message: ToWebview): void {
  switch (message.type) {
    case 'snapshot':
    case 'events':
    case 'rows':
    case 'viewContext':
      applyThread(message);
      return;
    case 'threads':
      mounted.threads?.(message);
      return;
    case 'compose':
      compose(message.draft);
      return;
    case 'draft':
      mounted.composer?.onDraft(message.draft);
      return;
    case 'files':
      mounted.composer?.onFiles(message.files);
      return;
    case 'focus':
      // The history covers the composer.
      if (message.what === 'composer') mounted.closeHistory?.();
      focusNext = message.what;
      return redraw();
    case 'ping':
      post({ type: 'pong' });
      return;
    default:
      assertNever(message);
  }
}

/** Applies a message that concerns the thread. */
function applyThread(message: ToWebview): void {
  const before = state;
  const replica = advance(before, message);
  if (replica === 'gap') return post({ type: 'needSnapshot' });
  if (!replica) return;
  if (message.type === 'snapshot') {
    drawnSeq = message.seq;
    // Lets VS Code restore the tab with its thread after a restart.
    if (readState().threadId !== replica.thread.id) saveState({ threadId: replica.thread.id });
    const draft = before?.thread.id === replica.thread.id ? before.draft : message.draft;
    return change({ ...replica, draft });
  }
  if (!before) return;
  if (message.type !== 'events') return change({ ...before, ...replica });
  change(
    { ...before, ...replica },
    message.events.some(({ type }) => type === 'line'),
  );
  news = announcementFor(before.thread, replica.thread, message.events) ?? news;
  for (const event of message.events) if (event.type === 'sent') mounted.composer?.onSent(event);
}

/** Announces start and end only: failures are shown as alerts, which are announced anyway. */
function announcementFor(before: Thread, after: Thread, events: readonly ThreadEvent[]): string | undefined {
  if (!isRunning(before) && isRunning(after)) return t('Answer started');
  // A short answer may start and end within one batch.
  const wasRunning = isRunning(before) || events.some(({ type }) => type === 'sent' || type === 'resumed');
  if (!wasRunning || isRunning(after) || after.status === 'error') return undefined;
  const outcome = after.turns.findLast(({ id }) => id === after.messageId)?.outcome;
  return outcome?.state === 'stopped' ? t('Stopped') : t('Answer finished');
}
