import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ChatError } from '../../../src/api/errors.ts';
import { abortBody, curlCommand, requestHeaders, streamBody, withoutLargeImages } from '../../../src/api/request.ts';
import { checkSessionSettings, unknownSettings } from '../../../src/api/sessionRules.ts';
import type { ChatRequest, SessionSettings } from '../../../src/shared/wire/streamLines.ts';

const settings: SessionSettings = { externalId: 'dev' };
const body = (request: ChatRequest, kind: 'apiKey' | 'serviceToken' = 'apiKey'): Record<string, unknown> =>
  JSON.parse(streamBody(request, kind)) as Record<string, unknown>;
const refused = (request: ChatRequest): string => {
  try {
    streamBody(request, 'apiKey');
  } catch (error) {
    assert.ok(error instanceof ChatError && error.kind === 'badRequest');
    return error.message;
  }
  return assert.fail('was not refused');
};

describe('headers', () => {
  it('contain exactly one of the two methods', () => {
    assert.deepEqual(requestHeaders({ kind: 'apiKey', value: 'k1' }), {
      'Content-Type': 'application/json',
      Authorization: 'Api-Key k1',
    });
    assert.deepEqual(requestHeaders({ kind: 'serviceToken', value: ' a.b.c\n' }), {
      'Content-Type': 'application/json',
      'X-Svc-Auth-Token': 'a.b.c',
    });
  });

  it('reject a credential that is not a valid header value, without repeating it', () => {
    for (const value of ['', '  ', 'a b', 'a\r\nX-Other: 1', 'schlüssel', '\u0000'])
      assert.throws(
        () => requestHeaders({ kind: 'apiKey', value }),
        (error) =>
          error instanceof ChatError && error.kind === 'auth' && !(value.trim() && error.message.includes(value)),
      );
  });
});

describe('stream requests', () => {
  it('contain every field of the contract, and no others', () => {
    const request: ChatRequest = {
      input: 'revenue?',
      chatId: 'c1',
      messageId: '1700000000000-message',
      sessionSettings: settings,
      activeBranchName: 'dev',
      isDefaultBranch: false,
      images: [{ mimeType: 'image/png', data: 'iVBO', name: 'a.png' }],
    };
    assert.deepEqual(body({ ...request, other: 1 } as ChatRequest), request);
  });

  it('contain only the type, data and name of an image', () => {
    const image = { mimeType: 'image/png', data: 'iVBO', name: 'a.png' };
    const images = [{ ...image, path: '/home/dev/a.png' }];
    assert.deepEqual(body({ input: 'x', sessionSettings: settings, images }).images, [image]);
  });

  it('omit undefined fields', () => {
    assert.deepEqual(body({ input: 'x' }, 'serviceToken'), { input: 'x' });
    assert.deepEqual(body({ chatId: 'c', sessionSettings: settings }), { chatId: 'c', sessionSettings: settings });
  });

  it('accept a messageId of 13 digits or more, then “-message”', () => {
    for (const messageId of ['1700000000000-message', '17000000000001-message'])
      assert.equal(body({ input: 'x', messageId, sessionSettings: settings }).messageId, messageId);
    const wrong = ['170000000000-message', '1700000000000', '1700000000000-messages', 'x1700000000000-message', ''];
    for (const messageId of wrong)
      assert.match(refused({ input: 'x', messageId, sessionSettings: settings }), /messageId/);
  });

  it('may omit the message and the thread, which creates a new thread', () => {
    assert.deepEqual(body({ sessionSettings: settings }), { sessionSettings: settings });
  });

  it('require session settings with an API key, and omit them with a service token', () => {
    assert.match(refused({ input: 'x' }), /Session settings are required/);
    assert.equal(body({ input: 'x', sessionSettings: settings }, 'serviceToken').sessionSettings, undefined);
    assert.deepEqual(body({ input: 'x', sessionSettings: settings }).sessionSettings, settings);
  });

  it('require images with a type and plain base64 data', () => {
    for (const image of [
      { mimeType: '', data: 'x' },
      { mimeType: 'image/png', data: '' },
      { mimeType: 'image/png', data: 'data:image/png;base64,x' },
    ])
      assert.match(refused({ input: 'x', sessionSettings: settings, images: [image] }), /image/i);
  });

  it('reject invalid settings with the message of the rule', () => {
    assert.match(refused({ input: 'x', sessionSettings: { externalId: 'Dev' } }), /lowercase: dev/);
  });
});

