/** The log of a thread. Renders the last turns first, and others as the reader scrolls to them. */
import { Icon } from '../ui/Icon.tsx';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewContext } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { Thread } from '../../src/shared/thread/model.ts';
import { isRunning, shownTurns } from '../../src/shared/thread/turns.ts';
import { FindBar } from '../find/FindBar.tsx';
import { FoundPart, useFind } from '../find/useFind.ts';
import type { Replica } from '../app/replica.ts';
import { attachFocus, focusOn } from '../app/mounted.ts';
import { Edge } from '../ui/Edge.tsx';
import { isComposing, isField } from '../ui/dom.ts';
import { ErrorAlert } from './ErrorAlert.tsx';
import { FirstScreen, isEmpty } from './FirstScreen.tsx';
import { firstInSight, Follow, placeSaver, savedPlace, scrollTopOf } from './follow.ts';
import { TurnView } from './TurnView.tsx';
import { atEnd, drawn, spanAround, withEarlier, withLater, withNew, type TurnSpan } from './turnWindow.ts';
import './conversation.css';

interface ConversationProps {
  thread: Thread;
  viewContext: ViewContext;
  loaded: Replica['loaded'];
  /** A text to find and reveal when the thread is shown. */
  sought: string | undefined;
  onSought: () => void;
}

export const Conversation = ({ thread, viewContext, loaded, sought, onSought }: ConversationProps) => {
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follow = useRef<Follow | undefined>(undefined);
  const running = isRunning(thread);
  const turns = useMemo(() => shownTurns(thread), [thread.turns, thread.response, running]);
  const [place] = useState(() => savedPlace(thread.id));
  const [following, setFollowing] = useState(true);
  const [span, setSpan] = useState<TurnSpan>(() => {
    const at = place ? turns.findIndex(({ id }) => id === place.turn) : -1;
    return at < 0 ? atEnd : spanAround(atEnd, at, turns.length);
  });
  const [count, setCount] = useState(turns.length);
  if (count !== turns.length) {
    setCount(turns.length);
    setSpan((now) => withNew(now, count, turns.length));
  }
  const seen = useRef(0);
  /** Id of the last question, and ids of all messages that have been queued. */
  const last = useRef({ asked: thread.messageId, queued: new Set<string>() }).current;
  const { from, to } = drawn(span, turns.length);
  const hasEnd = useRef(true);
  hasEnd.current = to === turns.length;
  if (following) seen.current = turns.length;
  const unread = turns.length - seen.current;
  const isReading = useCallback(() => follow.current?.following === false, []);

  useLayoutEffect(() => {
    if (!log.current || !content.current) return undefined;
    const created = new Follow(log.current, content.current, setFollowing, () => hasEnd.current);
    follow.current = created;
    created.settle();
    const { current: box } = log;
    if (place) created.hold(() => scrollTopOf(box, place));
    const save = placeSaver(thread.id, box, isReading);
    box.addEventListener('scroll', save, { passive: true });
    return () => created.dispose();
  }, []);
  const goToEnd = (): void => {
    setSpan((before) => ('tail' in before ? before : atEnd));
    follow.current?.resume();
  };
  // Go to a new question, unless it was queued: the reader may have scrolled elsewhere since.
  useLayoutEffect(() => {
    for (const { id } of thread.queue) last.queued.add(id);
    if (last.asked === thread.messageId) return;
    last.asked = thread.messageId;
    if (!last.queued.has(turns.at(-1)?.question?.id ?? '')) goToEnd();
  }, [thread]);
  useLayoutEffect(() => follow.current?.settle());

  const latest = unread > 0 ? t('Jump to latest ({0})', unread) : t('Jump to latest');
  const toEnd = (): void => {
    goToEnd();
    // The button unmounts: move the focus to the log.
    log.current?.focus();
  };

  const [asked, setAsked] = useState(0);
  const before = useRef<Element | null>(null);
  const look = useRef((_query: string): void => undefined);
  useEffect(
    () =>
      attachFocus('find', () => {
        if (!document.activeElement?.closest('.find')) before.current = document.activeElement;
        setAsked((times) => times + 1);
        const chosen = getSelection()?.toString().trim() ?? '';
        if (chosen !== '' && !chosen.includes('\n') && !isField(document.activeElement)) look.current(chosen);
      }),
    [],
  );
  const find = useFind({
    open: asked > 0,
    turns,
    show: viewContext.showThinking,
    log,
    content,
    firstInSight: () => from + (log.current ? Math.max(0, firstInSight(log.current)) : 0),
    draw: (turn) => {
      // If the whole log is visible, finding a match scrolls nothing: keep following.
      if (log.current && log.current.scrollHeight > log.current.clientHeight) follow.current?.stop();
      setSpan((now) => spanAround(now, turn, turns.length));
    },
  });
  look.current = find.look;
  useEffect(() => {
    if (sought === undefined) return;
    // The highlights are created after the find bar has opened.
    if (asked === 0) return setAsked(1);
    find.look(sought);
    onSought();
  }, [sought, asked]);
  const closeFind = (): void => {
    setAsked(0);
    if (!document.activeElement?.closest('.find')) return;
    const element = before.current;
    if (element instanceof HTMLElement && element.isConnected && element !== document.body) element.focus();
    else focusOn('composer');
  };

  return (
    <div
      class="conversation"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || asked === 0 || isComposing(event)) return;
        event.preventDefault();
        event.stopPropagation();
        closeFind();
      }}
    >
      {asked > 0 ? <FindBar find={find} asked={asked} onClose={closeFind} /> : null}
      <div class="log" role="log" aria-label={t('Conversation')} aria-live="off" tabIndex={0} ref={log}>
        <FoundPart.Provider value={asked > 0 ? find.part : undefined}>
          <div class="log-content" ref={content}>
            {from > 0 ? (
              <Edge key={`above ${from}`} log={log} onReach={() => setSpan((now) => withEarlier(now, turns.length))} />
            ) : null}
            {isEmpty(thread) ? <FirstScreen viewContext={viewContext} /> : null}
            {turns.slice(from, to).map((turn, index) => {
              const isLast = from + index === turns.length - 1;
              return (
                <TurnView
                  key={turn.id}
                  turn={turn}
                  viewContext={viewContext}
                  loaded={loaded}
                  running={running && isLast}
                  reconnecting={isLast ? thread.reconnecting : undefined}
                  isLast={isLast}
                  past={!isLast}
                  previousContext={turns[from + index - 1]?.question?.context}
                  isReading={isReading}
                />
              );
            })}
            {to < turns.length ? (
              <Edge key={`below ${to}`} log={log} onReach={() => setSpan((now) => withLater(now, turns.length))} />
            ) : null}
            {thread.error && to === turns.length ? <ErrorAlert error={thread.error} /> : null}
          </div>
        </FoundPart.Provider>
      </div>
      {following || isEmpty(thread) ? null : (
        <button class="jump" type="button" aria-label={latest} title={latest} onClick={toEnd}>
          <Icon icon="chevron-down" />
          {unread > 0 ? unread : null}
        </button>
      )}
    </div>
  );
};
