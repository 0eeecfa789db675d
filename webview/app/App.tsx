/** The chat view: the conversation above the composer, and the history on top of both while it is open. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/shared/text/l10n.ts';
import type { Thread } from '../../src/shared/thread/model.ts';
import { askedTwice, isRunning } from '../../src/shared/thread/turns.ts';
import { Composer } from '../composer/Composer.tsx';
import { Opening } from '../conversation/FirstScreen.tsx';
import type { Sought } from '../history/rows.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { isMac } from '../ui/dom.ts';
import { later } from '../ui/wrappers.tsx';
import { post } from './host.ts';
import { attach, attachFocus, focusOn } from './mounted.ts';
import { Status } from '../ui/access.tsx';
import { Notices } from './Notices.tsx';
import type { ViewState } from './store.ts';

// Loaded separately, so that the composer does not wait for the code of Markdown, highlighting and cards.
const Conversation = later(async () => (await import('../conversation/Conversation.tsx')).Conversation, Opening);
const History = later(async () => (await import('../history/History.tsx')).HistoryList);

export const App = ({ state }: { state: ViewState }) => {
  const { thread, viewContext, draft, loaded } = state;
  /** Number of times the history was requested since it was last closed; 0 while it is closed. */
  const [history, setHistory] = useState(0);
  const listed = useRef(0);
  const [sought, setSought] = useState<Sought>();
  useEffect(() => attachFocus('history', () => setHistory((times) => times + 1)), []);
  useEffect(() => attach('closeHistory', () => setHistory(0)), []);
  useEffect(() => onFindKey(() => focusOn(listed.current > 0 ? 'history' : 'find')), []);
  useLayoutEffect(() => {
    // Opened at the match of a search, a chat has its find bar focused.
    const isFocusLost = document.activeElement === document.body;
    if (listed.current > 0 && history === 0 && isFocusLost) focusOn('composer');
    listed.current = history;
  }, [history]);
  return (
    <main
      class={history > 0 ? 'has-history' : ''}
      // VS Code merges this with the context of a card and passes it to the commands of the context menu.
      data-vscode-context={JSON.stringify({ threadId: thread.id })}
    >
      <h1 class="visually-hidden">{t('Analytics Chat')}</h1>
      <Conversation
        key={thread.id}
        thread={thread}
        viewContext={viewContext}
        loaded={loaded}
        sought={sought?.threadId === thread.id ? sought.text : undefined}
        onSought={() => setSought(undefined)}
      />
      {viewContext.readOnly ? null : <Notices thread={thread} viewContext={viewContext} />}
      {viewContext.readOnly ? (
        <ReadOnlyBar key={`read-only ${thread.id}`} thread={thread} />
      ) : (
        <Composer key={`composer ${thread.id}`} thread={thread} viewContext={viewContext} draft={draft} />
      )}
      {history > 0 ? (
        <History shown={thread.id} asked={history} onSeek={setSought} onClose={() => setHistory(0)} />
      ) : null}
      <Status />
    </main>
  );
};

/** Replaces the composer below a read-only conversation. */
const ReadOnlyBar = ({ thread }: { thread: Thread }) => {
  const actions = useRef<HTMLDivElement>(null);
  useEffect(
    () => attachFocus('composer', () => (actions.current?.firstElementChild as HTMLElement | null)?.focus()),
    [],
  );
  const running = isRunning(thread);
  return (
    <div class="composer read-only" role="group" aria-label={t('Recorded chat')}>
      <p>
        <Icon icon="record" /> {t('This chat is a recording. You can use its results, but you can’t continue it.')}
      </p>
      <div class="read-only-actions" ref={actions}>
        {running ? <Button onClick={() => post({ type: 'stop' })}>{t('Show the rest')}</Button> : null}
        {!running && askedTwice(thread) ? (
          <Button onClick={() => post({ type: 'command', name: 'compare' })}>{t('Compare answers')}</Button>
        ) : null}
        <Button onClick={() => post({ type: 'newChat' })}>{t('New chat')}</Button>
      </div>
    </div>
  );
};

/**
 * Handles Ctrl+F, or Cmd+F on macOS, before VS Code does: with the focus in a side bar view, VS Code would open the
 * find widget of the active editor.
 * @returns a function that removes the listener
 */
function onFindKey(open: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
    const asks = (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !shiftKey && !altKey;
    if (!asks || key.toLowerCase() !== 'f') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open();
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
}
