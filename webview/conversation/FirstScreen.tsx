/** Content of a thread without questions: example questions, or how to connect. */
import type { ViewContext } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { Thread } from '../../src/shared/thread/model.ts';
import { isRunning, turnsOf } from '../../src/shared/thread/turns.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { usePost } from '../app/post.ts';

/** Whether the thread has nothing to show yet. */
export const isEmpty = (thread: Thread): boolean => turnsOf(thread).length === 0 && !isRunning(thread) && !thread.error;

export const FirstScreen = ({ viewContext }: { viewContext: ViewContext }) => {
  const post = usePost();
  return (
    <div class="first">
      <Icon icon="comment-discussion" class="first-icon" />
      {viewContext.connected ? (
        <>
          <p>{t('Ask about your data. Answers come with their SQL, ready for your files.')}</p>
          <ul class="examples">
            {viewContext.examples.map((example) => (
              <li key={example}>
                <button type="button" class="chip" onClick={() => post({ type: 'send', text: example, images: [] })}>
                  {example}
                </button>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <p>{t('Connect to your analytics agent to ask about your data.')}</p>
          <Button appearance="primary" onClick={() => post({ type: 'connect' })}>
            {t('Connect')}
          </Button>
        </>
      )}
      <button type="button" class="action" onClick={() => post({ type: 'openSample' })}>
        {t('Open a sample conversation')}
      </button>
    </div>
  );
};

/** Shown while the code of the conversation is loading: the first screen, if the thread is empty. */
export const Opening = ({ thread, viewContext }: { thread: Thread; viewContext: ViewContext }) => (
  <div class="conversation">
    <div class="log">
      <div class="log-content">{isEmpty(thread) ? <FirstScreen viewContext={viewContext} /> : null}</div>
    </div>
  </div>
);
