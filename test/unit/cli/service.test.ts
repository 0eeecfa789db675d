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
    assert.deepEqual(identity('ana').sessionSettings, settings.ana);
    assert.deepEqual(hints, ['ANALYTICS_CHAT_SESSION_SETTINGS: “locale” is unknown here and sent unchanged.']);
  });
});