describe('abort requests', () => {
  it('contain the thread and, with an API key, the user', () => {
    assert.deepEqual(JSON.parse(abortBody('c1', 'apiKey', settings)), { chatId: 'c1', sessionSettings: settings });
    assert.deepEqual(JSON.parse(abortBody('c1', 'serviceToken', settings)), { chatId: 'c1' });
    assert.deepEqual(JSON.parse(abortBody('c1', 'apiKey', undefined)), { chatId: 'c1' });
  });
});

describe('a cURL command', () => {
  const url = 'https://agent.example/chat';
  const lines = (kind: 'apiKey' | 'serviceToken', json: string): string[] => curlCommand(url, kind, json).split('\n');

  it('has an argument on each line, and the credential from the shell', () => {
    const start = ["curl --no-buffer --request POST 'https://agent.example/chat' \\"];
    const type = '  --header "Content-Type: application/json" \\';
    assert.deepEqual(lines('apiKey', `{"input":"it's"}`), [
      ...[...start, type, '  --header "Authorization: Api-Key $ANALYTICS_CHAT_API_KEY" \\'],
      `  --data-raw '{"input":"it'\\''s"}'`,
    ]);
    assert.deepEqual(lines('serviceToken', '{}'), [
      ...[...start, type, '  --header "X-Svc-Auth-Token: $ANALYTICS_CHAT_SERVICE_TOKEN" \\', "  --data-raw '{}'"],
    ]);
  });

  it('pipes a body that is too long for an argument, by its bytes', () => {
    for (const [json, isPiped] of [
      ['a'.repeat(100_000), false],
      ['a'.repeat(100_001), true],
      ['é'.repeat(60_000), true],
    ] as const) {
      const [first = '', ...more] = lines('apiKey', json);
      assert.equal(first.startsWith(`printf %s '${json}' | curl `), isPiped);
      assert.equal(more.at(-1), isPiped ? '  --data-binary @-' : `  --data-raw '${json}'`);
    }
  });

  it('has large images by their name or type, and everything else of the request', () => {
    const image = (length: number, name?: string) => ({
      mimeType: 'image/png',
      data: 'A'.repeat(length),
      ...(name === undefined ? {} : { name }),
    });
    const request = { input: 'x', images: [image(8_000), image(8_001), image(8_001, 'a.png')] };
    assert.deepEqual(withoutLargeImages(request), {
      input: 'x',
      images: [
        image(8_000),
        { ...image(8_001), data: '<base64 of image/png>' },
        { ...image(8_001, 'a.png'), data: '<base64 of a.png>' },
      ],
    });
    for (const small of [{ input: 'x' }, { input: 'x', images: [image(8_000)] }])
      assert.equal(withoutLargeImages(small), small);
  });
});

