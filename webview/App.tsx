/** The whole view: the conversation above, the composer below. */
import { useEffect } from 'preact/hooks';
import { t } from '../src/shared/l10n.ts';
import { Composer } from './composer/Composer.tsx';
import { Conversation } from './conversation/Conversation.tsx';
import { onFindKey } from './find/findKey.ts';
import { focusOn, type ViewState } from './store.ts';

export const App = ({ state }: { state: ViewState }) => {
  const { thread, around, draft, announcement, loaded } = state;
  useEffect(() => onFindKey(() => focusOn('find')), []);
  return (
    <main>
      <h1 class="visually-hidden">{t('Analytics Chat')}</h1>
      <Conversation key={thread.id} thread={thread} around={around} loaded={loaded} />
      {around.readOnly ? null : (
        <Composer key={`composer ${thread.id}`} thread={thread} around={around} draft={draft} />
      )}
      <div class="visually-hidden" role="status" aria-live="polite">
        <span key={announcement.number}>{announcement.text}</span>
      </div>
    </main>
  );
};
