/** The type of commands, and the notifications for errors of commands and intents. */
import { ChatError, errorFromFetch } from '../../api/errors.ts';
import { describeError } from '../../chat/connection/errorMessages.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Log } from './log.ts';
import { showErrorMessage } from './notify.ts';

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
      const words =
        failure instanceof Error && !(failure instanceof ChatError)
          ? failure.message
          : describeError(errorFromFetch(failure)).message;
      const show = t('Show log');
      void showErrorMessage(log.redact(words), show).then((choice) => choice === show && log.show());
      return undefined;
    }
  };
