/** The form of a command, and what happens when one fails. */
import * as vscode from 'vscode';
import { ChatError, errorFromFetch } from '../../api/errors.ts';
import { describeQueryError } from '../../chat/connection/errorMessages.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Log } from './log.ts';
import { showErrorMessage } from './notify.ts';
import { openSettings } from './settings.ts';

/** Implements a command with the services it uses. `argument` is the first argument of `executeCommand`, unchecked. */
export type Command<Services> = (services: Services, argument?: unknown) => unknown;

/** Runs `work`; an error is logged and shown in a notification, and the result is then undefined. */
export type Guarded = (work: () => unknown) => Promise<unknown>;

export const guardedWith =
  (log: Log): Guarded =>
  async (work) => {
    try {
      return await work();
    } catch (failure) {
      log.error('A command failed.', failure);
      const { message, actions } =
        failure instanceof Error && !(failure instanceof ChatError)
          ? { message: failure.message, actions: [] }
          : // A failed chat request is shown in its chat.
            describeQueryError(errorFromFetch(failure));
      const [setKey, settings, show] = [t('Set API key'), t('Open settings'), t('Show log')];
      const first = actions[0] === 'setApiKey' ? [setKey] : actions[0] === 'openSettings' ? [settings] : [];
      void showErrorMessage(log.redact(message), ...first, show).then((choice) => {
        if (choice === setKey) return vscode.commands.executeCommand('analyticsChat.setApiKey');
        if (choice === settings) return openSettings();
        return choice === show && log.show();
      });
      return undefined;
    }
  };
