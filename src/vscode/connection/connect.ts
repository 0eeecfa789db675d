/** Sets up, tests and signs out of connections, with a wizard. */
import { chatAddresses, takesOnlyTokens } from '../../api/address.ts';
import { ChatClient } from '../../api/client.ts';
import { errorFromFetch, type ChatError } from '../../api/errors.ts';
import type { Credential } from '../../api/request.ts';
import type { CredentialKind } from '../../api/sessionRules.ts';
import {
  originOf,
  originsOf,
  printsTokens,
  shownName,
  type ConnectionEntry,
} from '../../chat/connection/connectionList.ts';
import { keyProblemText } from '../../chat/connection/keyProblems.ts';
import { commandIn, type TokenProgram } from '../../chat/connection/tokenCommand.ts';
import { testRequest } from '../../chat/connection/connection.ts';
import { textIn } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { SessionSettings } from '../../shared/wire/streamLines.ts';
import { saveConnection } from './connections.ts';
import { reportTest, timeZoneOffer } from './testReport.ts';
import { askWithWarning, showInformationMessage, showWarningMessage, withProgress } from '../host/notify.ts';
import { labelOf } from '../../chat/connection/identity.ts';
import { openSettings, readSettings } from '../host/settings.ts';
import { askAddress, askIdentity, askKind, askName, askOrigin, askSecret, unlessCanceled } from './wizardSteps.ts';
import type { Services } from '../services.ts';

export type ConnectionSetupServices = Services<
  'connections' | 'credentials' | 'tokenCommands' | 'sessions' | 'views' | 'log' | 'guarded'
>;

/**
 * Stores a credential. If the keyring fails, offers to keep it in memory for this session.
 * @returns false if the credential was not stored
 */
async function keepCredential(
  services: Services<'credentials'>,
  origin: string,
  credential: Credential,
): Promise<boolean> {
  const outcome = await services.credentials.store(origin, credential);
  if (outcome === 'stored') return true;
  const session = t('Use for this session');
  const words = keyProblemText(outcome, origin);
  const choice = await askWithWarning(words, '', session);
  if (choice !== session) return false;
  services.credentials.keepForSession(origin, credential);
  return true;
}

const rejects = (kind: CredentialKind, chatApiUrl: string): boolean => kind === 'apiKey' && takesOnlyTokens(chatApiUrl);

/** @returns the token command, which can be set before `chatApiUrl`, so that there is no connection yet */
const commandOf = (name: string, known: ConnectionEntry | undefined): TokenProgram | undefined =>
  known || name !== '' ? known?.tokenCommand : commandIn(readSettings().tokenCommand);

/**
 * Runs the wizard: URL, kind of credential, credential, identity, test request. A working key stays until another one has
 * passed the test, or the user saves that one anyway.
 * @param name name of the connection; empty for the one in `chatApiUrl`
 * @param known the existing connection of that name, if any
 * @param proposed the URL to start with
 * @returns whether the test request succeeded
 */
async function runWizard(
  services: ConnectionSetupServices,
  name: string,
  known: ConnectionEntry | undefined,
  proposed = known?.chatApiUrl ?? '',
): Promise<boolean> {
  let chatApiUrl = proposed;
  let kind: CredentialKind;
  do {
    chatApiUrl = await askAddress(name, chatApiUrl);
    kind = await askKind(name, takesOnlyTokens(chatApiUrl));
  } while (rejects(kind, chatApiUrl));
  const { origin } = chatAddresses(chatApiUrl);
  const command = kind === 'serviceToken' ? commandOf(name, known) : undefined;
  const credential = command
    ? services.tokenCommands.at(origin, command)
    : { kind, value: await askSecret(name, kind, origin) };
  // `sessionSettings` can be set before `chatApiUrl`.
  const settings = known?.sessionSettings ?? (name === '' ? readSettings().sessionSettings : undefined);
  const identity = kind === 'apiKey' ? await askIdentity(name, settings) : undefined;
  // Confirming the proposed name keeps the session settings, which may contain more than an `externalId`. So does a
  // service token, because the user may return to an API key.
  const sessionSettings = identity && labelOf(settings) === identity.externalId ? settings : identity;
  const save = async (): Promise<boolean> => {
    if (credential.value !== '' && !(await keepCredential(services, origin, credential))) return false;
    const asNew = identity && sessionSettings !== settings ? { sessionSettings: { ...sessionSettings } } : {};
    await saveConnection({ name, chatApiUrl, authentication: kind, ...asNew });
    if (!known) await services.connections.switchTo({ name });
    return true;
  };
  // The service may repeat the key in an error.
  services.log.addSecret(credential.value);
  const failure = await withProgress(t('Testing the connection…'), false, () =>
    testRequest(new ChatClient({ chatApiUrl, credential }), sessionSettings as SessionSettings | undefined),
  );
  if (failure === undefined && !(await save())) return false;
  const saved = { name, chatApiUrl, authentication: kind };
  const offer = timeZoneOffer(sessionSettings, (changed) => saveConnection({ ...saved, sessionSettings: changed }));
  const again = {
    [t('Connect again')]: () => unlessCanceled(() => runWizard(services, name, known, chatApiUrl)),
    [t('Save anyway')]: save,
  };
  reportTest(services, { dataQueryUrl: '', ...known, ...saved }, failure, failure ? again : offer);
  if (failure === undefined) await services.views.focus(services.sessions.active);
  return failure === undefined;
}

