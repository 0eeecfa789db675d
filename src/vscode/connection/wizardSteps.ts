/** The steps of the connection wizard. Closing a step cancels the wizard. */
import { addressProblem } from '../../chat/connection/connectionList.ts';
import { credentialProblem } from '../../api/request.ts';
import { checkSessionSettings, type CredentialKind } from '../../api/sessionRules.ts';
import { t } from '../../shared/text/l10n.ts';
import type { SessionSettings } from '../../shared/wire/streamLines.ts';
import { labelOf } from '../../chat/connection/identity.ts';
import { showInputBox, type InputOptions } from '../host/notify.ts';
import { showQuickPick } from '../host/quickPick.ts';

/** Thrown when the user closes a step of the wizard. */
class Canceled extends Error {}

/** @returns the result of `steps`, or false if the user closes a step */
export async function unlessCanceled(steps: () => Promise<boolean>): Promise<boolean> {
  try {
    return await steps();
  } catch (failure) {
    if (failure instanceof Canceled) return false;
    throw failure;
  }
}

async function ask(options: InputOptions): Promise<string> {
  const text = await showInputBox(options);
  if (text === undefined) throw new Canceled();
  return text.trim();
}

/** Appends the name of the connection to the title of a step. */
const about = (title: string, name: string): string => (name === '' ? title : `${title} (${name})`);

/** @param taken names already in use */
export const askName = (taken: readonly string[]): Promise<string> =>
  ask({
    title: t('Analytics Chat: Connection name'),
    prompt: t('Enter a name for the new connection.'),
    placeHolder: t('Staging'),
    validateInput: (text) => {
      if (text.trim() === '') return t('Enter a name.');
      return taken.includes(text.trim()) ? t('Another connection has this name.') : undefined;
    },
  });

export const askAddress = (name: string, known: string): Promise<string> =>
  ask({
    title: about(t('Analytics Chat: Chat API URL'), name),
    prompt: t('Copy it from the agent’s settings in the administration area.'),
    placeHolder: 'https://…/chat/stream-chat-state',
    value: known,
    validateInput: addressProblem,
  });

/** @param onlyTokens whether the URL accepts no API keys; choosing one is then a wish for another URL */
export async function askKind(name: string, onlyTokens: boolean): Promise<CredentialKind> {
  const choices = [
    {
      label: t('API key'),
      detail: onlyTokens
        ? t('URLs with /deployments/ accept only service tokens. Select this to enter another URL.')
        : t('Session settings define your identity.'),
      method: 'apiKey' as const,
    },
    {
      label: t('Service token'),
      detail: t('A JWT. Its claims define your identity.'),
      method: 'serviceToken' as const,
    },
  ];
  const choice = await showQuickPick(onlyTokens ? choices.reverse() : choices, {
    title: about(t('Analytics Chat: Choose an authentication method'), name),
  });
  if (!choice) throw new Canceled();
  return choice.method;
}

/** @returns the origin that a credential is for, without a step if there is only one */
export async function askOrigin(origins: readonly string[]): Promise<string> {
  const [first = '', ...others] = origins;
  if (others.length === 0) return first;
  const choice = await showQuickPick(
    origins.map((label) => ({ label })),
    { title: t('Analytics Chat: API key'), placeHolder: t('Select the service that the key is for') },
  );
  if (!choice) throw new Canceled();
  return choice.label;
}

export const askSecret = (name: string, kind: CredentialKind, origin: string): Promise<string> =>
  ask({
    title: about(kind === 'apiKey' ? t('Analytics Chat: API key') : t('Analytics Chat: Service token'), name),
    prompt: t('Stored in the system keyring and sent only to {0}.', origin),
    password: true,
    validateInput: (text) => (text.trim() === '' ? t('Enter the key or token.') : credentialProblem(text)),
  });

/** Asks for an `externalId`. @param known current session settings, which provide the initial value */
export async function askIdentity(name: string, known: Record<string, unknown> | undefined): Promise<SessionSettings> {
  const text = await ask({
    title: about(t('Analytics Chat: Choose an identity'), name),
    prompt: t('Enter your externalId, in lowercase without spaces. For more settings, see “sessionSettings”.'),
    value: labelOf(known) || 'dev',
    validateInput: (entry) => checkSessionSettings({ externalId: entry.trim() })[0]?.message,
  });
  return { externalId: text };
}
