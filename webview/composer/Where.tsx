/** Buttons that show and switch the connection, branch and identity of the next question. */
import type { FromWebview, ViewContext } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { IconButton } from '../ui/Button.tsx';
import { post } from '../app/host.ts';

interface ChoiceProps {
  icon: string;
  value: string;
  /** Accessible name and tooltip. */
  name: string;
  intent: FromWebview;
}

const Choice = ({ icon, value, name, intent }: ChoiceProps) => (
  <button type="button" class="where-button" aria-label={name} title={name} onClick={() => post(intent)}>
    <span class={`codicon codicon-${icon}`} aria-hidden="true" />
    <span class="where-name">{value}</span>
    <span class="codicon codicon-chevron-down" aria-hidden="true" />
  </button>
);

export const Where = ({ connection, branch, identity }: ViewContext) => (
  <div class="where">
    {connection === '' ? null : (
      <Choice
        icon="plug"
        value={connection}
        name={t('Connection: {0}', connection)}
        intent={{ type: 'switchConnection' }}
      />
    )}
    <div class="where-row">
      <Choice icon="git-branch" value={branch} name={t('Branch: {0}', branch)} intent={{ type: 'switchBranch' }} />
      <Choice icon="account" value={identity} name={t('Identity: {0}', identity)} intent={{ type: 'switchIdentity' }} />
      <span class="where-space" />
      <IconButton icon="add" name={t('New chat')} onClick={() => post({ type: 'newChat' })} />
    </div>
  </div>
);
