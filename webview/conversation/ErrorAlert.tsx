/** An error in the conversation, with the actions that resolve it. */
import { useState } from 'preact/hooks';
import { assertNever } from '../../src/shared/protocol/chat.ts';
import type { ErrorAction, ThreadError } from '../../src/shared/thread/model.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { usePost } from '../app/post.ts';

function labelOf(action: ErrorAction): string {
  switch (action) {
    case 'retry':
      return t('Retry');
    case 'resume':
      return t('Resume');
    case 'connect':
      return t('Connect');
    case 'addConnection':
      return t('Add connection');
    case 'setApiKey':
      return t('Set API key');
    case 'switchBranch':
      return t('Switch branch');
    case 'switchIdentity':
      return t('Switch identity');
    case 'attach':
      return t('Attach');
    case 'stopAndSend':
      return t('Stop and send');
    case 'newChat':
      return t('Start a new chat');
    case 'askInNewChat':
      return t('Ask in a new chat');
    case 'openProxySettings':
      return t('Open proxy settings');
    case 'openSettings':
      return t('Open settings');
    case 'showLog':
      return t('Show log');
    default:
      return assertNever(action);
  }
}

interface ErrorAlertProps {
  error: ThreadError;
  /** Whether later questions were asked: the actions, which apply to the last question, are then omitted. */
  past?: boolean;
  /** Whether the thread is read-only: the actions are then omitted. */
  readOnly?: boolean;
}

export const ErrorAlert = ({ error, past = false, readOnly = false }: ErrorAlertProps) => {
  const post = usePost();
  // Don't announce an error that is already past when it is first rendered.
  const [isNews] = useState(!past);
  return (
    <div class="error" role={isNews ? 'alert' : undefined}>
      <Icon icon="error" />
      <div class="error-body">
        <p>{error.message}</p>
        {past || readOnly ? null : (
          <div class="error-actions">
            {error.actions.map((action, index) => (
              <Button
                key={action}
                appearance={index === 0 ? 'primary' : 'secondary'}
                onClick={() => post({ type: 'errorAction', action })}
              >
                {labelOf(action)}
              </Button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
};
