/** Content of a thread without questions: example questions, or how to connect. */
import type { ViewContext } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { Button } from '../ui/Button.tsx';
import { post } from '../app/host.ts';

export const FirstScreen = ({ viewContext }: { viewContext: ViewContext }) => (
  <div class="first">
    <span class="codicon codicon-comment-discussion first-icon" aria-hidden="true" />
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
