import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ChatClient, ChatError, type Credential } from '../../../src/api/client.ts';
import { services } from './support/service.ts';

const { start, closeAll } = services();
const credentials: Credential[] = [
  { kind: 'apiKey', value: 'canary-key' },
  { kind: 'serviceToken', value: 'canary.token' },
];

describe('a redirect', () => {
  afterEach(closeAll);

  for (const status of [301, 302, 303, 307, 308])
    for (const where of ['same', 'other'] as const)
      for (const credential of credentials)
        it(`${status} to the ${where} origin is not followed with ${credential.kind}`, async () => {
          const other = await start(({ response }) => response.end());
          const service = await start(({ response }) =>
            response.writeHead(status, { location: where === 'same' ? '/elsewhere' : `${other.url}/elsewhere` }).end(),
          );
          const client = new ChatClient({ chatApiUrl: service.url, credential });
          const sessionSettings = { externalId: 'canary-user' };
          const works = [
            async () => {
              for await (const line of client.stream({ input: 'x', sessionSettings })) void line;
            },
            () => client.abort('c1', sessionSettings),
          ];
          for (const work of works)
            await assert.rejects(work, (error) => {
              assert.ok(error instanceof ChatError);
              assert.deepEqual([error.kind, error.code], ['protocol', 'REDIRECT']);
              return true;
            });
          assert.equal(other.asked.length, 0);
          assert.equal(other.sockets.size, 0);
          assert.deepEqual(
            service.asked.map(({ path }) => path.replace(/.*\/chat\//, '')),
            ['stream-chat-state', 'abort'],
          );
        });
});
