/** The commands that set up, test and sign out of a connection. */
import { chatAddresses } from '../../api/address.ts';
import { ChatClient } from '../../api/client.ts';
import { errorFromFetch, type ChatError } from '../../api/errors.ts';
import type { Credential } from '../../api/request.ts';
import { originOf, shownName, type ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { describeError } from '../../chat/connection/errorMessages.ts';
import { keyWords } from '../../chat/connection/keyMessages.ts';
import { testRequest } from '../../chat/connection/testRequest.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { App, Command } from '../app.ts';
import { saveConnection } from '../connection/connectionSettings.ts';
import { connectionOf } from '../connection/threadConnection.ts';
import { labelOf } from '../../chat/connection/identity.ts';
import { readSettings } from '../host/settings.ts';
import { askAddress, askIdentity, askKind, askName, askSecret, unlessCanceled } from './wizardSteps.ts';
import {
  askWithWarning,
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
  withProgress,
} from '../host/notify.ts';

/**
 * Stores a credential. If the keyring fails, offers to keep it in memory for this session.
 * @returns false if the credential was not stored
 */
async function keepCredential(app: App, origin: string, credential: Credential): Promise<boolean> {
  const outcome = await app.credentials.store(origin, credential);
  if (outcome === 'stored') return true;
  const session = t('Use for this session');
  const words = keyWords(outcome, origin);
  const choice = await askWithWarning(words, '', session);
  if (choice !== session) return false;
  app.credentials.keepForSession(origin, credential);
  return true;
}

/** @param entry the tested connection, for *Connect again*; undefined if there is none */
function reportTest(app: App, entry: ConnectionEntry | undefined, failure: ChatError | undefined): void {
  const named = entry && app.connections.several ? shownName(entry) : '';
  if (failure === undefined) {
    void showInformationMessage(
      named === '' ? t('Connected. Ask your first question.') : t('Connected to {0}. Ask your first question.', named),
    );
    return;
  }
  app.log.error('The test request failed.', failure);
  const { message } = describeError(failure, false);
  const again = t('Connect again');
  const log = t('Show log');
  void showErrorMessage(named === '' ? message : `${named}: ${message}`, again, log).then((choice) => {
    if (choice === again) void app.guarded(() => connectTo(app, entry));
    if (choice === log) app.log.show();
  });
}

/**
 * Runs the wizard: URL, kind of credential, credential, identity, test request.
 * @param name name of the connection; empty for the one in `chatApiUrl`
 * @param known the existing connection of that name, if any
 * @returns whether the test request succeeded
 */
async function runWizard(app: App, name: string, known: ConnectionEntry | undefined): Promise<boolean> {
  const chatApiUrl = await askAddress(name, known?.chatApiUrl ?? '');
  const { origin } = chatAddresses(chatApiUrl);
  const kind = await askKind(name);
  const credential: Credential = { kind, value: await askSecret(name, kind, origin) };
  // `sessionSettings` can be set before `chatApiUrl`.
  const settings = known?.sessionSettings ?? (name === '' ? readSettings().sessionSettings : undefined);
  const identity = kind === 'apiKey' ? await askIdentity(name, settings) : undefined;
  if (!(await keepCredential(app, origin, credential))) return false;
  const asNew = identity && labelOf(settings) !== identity.externalId ? { sessionSettings: { ...identity } } : {};
  await saveConnection({ name, chatApiUrl, authentication: kind, ...asNew });
  if (!known) await app.connections.switchTo({ name });
  app.views.viewContextChanged();
  const entry = app.connections.all.find((each) => each.name === name);
  const failure = await withProgress(t('Testing the connection…'), false, () =>
    testRequest(new ChatClient({ chatApiUrl, credential }), identity),
  );
  reportTest(app, entry, failure);
  if (failure === undefined) await app.views.focus(app.sessions.active);
  return failure === undefined;
}

/**
 * Runs the wizard for an existing connection, or for the first one.
 * @returns whether the connection works; false if the user cancels
 */
export const connectTo = (app: App, entry: ConnectionEntry | undefined): Promise<boolean> =>
  unlessCanceled(() => runWizard(app, entry?.name ?? '', entry));

export const connect: Command = (app) => connectTo(app, app.connections.current);

/** Adds a named connection and makes it the current one. */
export const addConnection = (app: App): Promise<boolean> =>
  unlessCanceled(async () => {
    const taken = [...app.connections.all, ...app.connections.unusable].map(({ name }) => name);
    return runWizard(app, await askName(taken), undefined);
  });

/**
 * Asks for a new credential for a connection; runs the wizard if its URL is missing or invalid.
 * @returns false if the user cancels or the credential was not stored
 */
export async function setApiKey(app: App, entry: ConnectionEntry | undefined): Promise<boolean> {
  const origin = entry ? originOf(entry) : '';
  if (!entry || origin === '') return connectTo(app, entry);
  return unlessCanceled(async () => {
    const { name, authentication: kind } = entry;
    const kept = await keepCredential(app, origin, { kind, value: await askSecret(name, kind, origin) });
    app.views.viewContextChanged();
    return kept;
  });
}

/** @param argument `{threadId}` of an open thread; defaults to the current connection */
export const setApiKeyOf: Command = async (app, argument) => {
  const session = app.sessions.get(textIn(argument, 'threadId') ?? '');
  return setApiKey(app, session ? connectionOf(app, session) : app.connections.current);
};

export const testConnection: Command = async (app) => {
  const { current } = app.connections;
  try {
    const { client, sessionSettings } = await app.connector.connect(undefined);
    reportTest(app, current, await testRequest(client, sessionSettings));
  } catch (failure) {
    reportTest(app, current, errorFromFetch(failure));
  }
};

export const signOut: Command = async (app) => {
  const { current, all } = app.connections;
  const origin = current ? originOf(current) : '';
  if (!current || origin === '') {
    void showInformationMessage(t('There is no connection to sign out of.'));
    return;
  }
  const removed = await app.credentials.remove(origin, current.authentication);
  app.views.viewContextChanged();
  if (!removed) {
    void showWarningMessage(keyWords('stuck', origin));
    return;
  }
  const sharing = all.filter(
    (entry) =>
      entry.name !== current.name && originOf(entry) === origin && entry.authentication === current.authentication,
  );
  void showInformationMessage(
    [
      t('The key for {0} was removed.', app.connections.described(current)),
      sharing.length > 0 ? t('{0} used the same key.', sharing.map(shownName).join(', ')) : '',
    ]
      .filter(Boolean)
      .join(' '),
  );
};