/**
 * Runs the wizard for an existing connection, or for a new one.
 * @returns whether the connection works; false if the user cancels
 */
export function connectTo(services: ConnectionSetupServices, entry: ConnectionEntry | undefined): Promise<boolean> {
  // The connection of a chat was removed: without a name, the new one would replace that of `chatApiUrl`.
  if (!entry && services.connections.current) return addConnection(services);
  return unlessCanceled(() => runWizard(services, entry?.name ?? '', entry));
}

/** Adds a named connection and makes it the current one. */
export function addConnection(services: ConnectionSetupServices): Promise<boolean> {
  return unlessCanceled(async () => {
    const taken = [...services.connections.all, ...services.connections.unusable].map(({ name }) => name);
    return runWizard(services, await askName(taken), undefined);
  });
}

/**
 * Asks for a new credential for a connection; runs the wizard if its URL is missing or invalid.
 * @param choose returns the origin that the credential is for; that of the chat API by default
 * @returns false if the user cancels or the credential was not stored
 */
export async function setApiKey(
  services: ConnectionSetupServices,
  entry: ConnectionEntry | undefined,
  choose: (entry: ConnectionEntry) => string | Promise<string> = originOf,
): Promise<boolean> {
  if (!entry || originOf(entry) === '' || rejects(entry.authentication, entry.chatApiUrl))
    return connectTo(services, entry);
  return unlessCanceled(async () => {
    const { name, authentication: kind } = entry;
    const origin = await choose(entry);
    if (printsTokens(entry) && origin === originOf(entry))
      return openSettings(name ? 'analyticsChat.connections' : 'analyticsChat.tokenCommand').then(() => false);
    return keepCredential(services, origin, { kind, value: await askSecret(name, kind, origin) });
  });
}

export async function testConnection(services: ConnectionSetupServices & Services<'connector'>): Promise<void> {
  const { current } = services.connections;
  const report = (failure: ChatError | undefined): void =>
    reportTest(services, current, failure, failure ? { [t('Connect again')]: () => connectTo(services, current) } : {});
  try {
    const { client, sessionSettings } = await services.connector.connect(undefined);
    report(await testRequest(client, sessionSettings));
  } catch (failure) {
    report(errorFromFetch(failure));
  }
}

export async function signOut(services: Services<'connections' | 'credentials'>): Promise<void> {
  const { current, all } = services.connections;
  const origin = current ? originOf(current) : '';
  if (!current || origin === '') {
    void showInformationMessage(t('There is no connection to sign out of.'));
    return;
  }
  const origins = originsOf(current);
  for (const each of origins)
    if (!(await services.credentials.remove(each, current.authentication))) {
      void showWarningMessage(keyProblemText('stuck', each));
      return;
    }
  const sharing = all.filter(
    (entry) =>
      entry.name !== current.name &&
      originsOf(entry).some((each) => origins.includes(each)) &&
      entry.authentication === current.authentication,
  );
  void showInformationMessage(
    [
      t('The key for {0} was removed.', services.connections.described(current)),
      printsTokens(current) ? t('New tokens come from the setting “tokenCommand”.') : '',
      sharing.length > 0 ? t('{0} also used this key.', sharing.map(shownName).join(', ')) : '',
    ]
      .filter(Boolean)
      .join(' '),
  );
}

/**
 * @param argument `{threadId}` of an open thread, whose chat API needs a credential. If it is omitted, the connection is
 * that of the active thread, and the credential may be for its data query API.
 */
export async function setApiKeyOf(
  services: ConnectionSetupServices & Services<'connector'>,
  argument: unknown,
): Promise<boolean> {
  const session = services.sessions.get(textIn(argument, 'threadId') ?? '');
  if (session) return setApiKey(services, services.sessions.connectionOf(session));
  return setApiKey(services, services.sessions.connectionOf(services.sessions.active), async (entry) => {
    const origins = originsOf(entry);
    const hasKey = (origin: string): Promise<boolean> =>
      services.connector.credentialFor(origin, entry.authentication, entry).then(
        () => true,
        () => false,
      );
    const found = await Promise.all(origins.map(hasKey));
    const missing = origins.filter((_, at) => !found[at]);
    return missing.length === 1 ? missing[0]! : askOrigin(origins);
  });
}
