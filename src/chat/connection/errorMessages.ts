/** Messages for API errors, with actions, the most useful one first (part 7). */
import { ChatError, PAGE, PROXY, statusWords, unexplained } from '../../api/errors.ts';
import { messageOf } from '../../shared/text/checks.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { ErrorAction, QuestionContext, ThreadError } from '../../shared/thread/model.ts';

/** The message of the service; empty if it sent none, because the message was then generated. */
function quoted({ message, status }: ChatError): string {
  const generated = ['', unexplained(), ...(status === undefined ? [] : [statusWords(status)])];
  return generated.includes(message) ? '' : ` ${t('The service said: “{0}”', message)}`;
}

/** The text of another status than 200: a service may refuse a question in plain text, as a gateway does. */
const refusalOf = (error: ChatError): string => ((error.status ?? 0) >= 400 ? quoted(error) : '');

/**
 * Browsers don't report why a request failed: the service is unreachable, or does not allow the editor's origin (CORS).
 */
function unreachableWords(): string {
  const { origin } = globalThis as { origin?: unknown };
  if (typeof origin !== 'string') return t('The chat service could not be reached. Check your network.');
  return t(
    'The chat service could not be reached from the browser. Check your network. The service must also allow requests from {0} (CORS): ask its administrator to allow this origin, or use VS Code on the desktop.',
    origin,
  );
}

