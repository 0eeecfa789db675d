/** The log of a thread: its last turns first, earlier ones as the reader goes up to them. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Surroundings } from '../../src/shared/protocol.ts';
import { t } from '../../src/shared/l10n.ts';
import type { Thread } from '../../src/shared/thread.ts';
import { isRunning, turnsOf } from '../../src/shared/turns.ts';
import type { ViewState } from '../store.ts';
import { ErrorAlert } from './ErrorAlert.tsx';
import { FirstScreen } from './FirstScreen.tsx';
import { Follow } from './follow.ts';
import { placeSaver, savedPlace, scrollTopOf } from './place.ts';
import { TurnView } from './TurnView.tsx';
import './conversation.css';

/** Turns that are drawn at once, and that are added each time the reader reaches the upper end. */
const PAGE = 12;

interface ConversationProps {
  thread: Thread;
  around: Surroundings;
  loaded: ViewState['loaded'];
}

export const Conversation = ({ thread, around, loaded }: ConversationProps) => {
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const follow = useRef<Follow | undefined>(undefined);
  const turns = turnsOf(thread);
  const [place] = useState(() => savedPlace(thread.id));
  const [following, setFollowing] = useState(true);
  const [shown, setShown] = useState(() => {
    const at = place ? turns.findIndex(({ key }) => key === place.turn) : -1;
    return at < 0 ? PAGE : turns.length - at + PAGE;
  });
  const seen = useRef(0);
  /** The run that was drawn last, and all messages that have waited in the queue. */
  const drawn = useRef({ run: thread.run, queued: new Set<string>() }).current;
  const from = Math.max(0, turns.length - shown);
  const running = isRunning(thread);
  if (following) seen.current = turns.length;
  const unseen = turns.length - seen.current;
  const isReading = useCallback(() => follow.current?.following === false, []);

  useLayoutEffect(() => {
    if (!log.current || !content.current) return undefined;
    const created = new Follow(log.current, content.current, setFollowing);
    follow.current = created;
    created.settle();
    const { current: box } = log;
    if (place) created.hold(() => scrollTopOf(box, place));
    const save = placeSaver(thread.id, box, isReading);
    box.addEventListener('scroll', save, { passive: true });
    return () => created.dispose();
  }, []);
  // The reader's own question is where they want to be, unless it has waited for its turn meanwhile.
  useLayoutEffect(() => {
    for (const { id } of thread.queue) drawn.queued.add(id);
    if (drawn.run === thread.run) return;
    drawn.run = thread.run;
    if (!drawn.queued.has(turns.at(-1)?.question?.id ?? '')) follow.current?.resume();
  }, [thread]);
  useLayoutEffect(() => follow.current?.settle());

  const toEnd = (): void => {
    follow.current?.resume();
    // The button goes; who pressed it goes on reading.
    log.current?.focus();
  };

  useEffect(() => {
    if (!above.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setShown((count) => count + PAGE), {
      root: log.current,
      rootMargin: '600px 0px 0px 0px',
    });
    observer.observe(above.current);
    return () => observer.disconnect();
  }, [from]);

  return (
    <div class="conversation">
      <div class="log" role="log" aria-label={t('Conversation')} aria-live="off" tabIndex={0} ref={log}>
        <div class="log-content" ref={content}>
          {from > 0 ? <div class="earlier" ref={above} /> : null}
          {turns.length === 0 && !running && !thread.error ? <FirstScreen around={around} /> : null}
          {turns.slice(from).map((turn, index) => (
            <TurnView
              key={turn.key}
              turn={turn}
              around={around}
              loaded={loaded}
              running={running && from + index === turns.length - 1}
              reconnecting={from + index === turns.length - 1 ? thread.reconnecting?.attempt : undefined}
              isLast={from + index === turns.length - 1}
              past={from + index < turns.length - 1}
              previousStamp={turns[from + index - 1]?.question?.stamp}
              isReading={isReading}
            />
          ))}
          {thread.error ? <ErrorAlert error={thread.error} /> : null}
        </div>
      </div>
      {following ? null : (
        <button class="jump" type="button" onClick={toEnd}>
          <span class="codicon codicon-chevron-down" aria-hidden="true" />
          {unseen > 0 ? t('Jump to latest ({0})', unseen) : t('Jump to latest')}
        </button>
      )}
    </div>
  );
};
