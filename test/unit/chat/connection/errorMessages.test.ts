/** What an error tells the user, and the most useful action. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import {
  ChatError,
  errorFromJsonRpc,
  errorFromLine,
  type ChatErrorDetails,
  type ChatErrorKind,
} from '../../../../src/api/errors.ts';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import {
  describeError,
  describeQueryError,
  describeUnsent,
  queryFailureText,
} from '../../../../src/chat/connection/errorMessages.ts';
import { keyProblemText } from '../../../../src/chat/connection/keyProblems.ts';

const error = (kind: ChatErrorKind, details: ChatErrorDetails = {}, message = ''): ChatError =>
  new ChatError(kind, message, details);

const told: [what: string, error: ChatError, message: RegExp, ...actions: string[]][] = [
  ['an unknown branch', error('badRequest', {}, 'Bad branch: x'), /this branch/, 'switchBranch', 'retry'],
  ['a wrong key', error('auth'), /key or token\.$/, 'setApiKey', 'retry'],
  ['an invalid request', error('badRequest', {}, 'no input'), /said: “no input”/, 'retry', 'connect'],
  ['a large message', error('badRequest', { status: 413 }), /too large.*Remove images.*send it again/],
  ['an unknown thread', error('notFound'), /does not exist/, 'newChat', 'connect'],
  ['a missing permission', error('forbidden', {}, 'no'), /another identity.*“no”/, 'switchIdentity', 'setApiKey'],
  ['a blocked request', error('forbidden', { code: 'PAGE' }), /gateway blocked.*VPN.*SQL/, 'retry', 'showLog'],
  ['an answer in progress', error('busy'), /still answering/, 'attach', 'stopAndSend'],
  ['too many requests', error('rateLimited'), /Wait before/, 'retry'],
  ['a wait of no time', error('rateLimited', { retryAfter: 0 }), /Wait before/, 'retry'],
  ['a short wait', error('rateLimited', { retryAfter: 1 }), /Wait 1 second before/, 'retry'],
  ['a wait of a day', error('rateLimited', { retryAfter: 86_400_000 }), /Wait 86.?400 seconds before/, 'retry'],
  ['a longer wait', error('rateLimited', { retryAfter: 86_400_001 }), /Wait before/, 'retry'],
  ['a failing service', error('server', { status: 503 }), /status 503/, 'retry', 'showLog'],
  ['a failing service without status', error('server'), /status 500.*moment\.$/, 'retry', 'showLog'],
  [
    'a failing service that asks to wait',
    error('server', { status: 503, retryAfter: 1500 }),
    /503\. Wait 2 seconds/,
    'retry',
    'showLog',
  ],
  [
    'a failing service that asks for days',
    error('server', { status: 503, retryAfter: 1e12 }),
    /503.*moment\.$/,
    'retry',
    'showLog',
  ],
  ['a failing service with a reason', error('server', {}, 'No table t.'), /said: “No table t\.”/, 'retry', 'showLog'],
  ['a silent service', error('stalled'), /stopped responding\. The partial answer was kept/, 'retry', 'showLog'],
  ['an incomplete answer', error('stalled', { code: 'ENDED_EARLY' }), /ended early/, 'retry', 'showLog'],
  ['a paused answer', error('stalled', { code: 'SUSPENDED' }), /paused/, 'retry', 'showLog'],
  ['a redirect', error('protocol', { code: 'REDIRECT' }), /final URL/, 'connect', 'showLog'],
  [
    'another server',
    error('protocol', { status: 200 }),
    /not the chat service\. Check the Chat API URL\.$/,
    'connect',
    'retry',
  ],
  [
    'a refusal as plain text',
    error('protocol', { status: 402 }, 'No seats.'),
    /said: “No seats\.”/,
    'connect',
    'retry',
  ],
  ['an unknown agent', error('notFound', { status: 404 }, 'No agent 7.'), /said: “No agent 7\.”/, 'newChat', 'connect'],
  ['a failed answer', error('stream', {}, 'Out of memory'), /“Out of memory”/, 'retry', 'showLog'],
  ['an unknown host', error('network', { code: 'ENOTFOUND' }), /Can’t find/, 'retry', 'connect'],
  ['an unavailable DNS', error('network', { code: 'EAI_AGAIN' }), /Can’t find/, 'retry', 'connect'],
  ['a closed port', error('network', { code: 'ECONNREFUSED' }), /refused/, 'retry', 'connect'],
  ['a proxy', error('network', { code: 'PROXY_AUTH' }), /proxy requires/, 'openProxySettings', 'retry'],
  [
    'a proxy that refuses',
    error('network', { code: 'PROXY_403' }),
    /proxy did not connect.*\(status 403\)/,
    'retry',
    'openProxySettings',
  ],
  ['a certificate', error('network', { code: 'CERT_HAS_EXPIRED' }), /not trusted \(CERT_H/, 'retry', 'showLog'],
  [
    'a server without TLS',
    error('network', { code: 'ERR_SSL_VERSION' }),
    /secure.*\(ERR_SSL_VERSION\)/,
    'retry',
    'connect',
  ],
  ['a lost connection', error('network', { code: 'ECONNRESET' }), /lost \(ECONNRESET\)\. The part/, 'retry', 'showLog'],
  ['an unknown cause', error('network'), /could not be reached\. Check your network\.$/, 'retry', 'showLog'],
];

describe('the message of an error', () => {
  for (const [what, failure, message, ...actions] of told)
    it(`names the cause and what to do: ${what}`, () => {
      const shown = describeError(failure);
      assert.deepEqual([shown.kind, shown.actions], [failure.kind, actions]);
      assert.match(shown.message, message);
      assert.doesNotMatch(shown.message, /\{\d\}/);
    });

  it('does not quote a sentence that the extension wrote for a status', () => {
    const own = error('auth', { status: 401 }, 'The service returned status 401.');
    assert.doesNotMatch(describeError(own).message, /said/);
    const other = error('auth', { status: 403 }, 'The service returned status 401.');
    assert.match(describeError(other).message, /said: “The service returned status 401\.”/);
    assert.match(describeError(error('auth', {}, 'expired')).message, /said: “expired”/);
  });

  it('does not quote the sentence for an error without a message', () => {
    for (const own of [errorFromLine(''), errorFromLine('<html>'), errorFromJsonRpc({ code: -32603 })])
      assert.doesNotMatch(describeError(own).message, /said/);
  });

  it('is unchanged if it was found before a request, with the action that fixes it', () => {
    for (const [code, ...actions] of [
      ['NOT_CONNECTED', 'connect'],
      ['NO_CONNECTION', 'newChat', 'addConnection'],
      ['NO_KEY', 'setApiKey', 'retry'],
      ['BAD_KEY', 'setApiKey', 'retry'],
      ['INVALID_SETTINGS', 'openSettings', 'switchIdentity'],
      ['INVALID_REQUEST', 'retry', 'openSettings'],
      ['BAD_URL', 'connect', 'openSettings'],
      ['INSECURE_URL', 'connect', 'openSettings'],
    ] as const)
      assert.deepEqual(describeError(error('badRequest', { code }, 'As found.')), {
        kind: 'badRequest',
        message: 'As found.',
        actions,
      });
  });
});

describe('the message of an error in a browser', () => {
  const world = globalThis as { origin?: unknown };
  afterEach(() => delete world.origin);

  it('names the origin that the service must allow', () => {
    world.origin = 'https://vscode.example';
    assert.match(describeError(error('network')).message, /https:\/\/vscode\.example \(CORS\)/);
  });
});

describe('the message of a data query that failed', () => {
  it('is that of its service, and mentions neither the chat service nor an answer', () => {
    for (const [kind, details, ...actions] of [
      ['stream', {}],
      ['notFound', { status: 404 }, 'openSettings'],
      ['protocol', {}, 'openSettings'],
      ['protocol', { code: 'REDIRECT' }, 'openSettings'],
      ['network', { code: 'ENOTFOUND' }, 'openSettings'],
    ] as const)
      assert.deepEqual(describeQueryError(error(kind, details, 'No table t.')), {
        kind,
        message: 'The data query failed: No table t.',
        actions,
      });
    for (const [kind, code] of [
      ['auth', 'NO_KEY'],
      ['rateLimited', ''],
      ['network', 'PROXY_AUTH'],
    ] as const)
      assert.deepEqual(describeQueryError(error(kind, { code })), describeError(error(kind, { code })));
  });

  it('says in a sentence what is wrong with the key or how long to wait, and otherwise what the service says', () => {
    const texts = [
      error('auth', { status: 401 }, 'Unknown key'),
      error('rateLimited', { status: 429, retryAfter: 60_000 }, 'slow down'),
      error('server', { status: 500 }, 'no such column'),
      new Error('no such file'),
    ].map(queryFailureText);
    assert.deepEqual(texts, [
      'The service does not accept the key or token. The service said: “Unknown key”',
      'Too many requests. Wait 60 seconds before you ask again.',
      'no such column',
      'no such file',
    ]);
  });
});

describe('the message of a question that was not sent', () => {
  const ana = { branch: '', isDefaultBranch: true, identity: 'ana' };
  const ben = { ...ana, identity: 'ben' };
  const dev = { branch: 'dev', isDefaultBranch: false, identity: 'ana' };

  it('names both identities if the thread of another user is not found', () => {
    for (const kind of ['notFound', 'forbidden'] as const) {
      const { message, actions } = describeUnsent(error(kind), ana, { ...dev, identity: 'ben' });
      assert.match(message, /started as ana, and ben/);
      assert.deepEqual(actions, ['newChat', 'switchIdentity']);
    }
  });

  it('offers a new chat if the service refuses another branch than that of the first question', () => {
    for (const kind of ['badRequest', 'stream', 'forbidden', 'notFound'] as const)
      for (const [begun, asked] of [
        [ana, dev],
        [dev, { ...dev, branch: 'other' }],
      ] as const) {
        const { message, actions } = describeUnsent(error(kind, {}, 'Bad branch'), begun, asked);
        assert.match(message, /started on another branch\..*“Bad branch”$/);
        assert.deepEqual(actions, ['askInNewChat', 'switchBranch', 'retry']);
      }
  });

  it('is that of the error for the same identity and branch, an unknown one, or another error', () => {
    const main = { ...ana, branch: 'main' };
    for (const [failure, begun, asked] of [
      [error('notFound'), ana, main],
      [error('badRequest', {}, 'Bad branch'), dev, dev],
      [error('notFound'), undefined, ben],
      [error('forbidden'), ana, undefined],
      [error('server'), ana, { ...dev, identity: 'ben' }],
      [error('forbidden', { code: 'PAGE' }), ana, ben],
      [error('badRequest', { status: 413 }), ana, dev],
      [error('badRequest', { status: 409 }), ana, dev],
    ] as const)
      assert.deepEqual(describeUnsent(failure, begun, asked), describeError(failure, false));
  });

  it('mentions no partial answer', () => {
    const lost = error('network', { code: 'ECONNRESET' });
    assert.doesNotMatch(describeUnsent(lost, undefined, undefined).message, /kept/);
  });
});

describe('the message for a problem', () => {
  it('of the key differ from problem to problem', () => {
    const problems = ['none', 'lost', 'unreadable', 'changed', 'refused', 'forgotten', 'stuck'] as const;
    const texts = problems.map((problem) => keyProblemText(problem, 'https://a.example'));
    assert.equal(new Set(texts).size, problems.length);
    for (const text of texts) assert.match(text, /^(The|There|Can’t) [^{]*\.$/s);
  });

  it('of the history differ from problem to problem', () => {
    const problems = ['notFound', 'full', 'denied', 'readOnly', 'busy', 'tooLarge', 'damaged', 'failed'] as const;
    const texts = problems.map((problem) => new HistoryError(problem).message);
    assert.equal(new Set(texts).size, problems.length);
    for (const text of texts) assert.match(text, /\.$/);
  });
});