/** Codes of connections that were never established, as without a VPN. */
const UNREACHABLE = ['UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

/** @param kept whether a partial answer was received */
const lost = (words: string, kept: boolean): string => (kept ? `${words} ${t('The partial answer was kept.')}` : words);

function networkWords(error: ChatError, kept: boolean): [string, ...ErrorAction[]] {
  const code = error.code ?? '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return [t('Can’t find the chat service. Check the Chat API URL and your network.'), 'retry', 'connect'];
  if (code === 'ECONNREFUSED')
    return [
      t('The chat service refused the connection. Check the Chat API URL, or try again later.'),
      'retry',
      'connect',
    ];
  if (code === 'PROXY_AUTH')
    return [
      t(
        'The proxy requires a user name and password. Add them to the setting “http.proxy”, for example http://user:password@proxy:8080, then retry.',
      ),
      'openProxySettings',
      'retry',
    ];
  if (code.startsWith(PROXY))
    return [
      t(
        'The proxy did not connect to the chat service (status {0}). Check your proxy, and whether it allows this host.',
        code.slice(PROXY.length),
      ),
      'retry',
      'openProxySettings',
    ];
  // A TLS error that does not concern the certificate: usually `https://` for a server that only has `http://`.
  if (error.untrusted && !/CERT|UNABLE_TO/.test(code))
    return [
      t('Can’t establish a secure connection to the chat service ({0}). Check the Chat API URL.', code),
      'retry',
      'connect',
    ];
  if (error.untrusted)
    return [
      t(
        'The certificate of the chat service is not trusted ({0}). Ask your administrator for the certificate of its authority, add it to your system’s trusted certificates, and restart VS Code.',
        code,
      ),
      'retry',
      'showLog',
    ];
  if (code === '' || UNREACHABLE.includes(code)) return [unreachableWords(), 'retry', 'showLog'];
  return [lost(t('The connection to the chat service was lost ({0}).', code), kept), 'retry', 'showLog'];
}

function silenceWords(code: string | undefined): string {
  if (code === 'ENDED_EARLY') return t('The answer ended early.');
  if (code === 'SUSPENDED') return t('The service paused this answer.');
  return t('The service stopped responding.');
}

/** Milliseconds (one day); longer waits are not shown in seconds. */
const LONGEST_SHOWN = 24 * 60 * 60_000;

const isShown = (retryAfter: number | undefined): retryAfter is number =>
  retryAfter !== undefined && retryAfter > 0 && retryAfter <= LONGEST_SHOWN;

function serverWords({ status = 500, retryAfter }: ChatError): string {
  if (!isShown(retryAfter)) return t('The service failed with status {0}. Try again in a moment.', status);
  const seconds = Math.ceil(retryAfter / 1000);
  return plural(
    seconds,
    'The service failed with status {1}. Wait {0} second before you ask again.|The service failed with status {1}. Wait {0} seconds before you ask again.',
    seconds.toLocaleString(),
    status,
  );
}

function words(error: ChatError, kept: boolean): [string, ...ErrorAction[]] {
  if (error.badBranch)
    return [
      t('The service does not know this branch. Switch to another branch and ask again.'),
      'switchBranch',
      'retry',
    ];
  switch (error.kind) {
    case 'auth':
      return [t('The service does not accept the key or token.') + quoted(error), 'setApiKey', 'retry'];
    case 'badRequest':
      if (error.status === 413)
        return [t('The message is too large for the service. Remove images or shorten the text, then send it again.')];
      return [t('The service rejected the request.') + quoted(error), 'retry', 'connect'];
    case 'notFound':
      return [
        t('The agent or this chat does not exist on the service. Check the Chat API URL, or start a new chat.') +
          quoted(error),
        'newChat',
        'connect',
      ];
    case 'forbidden':
      if (error.code === PAGE)
        return [
          t(
            'A gateway blocked the request before it reached the service (status 403). Check your network and VPN. Some firewalls also block text that contains SQL.',
          ),
          'retry',
          'showLog',
        ];
      return [
        t('This user doesn’t have permission. Choose another identity or key.') + quoted(error),
        'switchIdentity',
        'setApiKey',
      ];
    case 'busy':
      return [t('The agent is still answering in this chat.'), 'attach', 'stopAndSend'];
    case 'rateLimited':
      return isShown(error.retryAfter)
        ? [
            plural(
              Math.ceil(error.retryAfter / 1000),
              'Too many requests. Wait {0} second before you ask again.|Too many requests. Wait {0} seconds before you ask again.',
            ),
            'retry',
          ]
        : [t('Too many requests. Wait before you ask again.'), 'retry'];
    case 'server':
      return [serverWords(error) + quoted(error), 'retry', 'showLog'];
    case 'stalled':
      return [lost(silenceWords(error.code), kept), 'retry', 'showLog'];
    case 'protocol':
      return error.code === 'REDIRECT'
        ? [
            t(
              'The Chat API URL redirects to another URL. To protect your key, redirects are not followed. Enter the final URL.',
            ),
            'connect',
            'showLog',
          ]
        : [
            t('The server at this URL is not the chat service. Check the Chat API URL.') + refusalOf(error),
            'connect',
            'retry',
          ];
    case 'stream':
      return [t('The agent couldn’t finish the answer.') + quoted(error), 'retry', 'showLog'];
    case 'network':
      return networkWords(error, kept);
  }
}

/** Actions for errors whose messages are those of this client, and shown unchanged. */
const OWN_WORDS: ReadonlyMap<string | undefined, readonly ErrorAction[]> = new Map([
  ['NOT_CONNECTED', ['connect']],
  ['NO_CONNECTION', ['newChat', 'addConnection']],
  ['NO_KEY', ['setApiKey', 'retry']],
  ['BAD_KEY', ['setApiKey', 'retry']],
  ['TOKEN_COMMAND', ['retry', 'openSettings']],
  ['INVALID_SETTINGS', ['openSettings', 'switchIdentity']],
  ['INVALID_REQUEST', ['retry', 'openSettings']],
  ['BAD_URL', ['connect', 'openSettings']],
  ['INSECURE_URL', ['connect', 'openSettings']],
  ['TOKENS_ONLY', ['connect']],
]);

/**
 * @param kept whether a partial answer may have been received
 * @returns the error as shown in the conversation
 */
export function describeError(error: ChatError, kept = true): ThreadError {
  const { kind } = error;
  const known = OWN_WORDS.get(error.code);
  if (known) return { kind, message: error.message, actions: known };
  const [message, ...actions] = words(error, kept);
  return { kind, message, actions };
}

/** Failures whose messages are about the chat service and its answers. */
const ABOUT_CHAT: readonly ChatError['kind'][] = ['notFound', 'protocol', 'stream', 'network'];

/** Describes the failure of a data query, of which a service says more than these messages about chats. */
export function describeQueryError(error: ChatError): ThreadError {
  const { kind, message } = error;
  if (!ABOUT_CHAT.includes(kind) || error.code === 'PROXY_AUTH') return describeError(error, false);
  const actions = kind === 'stream' ? [] : (['openSettings'] as const);
  return { kind, message: t('The data query failed: {0}', message), actions };
}

/** Failures for which a service often says nothing, or nothing of the key and of the time to wait. */
const EXPLAINED: readonly ChatError['kind'][] = ['auth', 'forbidden', 'rateLimited'];

/** @returns the reason of a failed data query, to follow words such as “The expected SQL failed:” */
export const queryFailureText = (failure: unknown): string =>
  failure instanceof ChatError && EXPLAINED.includes(failure.kind)
    ? describeError(failure, false).message
    : messageOf(failure);

/** Failures by which a service may refuse a question because of its thread. */
const REFUSALS: readonly ChatError['kind'][] = ['badRequest', 'forbidden', 'notFound', 'stream'];

/** The main branch may be named or not. */
const isOtherBranch = (a: QuestionContext, b: QuestionContext): boolean =>
  !(a.isDefaultBranch && b.isDefaultBranch) && a.branch !== b.branch;

/**
 * Describes the failure of a question in an existing thread. A service may report a thread of another user as not found
 * (part 7), and may refuse other branches than that of the first question.
 * @param begun branch and identity of the thread's first question
 * @param asked branch and identity of this question
 */
export function describeUnsent(
  error: ChatError,
  begun: QuestionContext | undefined,
  asked: QuestionContext | undefined,
): ThreadError {
  const words = describeError(error, false);
  const isRefusal =
    error.code === undefined && error.status !== 413 && !error.untimely && REFUSALS.includes(error.kind);
  if (!isRefusal || begun === undefined || asked === undefined) return words;
  const isHidden = error.kind === 'notFound' || error.kind === 'forbidden';
  if (isHidden && begun.identity !== asked.identity)
    return {
      kind: error.kind,
      message: t(
        'This chat was started as {0}, and {1} doesn’t have access to it. Start a new chat to ask; your message is kept.',
        begun.identity,
        asked.identity,
      ),
      actions: ['newChat', 'switchIdentity'],
    };
  if (!isOtherBranch(begun, asked)) return words;
  return {
    kind: error.kind,
    message:
      t('The service refused the question, perhaps because this chat was started on another branch.') + quoted(error),
    actions: ['askInNewChat', 'switchBranch', 'retry'],
  };
}
