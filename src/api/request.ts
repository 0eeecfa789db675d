/** Builds and validates request bodies (2.1, 4.2) and headers (part 5), and formats them as `curl` commands. */
import { t } from '../shared/text/l10n.ts';
import { MESSAGE_ID, type ChatRequest, type SessionSettings } from '../shared/wire/streamLines.ts';
import { ChatError } from './errors.ts';
import { checkSessionSettings, type CredentialKind } from './sessionRules.ts';

export interface Credential {
  kind: CredentialKind;
  /** Empty until it is first renewed. */
  value: string;
  /**
   * Gets a valid value before each request.
   * @param rejected a value that the service has rejected
   */
  renew?: (rejected?: string) => Promise<string>;
}

/** @returns a localized reason why a key or token can't be sent in a header */
export const credentialProblem = (value: string): string | undefined =>
  /^[\x21-\x7e]+$/.test(value.trim())
    ? undefined
    : t('The key or token is empty or contains spaces or other invalid characters.');

/**
 * @returns headers with exactly one of the two authentication methods of part 5
 * @throws ChatError `auth` if the credential is not a valid header value
 */
export function requestHeaders({ kind, value }: Credential): Record<string, string> {
  const problem = credentialProblem(value);
  if (problem !== undefined) throw new ChatError('auth', problem, { code: 'BAD_KEY' });
  const credential = value.trim();
  const header: Record<string, string> =
    kind === 'apiKey' ? { Authorization: `Api-Key ${credential}` } : { 'X-Svc-Auth-Token': credential };
  return { 'Content-Type': 'application/json', ...header };
}

const refuse = (message: string): never => {
  throw new ChatError('badRequest', message, { code: 'INVALID_REQUEST' });
};

/** Session settings are omitted with a service token, because the service ignores them. */
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
 * @throws ChatError `badRequest` if the request breaks a rule of 2.1 to 2.3
 */
export function streamBody(request: ChatRequest, kind: CredentialKind): string {
  const { input, chatId, messageId, activeBranchName, isDefaultBranch, images } = request;
  if (messageId !== undefined && !MESSAGE_ID.test(messageId))
    refuse(t('messageId must be a Unix time in milliseconds followed by “-message”.'));
  for (const { mimeType, data } of images ?? [])
    if (mimeType === '' || data === '' || data.startsWith('data:')) refuse(t('An image needs a type and base64 data.'));
  // JSON.stringify omits undefined fields; fields outside the specification are not sent.
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
  return JSON.stringify({ chatId, sessionSettings: kind === 'apiKey' ? settings : undefined });
}

/** The branch and user of a query, as in a chat request (2.1, 2.2). */
export type QueryContext = Pick<ChatRequest, 'sessionSettings' | 'activeBranchName' | 'isDefaultBranch'>;

/**
 * @returns the JSON body of a data query
 * @throws ChatError `badRequest` if the session settings break a rule of 2.2
 */
export function dataQueryBody(query: string, kind: CredentialKind, context: QueryContext): string {
  const { sessionSettings, activeBranchName, isDefaultBranch } = context;
  const settings = sessionSettings ? settingsFor(kind, sessionSettings) : {};
  return JSON.stringify({ query, ...settings, activeBranchName, isDefaultBranch });
}

/** The environment variable that holds the credential. */
export const SHELL_VARIABLE: Readonly<Record<CredentialKind, string>> = {
  apiKey: 'ANALYTICS_CHAT_API_KEY',
  serviceToken: 'ANALYTICS_CHAT_SERVICE_TOKEN',
};

/** Bytes. The system limits the length of an argument (128 KiB on Linux), but not the output of a shell builtin. */
const LONGEST_ARGUMENT = 100_000;

/** Base64 characters; a longer image would make the command too long to read or paste. */
const LONGEST_IMAGE = 8_000;

/** @returns the request with the data of large images replaced by their names; the same object if it has none */
export function withoutLargeImages(request: ChatRequest): ChatRequest {
  if (!request.images?.some(({ data }) => data.length > LONGEST_IMAGE)) return request;
  const images = request.images.map((image) =>
    image.data.length > LONGEST_IMAGE ? { ...image, data: `<base64 of ${image.name ?? image.mimeType}>` } : image,
  );
  return { ...request, images };
}

/** Single quotes prevent every expansion, including history expansion; a single quote is written as `'\''`. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Formats a request for a POSIX shell, with the credential in an environment variable.
 * @param url inserted into the command unchanged
 * @param body JSON of the request, sent byte for byte
 * @returns the command; `curl` prints the response lines as they arrive
 */
export function curlCommand(url: string, kind: CredentialKind, body: string): string {
  const headers = Object.entries(requestHeaders({ kind, value: `$${SHELL_VARIABLE[kind]}` })).map(
    // Double quotes, so that the shell expands the variable; names and values contain no user input.
    ([name, value]) => `--header "${name}: ${value}"`,
  );
  const parts = [`curl --no-buffer --request POST ${quoted(url)}`, ...headers];
  const isLong = new TextEncoder().encode(body).length > LONGEST_ARGUMENT;
  parts.push(isLong ? '--data-binary @-' : `--data-raw ${quoted(body)}`);
  return (isLong ? `printf %s ${quoted(body)} | ` : '') + parts.join(' \\\n  ');
}