describe('session settings', () => {
  const broken = (value: unknown): string[] => checkSessionSettings(value).map(({ message }) => message);

  it('accept every field of the contract', () => {
    const all: SessionSettings = {
      externalId: 'dev',
      email: 'dev@example.com',
      userAttributes: [{ name: 'region', value: 'EU' }],
      groups: ['g'],
      securityContext: { tenant: 1 },
      roles: ['r'],
      publicDashboardId: 'd',
      isEphemeral: false,
      ephemeralTtlSeconds: 60,
      timezone: 'Europe/Berlin',
      allowChatWorkspaceAuthoring: false,
    };
    assert.deepEqual(broken(all), []);
    assert.deepEqual(broken({ internalId: 'Me@Example.com ', email: 'x', isEphemeral: true }), []);
  });

  it('require either externalId or internalId, not both', () => {
    assert.match(broken({}).join(), /Either externalId or internalId is required/);
    assert.match(broken({ externalId: 'a', internalId: 'b' }).join(), /not both/);
  });

  it('require a lowercase externalId without spaces', () => {
    for (const [externalId, words] of [
      ['', /non-empty/],
      [7, /string/],
      ['Dev', /lowercase: dev/],
      [' dev', /spaces/],
      ['a b', /spaces/],
      ['dev\n', /spaces/],
    ] as const)
      assert.match(broken({ externalId }).join(), words);
  });

  it('reject each field that is not allowed for internal users', () => {
    const extra = { userAttributes: [], groups: [], securityContext: {}, roles: [] };
    const messages = broken({ internalId: 'me', ...extra });
    assert.equal(messages.length, 4);
    for (const field of Object.keys(extra))
      assert.ok(messages.includes(`${field} is not allowed with internalId.`), field);
  });

  it('have a separate message for each field of the wrong type', () => {
    const wrong = {
      email: 1,
      userAttributes: [{ name: 'a', value: 1 }],
      groups: ['a', 1],
      securityContext: [],
      roles: 'admin',
      publicDashboardId: {},
      isEphemeral: 'no',
      ephemeralTtlSeconds: -1,
      timezone: 'CETT',
      allowChatWorkspaceAuthoring: 'no',
    };
    const violations = checkSessionSettings({ externalId: 'a', ...wrong });
    assert.deepEqual(violations.map(({ field }) => field).sort(), Object.keys(wrong).sort());
    for (const { field, message } of violations) assert.ok(message.includes(field), message);
    assert.equal(new Set(violations.map(({ message }) => message)).size, violations.length);
    assert.match(broken({ internalId: ' ' }).join(), /internalId must be a non-empty string/);
  });

  it('have a message for attributes that are not complete', () => {
    for (const attribute of [null, 'region', {}, { name: '', value: 'EU' }, { name: 1, value: 'EU' }])
      assert.match(broken({ externalId: 'a', userAttributes: [attribute] }).join(), /userAttributes must be/);
  });

  it('require numbers of seconds above zero', () => {
    for (const ephemeralTtlSeconds of [0, -1, NaN, Infinity, '60'])
      assert.match(broken({ externalId: 'a', ephemeralTtlSeconds }).join(), /must be a positive number/);
  });

  it('require the IANA name of a time zone', () => {
    for (const timezone of ['', 'Berlin', '+02:00', 'Europe/Berlin ', 2])
      assert.match(broken({ externalId: 'a', timezone }).join(), /IANA name/, String(timezone));
    for (const timezone of ['UTC', 'America/Argentina/Buenos_Aires'])
      assert.deepEqual(broken({ externalId: 'a', timezone }), []);
  });

  it('may contain more, which is sent unchanged and named as unknown', () => {
    const more = { externalId: 'a', locale: 'de' };
    assert.deepEqual([broken(more), unknownSettings(more)], [[], ['locale']]);
    assert.deepEqual(body({ input: 'x', sessionSettings: more }).sessionSettings, more);
  });

  it('require lists of attributes and texts', () => {
    for (const field of ['userAttributes', 'groups', 'roles'])
      for (const value of ['a', { length: 0 }])
        assert.match(broken({ externalId: 'a', [field]: value }).join(), RegExp(`^${field} must be an array`));
    assert.match(broken({ internalId: 7 }).join(), /internalId must be/);
  });

  it('must be an object', () => {
    for (const value of [null, undefined, 'dev', []]) assert.match(broken(value).join(), /must be an object/);
  });
});
