/** The same conversation as a plain list that renders everything and scrolls to its end. */
import { render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { shownTurns } from '../../../src/shared/thread/turns.ts';
import { Composer } from '../../../webview/composer/Composer.tsx';
import { TurnView } from '../../../webview/conversation/TurnView.tsx';
import { startStore, type ViewState } from '../../../webview/app/store.ts';
import '@vscode/codicons/dist/codicon.css';
import '../../../webview/ui/base.css';
import '../../../webview/conversation/conversation.css';

const PlainList = ({ state: { thread, viewContext, draft, loaded } }: { state: ViewState }) => {
  const log = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!log.current || !content.current) return undefined;
    const { current: scroller } = log;
    const sizes = new ResizeObserver(() => (scroller.scrollTop = scroller.scrollHeight));
    sizes.observe(content.current);
    return () => sizes.disconnect();
  }, []);
  const turns = shownTurns(thread);
  return (
    <main>
      <div class="conversation">
        <div class="log" role="log" ref={log}>
          <div class="log-content" ref={content}>
            {turns.map((turn, at) => (
              <TurnView
                key={turn.id}
                turn={turn}
                viewContext={viewContext}
                loaded={loaded}
                running={false}
                reconnecting={undefined}
                isLast={at === turns.length - 1}
                previousContext={turns[at - 1]?.question?.context}
              />
            ))}
          </div>
        </div>
      </div>
      <Composer thread={thread} viewContext={viewContext} draft={draft} />
    </main>
  );
};

const root = document.getElementById('root');
if (root) startStore((state) => render(<PlainList state={state} />, root));
