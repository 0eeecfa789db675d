/** The whole view: the conversation above, the composer below. */
import { Composer } from './composer/Composer.tsx';
import { Conversation } from './conversation/Conversation.tsx';
import type { ViewState } from './store.ts';

export const App = ({ state }: { state: ViewState }) => {
  const { thread, around, draft, announcement, loaded } = state;
  return (
    <>
      <Conversation key={thread.id} thread={thread} around={around} loaded={loaded} />
      {around.readOnly ? null : (
        <Composer key={`composer ${thread.id}`} thread={thread} around={around} draft={draft} />
      )}
      <div class="visually-hidden" role="status" aria-live="polite">
        <span key={announcement.number}>{announcement.text}</span>
      </div>
    </>
  );
};
