/** Every failure in words that say what to do, with the action that mends it first (part 7). */
import { statusWords, type ChatError } from '../../api/errors.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { ErrorAction, ThreadError } from '../../shared/thread/model.ts';

/** What the service itself has said, if anything; where it gave a status only, the message is ours. */
function quoted({ message, status }: ChatError): string {
  const isOurs = message === '' || (status !== undefined && message === statusWords(status));
  return isOurs ? '' : ` ${t('It said: “{0}”', message)}`;
}

/** A browser does not say why a request failed: the service is away, or does not allow the editor's site (CORS). */
function unreachableWords(): string {
  const { origin } = globalThis as { origin?: unknown };
  if (typeof origin !== 'string') return t('The chat service could not be reached. Check your network.');
  return t(
    'The chat service could not be reached from the browser. Check your network. The service must also allow requests from {0} (CORS): ask its administrator to allow this origin, or use VS Code on the desktop.',
    origin,
  );
}

/** @param kept whether some of the answer has come */
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

/** Milliseconds, of a day: what is longer is not meant to be counted in seconds. */
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

/** Failures that were found before anything was sent: their message says it all. */
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
 * @param kept whether some of the answer may have come
 * @returns the failure as the conversation shows it
 */
export function describeError(error: ChatError, kept = true): ThreadError {
  const { kind } = error;
  const known = FOUND_HERE.get(error.code);
  if (known) return { kind, message: error.message, actions: known };
  const [message, ...actions] = words(error, kept);
  return { kind, message, actions };
}

/**
 * @param begunAs who asked the thread's first question
 * @param askedAs who asks now
 * @returns the failure of a question in a thread; a service that does not know a thread may only hide it (part 7)
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
