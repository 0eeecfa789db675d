import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { readEnvironment } from '../../../src/cli/environment.ts';
import { Service } from '../../../src/cli/service.ts';
import { ndjson, services, type Asked } from '../api/support/service.ts';
import { cutoff, echo } from '../chat/support/answers.ts';

const { start, closeAll } = services();

describe('a question of the command line to a service that is silent', () => {
  afterEach(closeAll);

  const ask = async (url: string) => {
    const variables = { ANALYTICS_CHAT_API_URL: url, ANALYTICS_CHAT_API_KEY: 'k', ANALYTICS_CHAT_EXTERNAL_ID: 'ada' };
    const environment = readEnvironment(variables, () => undefined);
    return new Service(environment, undefined).ask({
      question: 'revenue?',
      signal: new AbortController().signal,
      giveUpAfter: 40,
    });
  };

  it('is given up after the time that it was given, with the reason, also if the service has it', async () => {
    for (const begin of [() => undefined, (asked: Asked) => void asked.response.write(ndjson(cutoff(), echo(asked)))]) {
      const { url } = await start(begin);
      assert.match((await ask(url)).error ?? '', /stopped responding|didn’t respond/);
    }
  });
});

describe('the session settings of the environment', () => {
  it('are sent unchanged if they are unknown, with a hint', () => {
    const settings = {
      ana: { externalId: 'ana', locale: 'de', timezone: 'Europe/Berlin' },
      ben: { externalId: 'ben' },
    };
    const { hints, identity } = readEnvironment(
      {
        ANALYTICS_CHAT_API_URL: 'https://agent.example',
        ANALYTICS_CHAT_API_KEY: 'k',
        ANALYTICS_CHAT_SESSION_SETTINGS: JSON.stringify(settings),
      },
      () => undefined,
    );
    assert.deepEqual(identity('ana').sessionSettings, { ...settings.ana, allowChatWorkspaceAuthoring: false });
    assert.deepEqual(hints, ['ANALYTICS_CHAT_SESSION_SETTINGS: “locale” is unknown here and sent unchanged.']);
  });

  it('turn authoring off unless they allow it, and then or with a service token, the tools are not read-only', () => {
    const read = (variables: Record<string, string>) =>
      readEnvironment({ ANALYTICS_CHAT_API_URL: 'https://agent.example', ...variables }, () => undefined);
    const withSettings = (settings: object) =>
      read({ ANALYTICS_CHAT_API_KEY: 'k', ANALYTICS_CHAT_SESSION_SETTINGS: JSON.stringify(settings) });
    const off = read({ ANALYTICS_CHAT_API_KEY: 'k', ANALYTICS_CHAT_EXTERNAL_ID: 'ana' });
    assert.deepEqual(off.identity().sessionSettings, { externalId: 'ana', allowChatWorkspaceAuthoring: false });
    const author = { externalId: 'ben', allowChatWorkspaceAuthoring: true };
    const on = withSettings({ ana: { externalId: 'ana' }, ben: author });
    assert.deepEqual(on.identity('ben').sessionSettings, author);
    const token = read({ ANALYTICS_CHAT_SERVICE_TOKEN: 't' });
    assert.deepEqual(
      [off, on, withSettings(author), withSettings({ ana: { externalId: 'ana' } }), token].map(
        ({ isReadOnly }) => isReadOnly,
      ),
      [true, false, false, true, false],
    );
  });
});

describe('the environment of the command line', () => {
  const complete = {
    ANALYTICS_CHAT_API_URL: 'https://agent.example',
    ANALYTICS_CHAT_API_KEY: 'k',
    ANALYTICS_CHAT_EXTERNAL_ID: 'ci',
  };
  const cases: [variables: Record<string, string>, message: RegExp][] = [
    [{ ANALYTICS_CHAT_API_URL: '' }, /^Set ANALYTICS_CHAT_API_URL/],
    [{ ANALYTICS_CHAT_API_URL: 'http://example.com' }, /^ANALYTICS_CHAT_API_URL: .*https/],
    [{ ANALYTICS_CHAT_EXTERNAL_ID: '' }, /^Set ANALYTICS_CHAT_EXTERNAL_ID/],
    [{ ANALYTICS_CHAT_EXTERNAL_ID: 'Eve X' }, /^ANALYTICS_CHAT_EXTERNAL_ID: externalId must not/],
    [
      { ANALYTICS_CHAT_EXTERNAL_ID: '', ANALYTICS_CHAT_SESSION_SETTINGS: '{"externalId": "Eve X"}' },
      /^ANALYTICS_CHAT_SESSION_SETTINGS: externalId must not/,
    ],
    [
      { ANALYTICS_CHAT_EXTERNAL_ID: '', ANALYTICS_CHAT_SESSION_SETTINGS: '{"x": "secret' },
      /^ANALYTICS_CHAT_SESSION_SETTINGS is not JSON\.$/,
    ],
    [
      { ANALYTICS_CHAT_TOKEN_COMMAND: '["id"]' },
      /^Set only one of ANALYTICS_CHAT_API_KEY, ANALYTICS_CHAT_TOKEN_COMMAND\.$/,
    ],
    ...['id', '{}', '[]'].map((command): [Record<string, string>, RegExp] => [
      { ANALYTICS_CHAT_API_KEY: '', ANALYTICS_CHAT_TOKEN_COMMAND: command },
      /^ANALYTICS_CHAT_TOKEN_COMMAND is not/,
    ]),
  ];
  for (const [variables, message] of cases)
    it(`is refused in words with ${JSON.stringify(variables)}`, () => {
      const read = () => readEnvironment({ ...complete, ...variables }, () => undefined).identity();
      assert.throws(read, { name: 'UsageError', message });
    });
});
