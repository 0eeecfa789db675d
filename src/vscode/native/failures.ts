/** Maps the actions of an error to buttons in VS Code's chat. */
import type * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import type { ErrorAction } from '../../shared/thread/model.ts';
import type { Asked } from './asking.ts';

const COMMANDS: Partial<Record<ErrorAction, (threadId: string) => vscode.Command>> = {
  setApiKey: (threadId) => ({
    command: 'analyticsChat.setApiKey',
    title: t('Set API key'),
    arguments: [{ threadId }],
  }),
  connect: () => ({ command: 'analyticsChat.connect', title: t('Connect') }),
  switchBranch: () => ({ command: 'analyticsChat.switchBranch', title: t('Switch branch') }),
  switchIdentity: () => ({ command: 'analyticsChat.switchIdentity', title: t('Switch identity') }),
  openSettings: () => ({
    command: 'workbench.action.openSettings',
    title: t('Open settings'),
    arguments: ['@ext:analytics-chat.analytics-chat'],
  }),
  openProxySettings: () => ({
    command: 'workbench.action.openSettings',
    title: t('Open proxy settings'),
    arguments: ['http.proxy'],
  }),
  showLog: () => ({ command: 'analyticsChat.showLog', title: t('Show log') }),
};

/** @returns a command for the first action of the error; other actions become *Retry*, in VS Code's chat, or *Open the chat* */
export function recoveryCommand({ session, turn, error }: Asked, text: string): vscode.Command | undefined {
  const [action] = error?.actions ?? [];
  if (action === undefined) return undefined;
  const { id: threadId } = session.thread;
  return (
    COMMANDS[action]?.(threadId) ??
    (turn === undefined
      ? { command: 'workbench.action.chat.open', title: t('Retry'), arguments: [{ query: `@analytics ${text}` }] }
      : { command: 'analyticsChat.openThread', title: t('Open the chat'), arguments: [{ threadId }] })
  );
}
