/** Some services repeat the credential in their errors. The client redacts it. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import { ChatClient, type Credential } from '../../../src/api/client.ts';
import { queryAllRows } from '../../../src/api/dataQuery.ts';
import { collect } from '../../support/collect.ts';
import { ndjson, services, type Asked } from './support/service.ts';

const { start, closeAll } = services();
const KEY = 'canary-7f3kQ9zLw2XeVb5TRa8Nd';
const echo = ({ headers }: Asked): string => String(headers.authorization ?? headers['x-svc-auth-token']);

/** Errors that contain the credential. */
const answers: Record<string, (asked: Asked) => void> = {
  'a status with JSON': (asked) =>
    asked.response.writeHead(401).end(JSON.stringify({ error: { message: `Invalid ${echo(asked)}` } })),
  'a status with text': (asked) => asked.response.writeHead(400).end(`Invalid ${echo(asked)}`),
  'a message that is cut within the credential': (asked) =>
    asked.response.writeHead(403).end(`${'x'.repeat(280)} ${echo(asked)}`),
  'an error line': (asked) => asked.response.end(ndjson({ error: `Invalid ${echo(asked)}` })),
  'a JSON-RPC error': (asked) => asked.response.end(ndjson({ jsonrpc: '2.0', error: { message: echo(asked) } })),
};

describe('a credential that is repeated in', () => {
  afterEach(closeAll);
  for (const [where, answer] of Object.entries(answers))
    for (const kind of ['apiKey', 'serviceToken'] as const)
      it(`${where} is redacted (${kind})`, async () => {
        const service = await start(answer);
        const credential: Credential = { kind, value: KEY };
        const client = new ChatClient({ chatApiUrl: service.url, credential });
        const sessionSettings = { externalId: 'dev' };
        const works: (() => Promise<unknown>)[] = [
          () => collect(client.stream({ input: 'x', sessionSettings })),
          () => client.abort('c1', sessionSettings),
          () =>
            collect(
              queryAllRows('SELECT 1', {
                dataQueryUrl: `${service.origin}/query`,
                credential,
                signal: new AbortController().signal,
              }),
            ),
        ];
        for (const work of works) {
          const said = inspect(await work().catch((failure: unknown) => failure), { depth: 9, maxStringLength: null });
          assert.equal(/canary-7|Q9zLw2Xe|b5TRa8Nd/.test(said), false, said);
        }
        assert.equal(service.asked.length, works.length);
        assert.ok(service.asked.every((asked) => echo(asked).includes(KEY)));
      });
});
