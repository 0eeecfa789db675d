/** Request bodies (2.1, 4.2) and headers (part 5), checked before anything is sent. */
import { t } from '../shared/text/l10n.ts';
import { MESSAGE_ID, type ChatRequest, type SessionSettings } from '../shared/wire.ts';
import { ChatError } from './errors.ts';
import { checkSessionSettings, type CredentialKind } from './sessionRules.ts';

export interface Credential {
  kind: CredentialKind;
  value: string;
}

/**
 * Exactly one of the two methods of part 5.
 * @throws ChatError `auth` when the credential cannot be a header's value
 */
export function requestHeaders({ kind, value }: Credential): Record<string, string> {
  const credential = value.trim();
  if (!/^[\x21-\x7e]+$/.test(credential))
    throw new ChatError('auth', t('The key or token is empty or has characters that no key has.'), { code: 'BAD_KEY' });
  const header: Record<string, string> =
    kind === 'apiKey' ? { Authorization: `Api-Key ${credential}` } : { 'X-Svc-Auth-Token': credential };
  return { 'Content-Type': 'application/json', ...header };
}

const refuse = (message: string): never => {
  throw new ChatError('badRequest', message, { code: 'INVALID_REQUEST' });
};

/** With a service token the settings are ignored by the service, so they are not sent at all. */
function settingsFor(
  kind: CredentialKind,
  settings: SessionSettings | undefined,
): { sessionSettings?: SessionSettings } {
  if (kind === 'serviceToken') return {};
  if (settings === undefined) return refuse(t('Session settings are required with an API key.'));
  const [violation] = checkSessionSettings(settings);
  return violation === undefined ? { sessionSettings: settings } : refuse(violation.message);
}

/**
 * @returns the JSON body of a stream request
 * @throws ChatError `badRequest` when it breaks a rule of 2.1 to 2.3
 */
export function streamBody(request: ChatRequest, kind: CredentialKind): string {
  const { input, chatId, messageId, activeBranchName, isDefaultBranch, images } = request;
  if (messageId !== undefined && !MESSAGE_ID.test(messageId))
    refuse(t('messageId must be a Unix time in milliseconds followed by “-message”.'));
  for (const { mimeType, data } of images ?? [])
    if (mimeType === '' || data === '' || data.startsWith('data:')) refuse(t('An image needs a type and base64 data.'));
  // JSON.stringify leaves out what is undefined; only the fields of the contract are sent.
  return JSON.stringify({
    input,
    chatId,
    messageId,
    ...settingsFor(kind, request.sessionSettings),
    activeBranchName,
    isDefaultBranch,
    images: images?.map(({ mimeType, data, name }) => ({ mimeType, data, name })),
  });
}

/** @returns the JSON body of an abort request (4.2) */
export function abortBody(chatId: string, kind: CredentialKind, settings: SessionSettings | undefined): string {
  return JSON.stringify({ chatId, ...(kind === 'apiKey' && settings ? { sessionSettings: settings } : {}) });
}

/** Branch and user that a query runs for, as in a chat request (2.1, 2.2). */
export type QueryContext = Pick<ChatRequest, 'sessionSettings' | 'activeBranchName' | 'isDefaultBranch'>;

/**
 * @returns the JSON body of a data query
 * @throws ChatError `badRequest` when the session settings break a rule of 2.2
 */
export function dataQueryBody(query: string, kind: CredentialKind, context: QueryContext): string {
  const { sessionSettings, activeBranchName, isDefaultBranch } = context;
  const settings = sessionSettings ? settingsFor(kind, sessionSettings) : {};
  return JSON.stringify({ query, ...settings, activeBranchName, isDefaultBranch });
}
