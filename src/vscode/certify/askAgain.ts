/** Offers to ask a question again after a correction, once the service has the new model. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Branches } from '../connection/branches.ts';
import { pushStateOf, type PushState } from '../connection/git.ts';
import { showInformationMessage, showWarningMessage } from '../host/notify.ts';
import type { ChatViews } from '../views/chatViews.ts';

export interface AskAgainServices {
  branches: Branches;
  views: ChatViews;
}

/**
 * Asks in the same thread, on the checked-out branch of the corrected file.
 * @returns when the question was asked, or the user has closed the offer
 */
export async function offerToAskAgain(
  services: AskAgainServices,
  session: ChatSession,
  question: string,
  uri: vscode.Uri,
): Promise<void> {
  const [again, anyway] = [t('Ask Again'), t('Ask Anyway')];
  const file = vscode.workspace.asRelativePath(uri);
  let state = await pushStateOf(uri);
  let choice = await showInformationMessage(firstOffer(file, state), again);
  while (choice === again) {
    state = await pushStateOf(uri);
    if (state === undefined || state.isPushed) break;
    const message = t('{0} is not pushed to “{1}” yet, so the service still has the old model.', file, state.branch);
    choice = await showWarningMessage(message, again, anyway);
  }
  if (choice === undefined) return;
  if (state) await followBranch(services, uri, state.branch);
  await services.views.reveal(session);
  await session.send({ text: question, images: [] });
}

function firstOffer(file: string, state: PushState | undefined): string {
  if (state === undefined) return t('Publish {0} to the service, then ask again.', file);
  return t('Commit {0} and push it to “{1}”, then ask again: the service uses the pushed model.', file, state.branch);
}

async function followBranch({ branches }: AskAgainServices, uri: vscode.Uri, branch: string): Promise<void> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const current = branches.currentIn(folder);
  if ((current.name || branches.mainOf(folder)) !== branch) await branches.switchTo(branch, folder);
}
