/** Converts API errors to messages with actions, the most useful action first (part 7). */
import { statusWords, type ChatError } from '../../api/errors.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { ErrorAction, ThreadError } from '../../shared/thread/model.ts';

/** The service's own message; empty if it sent only a status, since the message is then generated. */
function quoted({ message, status }: ChatError): string {
  const isOurs = message === '' || (status !== undefined && message === statusWords(status));
  return isOurs ? '' : ` ${t('It said: “{0}”', message)}`;
}

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

/** @param kept whether a partial answer was received */
const lost = (words: string, kept: boolean): string => (kept ? `${words} ${t('What came so far is kept.')}` : words);

function networkWords(error: ChatError, kept: boolean): [string, ...ErrorAction[]] {
  const code = error.code ?? '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return [
      t('The address of the chat service was not found. Check the Chat API URL and your network.'),
      'retry',
      'connect',
    ];
  if (code === 'ECONNREFUSED')
    return [
      t('The chat service does not accept connections. Check the Chat API URL, or try again later.'),
      'retry',
      'connect',
    ];
  if (code === 'PROXY_AUTH')
    return [
      t(
        'The proxy wants a user name and password. Put them into the setting “http.proxy”, as in http://user:password@proxy:8080, then retry.',
      ),
      'openProxySettings',
      'retry',
    ];
  if (error.untrusted)
    return [
      t(
        'The certificate of the chat service is not trusted ({0}). Ask your administrator for its certificate authority, add it to the certificates of this system, and restart VS Code.',
        code,
      ),
      'retry',
      'showLog',
    ];
  if (code === '') return [unreachableWords(), 'retry', 'showLog'];
  return [lost(t('The connection to the chat service was lost ({0}).', code), kept), 'retry', 'showLog'];
}

function silenceWords(code: string | undefined): string {
  if (code === 'ENDED_EARLY') return t('The answer ended before it was complete.');
  if (code === 'SUSPENDED') return t('The service has put this answer off.');
  return t('The service has gone silent.');
}

/** Milliseconds (one day); longer waits are not shown in seconds. */
const LONGEST_TOLD = 24 * 60 * 60_000;

function words(error: ChatError, kept: boolean): [string, ...ErrorAction[]] {
  if (error.badBranch)
    return [t('The service does not know this branch. Choose another one to ask again.'), 'switchBranch', 'retry'];
  switch (error.kind) {
    case 'auth':
      return [t('The service does not accept the key or token.') + quoted(error), 'setApiKey', 'retry'];
    case 'badRequest':
      return [t('The service rejects the request.') + quoted(error), 'retry', 'connect'];
    case 'notFound':
      return [
        t('The agent or this thread does not exist on the service. Check the Chat API URL, or start a new chat.'),
        'newChat',
        'connect',
      ];
    case 'forbidden':
      return [
        t('This user may not do that here. Choose another identity or key.') + quoted(error),
        'switchIdentity',
        'setApiKey',
      ];
    case 'busy':
      return [t('An answer is still being written in this thread.'), 'attach', 'stopAndSend'];
    case 'rateLimited':
      return !error.retryAfter || error.retryAfter > LONGEST_TOLD
        ? [t('The service asks to wait before the next question.'), 'retry']
        : [
            plural(
              Math.ceil(error.retryAfter / 1000),
              'The service asks to wait {0} second before the next question.|The service asks to wait {0} seconds before the next question.',
            ),
            'retry',
          ];
    case 'server':
      return [t('The service has failed ({0}). Try again in a moment.', error.status ?? 500), 'retry', 'showLog'];
    case 'stalled':
      return [lost(silenceWords(error.code), kept), 'retry', 'showLog'];
    case 'protocol':
      return error.code === 'REDIRECT'
        ? [
            t(
              'The Chat API URL leads to a redirect, which is not followed so that your key stays safe. Paste the final URL.',
            ),
            'connect',
            'showLog',
          ]
        : [t('What answered is not the chat service. Check the Chat API URL.'), 'connect', 'retry'];
    case 'stream':
      return [t('The agent could not finish.') + quoted(error), 'retry', 'showLog'];
    case 'network':
      return networkWords(error, kept);
  }
}

/** Actions for errors found before a request is sent; their messages are complete. */
const FOUND_HERE: ReadonlyMap<string | undefined, readonly ErrorAction[]> = new Map([
  ['NOT_CONNECTED', ['connect']],
  ['NO_CONNECTION', ['newChat', 'addConnection']],
  ['NO_KEY', ['setApiKey', 'retry']],
  ['BAD_KEY', ['setApiKey', 'retry']],
  ['INVALID_SETTINGS', ['openSettings', 'switchIdentity']],
  ['INVALID_REQUEST', ['retry', 'openSettings']],
  ['BAD_URL', ['connect', 'openSettings']],
  ['INSECURE_URL', ['connect', 'openSettings']],
]);

/**
 * @param kept whether a partial answer may have been received
 * @returns the error as shown in the conversation
 */
export function describeError(error: ChatError, kept = true): ThreadError {
  const { kind } = error;
  const known = FOUND_HERE.get(error.code);
  if (known) return { kind, message: error.message, actions: known };
  const [message, ...actions] = words(error, kept);
  return { kind, message, actions };
}

/**
 * Describes the failure of a question in an existing thread. A service may report a thread of another user as not found
 * (part 7).
 * @param begunAs identity of the thread's first question
 * @param askedAs identity of this question
 */
export function describeUnsent(
  error: ChatError,
  begunAs: string | undefined,
  askedAs: string | undefined,
): ThreadError {
  const isHidden = error.kind === 'notFound' || error.kind === 'forbidden';
  if (!isHidden || begunAs === undefined || askedAs === undefined || begunAs === askedAs)
    return describeError(error, false);
  return {
    kind: error.kind,
    message: t(
      'This chat was begun as {0}, and the service does not open it to {1}. Ask in a new chat: your text goes along.',
      begunAs,
      askedAs,
    ),
    actions: ['newChat', 'switchIdentity'],
  };
}
