/** Opens the history: on the local disk through Node.js if available, otherwise through `vscode.workspace.fs`. */
import * as vscode from 'vscode';
import { browserFiles } from '../../chat/history/files/browserFiles.ts';
import type { HistoryFiles } from '../../chat/history/files/files.ts';
import { History } from '../../chat/history/history.ts';
import { nodeFiles } from '../../chat/history/files/nodeFiles.ts';
import { t } from '../../shared/text/l10n.ts';
import { hasNode, readSettings } from '../host/settings.ts';
import type { Log } from '../host/log.ts';
import { showErrorMessage, showWarningMessage } from '../host/notify.ts';

async function filesIn(folder: vscode.Uri): Promise<HistoryFiles> {
  if (hasNode() && folder.scheme === 'file') return nodeFiles(folder.fsPath);
  return browserFiles(vscode.workspace.fs, folder, vscode.Uri.joinPath);
}

/** Opens the history in the global storage of the extension and applies its limit. */
export async function openHistory(context: vscode.ExtensionContext, log: Log): Promise<History> {
  const files = await filesIn(vscode.Uri.joinPath(context.globalStorageUri, 'threads'));
  const history = new History(files, {
    redact: log.redactDocument,
    onDamage: (threadId, copy) => {
      log.warn(`The file of the thread ${threadId} was damaged, copy ${copy ?? 'not possible'}.`);
      void showWarningMessage(
        copy === undefined
          ? t('A chat in the history is damaged. Its readable part was kept.')
          : t(
              'A chat in the history is damaged. Its readable part was kept, and the damaged file was copied to {0}.',
              copy,
            ),
      );
    },
    onError: (error) => {
      log.error('The history could not be saved.', error);
      void showErrorMessage(error.message);
    },
  });
  await history
    .tidy(readSettings().historyLimit)
    .catch((failure) => log.error('The history could not be tidied.', failure));
  return history;
}

/** The history, which is opened on first use to keep the activation fast. */
export class LazyHistory {
  readonly #open: () => Promise<History>;
  #opened: Promise<History> | undefined;

  constructor(context: vscode.ExtensionContext, log: Log) {
    this.#open = () => openHistory(context, log);
  }

  readonly get = (): Promise<History> =>
    (this.#opened ??= this.#open().catch((failure) => {
      // Don't cache a failure: the next call retries.
      this.#opened = undefined;
      throw failure;
    }));

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }
}
