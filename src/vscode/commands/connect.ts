/** Connecting: the wizard, the test request, and signing out. */
import * as vscode from 'vscode';
import { chatAddresses } from '../../api/address.ts';
import { ChatClient } from '../../api/client.ts';
import { errorFromFetch, type ChatError } from '../../api/errors.ts';
import type { Credential } from '../../api/request.ts';
import { checkSessionSettings, type CredentialKind } from '../../api/sessionRules.ts';
import { newMessageId } from '../../chat/clock.ts';
import { describeError } from '../../chat/errorWords.ts';
import { t } from '../../shared/l10n.ts';
import type { SessionSettings } from '../../shared/wire.ts';
import type { App, Command } from '../app.ts';
import { labelOf } from '../identity.ts';
import { readSettings, writeSetting } from '../settings.ts';

/** Thrown when the user closes a step of the wizard. */
class Cancelled extends Error {}

async function ask(options: vscode.InputBoxOptions): Promise<string> {
  const text = await vscode.window.showInputBox({ ignoreFocusOut: true, ...options });
  if (text === undefined) throw new Cancelled();
  return text.trim();
}

function urlProblem(text: string): string | undefined {
  try {
    chatAddresses(text);
    return undefined;
  } catch (failure) {
    return errorFromFetch(failure).message;
  }
}

async function askKind(): Promise<CredentialKind> {
  const choices = [
    { label: t('API key'), detail: t('You say whom you ask as with session settings.'), method: 'apiKey' as const },
    {
      label: t('Service token'),
      detail: t('A JWT; who you are is read from its claims.'),
      method: 'serviceToken' as const,
    },
  ];
  const choice = await vscode.window.showQuickPick(choices, {
    title: t('Analytics Chat: How do you authenticate?'),
    ignoreFocusOut: true,
  });
  if (!choice) throw new Cancelled();
  return choice.method;
}

const askSecret = (kind: CredentialKind, origin: string): Promise<string> =>
  ask({
    title: kind === 'apiKey' ? t('Analytics Chat: API key') : t('Analytics Chat: Service token'),
    prompt: t('Kept in the system’s keyring and sent to {0} only.', origin),
    password: true,
    validateInput: (text) => (text.trim() === '' ? t('Enter the key to go on.') : undefined),
  });

/** @returns an external or an internal id, as the user's entry looks */
async function askIdentity(known: Record<string, unknown> | undefined): Promise<SessionSettings> {
  const text = await ask({
    title: t('Analytics Chat: Whom do you ask as?'),
    prompt: t('The externalId of a user: lower case, no spaces. More can be set in “sessionSettings”.'),
    value: labelOf(known) || 'dev',
    validateInput: (entry) => checkSessionSettings({ externalId: entry.trim() })[0]?.message,
  });
  return { externalId: text };
}

/** Keeps the credential, for the session only where the keyring fails and the user agrees. */
export async function keepCredential(app: App, origin: string, credential: Credential): Promise<boolean> {
  const outcome = await app.credentials.store(origin, credential);
  if (outcome === 'stored') return true;
  const session = t('Use for this session');
  const choice = await vscode.window.showWarningMessage(
    outcome === 'refused'
      ? t(
          'The system’s keyring refused the key. You can use the key until this window closes, or unlock the keyring first.',
        )
      : t(
          'The system’s keyring did not keep the key. You can use it until this window closes, or set the keyring up first.',
        ),
    { modal: true },
    session,
  );
  if (choice !== session) return false;
  app.credentials.keepForSession(origin, credential);
  return true;
}

/** Reads a thread that does not exist: whatever else answers, the credential was accepted. */
async function testRequest(client: ChatClient, settings?: SessionSettings): Promise<ChatError | undefined> {
  const timeout = AbortSignal.timeout(15_000);
  try {
    const request = { chatId: newMessageId(Date.now()), ...(settings ? { sessionSettings: settings } : {}) };
    for await (const _line of client.stream(request, { signal: timeout })) break;
    return undefined;
  } catch (failure) {
    const error = errorFromFetch(failure);
    return error.kind === 'notFound' || error.kind === 'stream' || error.kind === 'badRequest' ? undefined : error;
  }
}

async function reportTest(app: App, failure: ChatError | undefined): Promise<void> {
  if (failure === undefined) {
    void vscode.window.showInformationMessage(t('Connected. Ask your first question.'));
    return;
  }
  app.log.error('The test request failed.', failure);
  const { message } = describeError(failure);
  const again = t('Connect again');
  const log = t('Show log');
  void vscode.window.showErrorMessage(message, again, log).then((choice) => {
    if (choice === again) void vscode.commands.executeCommand('analyticsChat.connect');
    if (choice === log) app.log.show();
  });
}

async function runWizard(app: App): Promise<boolean> {
  const settings = readSettings();
  const chatApiUrl = await ask({
    title: t('Analytics Chat: Chat API URL'),
    prompt: t('Copy it from the agent’s settings in the administration area.'),
    placeHolder: 'https://…/chat/stream-chat-state',
    value: app.connector.chatApiUrl,
    validateInput: urlProblem,
  });
  const { origin } = chatAddresses(chatApiUrl);
  const kind = await askKind();
  const credential: Credential = { kind, value: await askSecret(kind, origin) };
  const identity = kind === 'apiKey' ? await askIdentity(settings.sessionSettings) : undefined;
  if (!(await keepCredential(app, origin, credential))) return false;
  await writeSetting('chatApiUrl', chatApiUrl);
  await writeSetting('authentication', kind);
  if (identity && labelOf(settings.sessionSettings) !== identity.externalId)
    await writeSetting('sessionSettings', identity);
  app.views.surroundingsChanged();
  const failure = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Testing the connection…') },
    () => testRequest(new ChatClient({ chatApiUrl, credential }), identity),
  );
  await reportTest(app, failure);
  if (failure === undefined) await app.views.focus(app.sessions.active);
  return failure === undefined;
}

/** @returns whether the connection works now; false when the user left the wizard */
export const connect: Command = async (app) => {
  try {
    return await runWizard(app);
  } catch (failure) {
    if (failure instanceof Cancelled) return false;
    throw failure;
  }
};

/** Asks for a new key for the address in force. */
export const setApiKey: Command = async (app) => {
  const { origin } = app.connector;
  if (origin === '') return connect(app);
  try {
    const kind = readSettings().authentication;
    const kept = await keepCredential(app, origin, { kind, value: await askSecret(kind, origin) });
    app.views.surroundingsChanged();
    return kept;
  } catch (failure) {
    if (failure instanceof Cancelled) return false;
    throw failure;
  }
};

export const testConnection: Command = async (app) => {
  try {
    const { client, sessionSettings } = await app.connector.connect();
    await reportTest(app, await testRequest(client, sessionSettings));
  } catch (failure) {
    await reportTest(app, errorFromFetch(failure));
  }
};

export const signOut: Command = async (app) => {
  const { origin } = app.connector;
  if (origin === '') return;
  await app.credentials.remove(origin);
  app.views.surroundingsChanged();
  void vscode.window.showInformationMessage(t('The key for {0} was removed.', origin));
};
