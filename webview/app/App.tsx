/** The chat view: the conversation above the composer, and the history on top of both while it is open. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/shared/text/l10n.ts';
import { Composer } from '../composer/Composer.tsx';
import { ReadOnlyBar } from '../composer/ReadOnlyBar.tsx';
import { Opening } from '../conversation/FirstScreen.tsx';
import { onFindKey } from '../find/findKey.ts';
import type { Sought } from '../history/rows.ts';
import { later } from './later.tsx';
import { LifetimeNotice } from './LifetimeNotice.tsx';
import { attachFocus, focusOn } from './lazy.ts';
import { Status } from '../ui/Status.tsx';
import type { ViewState } from './store.ts';

// With an answer come Markdown, highlighting and cards: the composer does not wait for their code.
const Conversation = later(async () => (await import('../conversation/Conversation.tsx')).Conversation, Opening);
const History = later(async () => (await import('../history/History.tsx')).History);

export const App = ({ state }: { state: ViewState }) => {
  const { thread, viewContext, draft, loaded } = state;
  /** Number of times the history was requested since it was last closed; 0 while it is closed. */
  const [history, setHistory] = useState(0);
  const listed = useRef(0);
  const [sought, setSought] = useState<Sought>();
  useEffect(() => attachFocus('history', () => setHistory((times) => times + 1)), []);
  useEffect(() => onFindKey(() => focusOn(listed.current > 0 ? 'history' : 'find')), []);
  useLayoutEffect(() => {
    if (listed.current > 0 && history === 0) focusOn('composer');
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
      {viewContext.lifetime > 0 && !viewContext.readOnly && thread.turns.length > 0 ? (
        <LifetimeNotice seconds={viewContext.lifetime} />
      ) : null}
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
