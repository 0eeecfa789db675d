/** Reports how the test request of a connection ended. */
import type { ChatError } from '../../api/errors.ts';
import { shownName, type ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { describeError } from '../../chat/connection/errorMessages.ts';
import { t } from '../../shared/text/l10n.ts';
import { showErrorMessage, showInformationMessage } from '../host/notify.ts';
import type { Services } from '../services.ts';

/**
 * @param entry the tested connection
 * @param actions further buttons of the message, and what they do
 */
export function reportTest(
  services: Services<'connections' | 'log' | 'guarded'>,
  entry: ConnectionEntry | undefined,
  failure: ChatError | undefined,
  actions: Actions,
): void {
  const named = entry && services.connections.several ? shownName(entry) : '';
  const act = (choice: string | undefined): void => {
    const action = actions[choice ?? ''];
    if (action) void services.guarded(action);
  };
  if (failure === undefined) {
    const words =
      named === '' ? t('Connected. Ask your first question.') : t('Connected to {0}. Ask your first question.', named);
    void showInformationMessage(words, ...Object.keys(actions)).then(act);
    return;
  }
  services.log.error('The test request failed.', failure);
  const message = services.log.redact(describeError(failure, false).message);
  const log = t('Show log');
  void showErrorMessage(named === '' ? message : `${named}: ${message}`, ...Object.keys(actions), log).then((choice) =>
    choice === log ? services.log.show() : act(choice),
  );
}

export type Actions = Readonly<Record<string, () => Promise<unknown>>>;

/** Offers the time zone of this computer for session settings that have none; `save` writes them. */
export function timeZoneOffer(
  settings: object | undefined,
  save: (settings: Record<string, unknown>) => unknown,
): Actions {
  if (settings === undefined || 'timezone' in settings) return {};
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { [t('Use time zone {0}', timeZone)]: async () => save({ ...settings, timezone: timeZone }) };
}
