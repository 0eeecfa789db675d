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
  const [following, setFollowing] = useState(true);
  const [shown, setShown] = useState(PAGE);
  const seen = useRef(0);

  const turns = turnsOf(thread);
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
    return () => created.dispose();
  }, []);
  // The reader's own question is where they want to be.
  useLayoutEffect(() => follow.current?.resume(), [thread.run]);
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
