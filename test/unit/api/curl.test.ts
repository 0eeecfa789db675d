/** Commands run in a real shell, which decides how they are parsed. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { curlCommand, streamBody, withoutLargeImages } from '../../../src/api/request.ts';
import { reply, services } from './support/service.ts';
import { skipUnlessCi } from '../../support/skipUnlessCi.ts';
import { anyText } from '../../support/text.ts';

const URL = "https://agent.example/it's/chat/stream-chat-state";
const KEY = 'canary-7f3k"$(id)`id`\\';
const env = { PATH: process.env['PATH'], ANALYTICS_CHAT_API_KEY: KEY, ANALYTICS_CHAT_SERVICE_TOKEN: KEY };
/** Prints its arguments and, if requested, its input. */
const STAND_IN = `curl() { printf '%s\\0' "$@"; case "\${@: -1}" in @-) cat ;; esac; }\n`;

const run = (command: string): string[] =>
  execFileSync('bash', { input: `${STAND_IN}${command}\n`, env, maxBuffer: 2 ** 26 })
    .toString()
    .split('\0');
const bodyFor = (input: string): string => streamBody({ input, sessionSettings: { externalId: 'dev' } }, 'apiKey');

describe('a cURL command', () => {
  const { start, closeAll } = services();
  afterEach(closeAll);

  it('contains the URL, headers with the key from the shell, and the body', () => {
    for (const [kind, header] of [
      ['apiKey', `Authorization: Api-Key ${KEY}`],
      ['serviceToken', `X-Svc-Auth-Token: ${KEY}`],
    ] as const) {
      const args = run(curlCommand(URL, kind, bodyFor("what's up?")));
      assert.deepEqual(args.slice(0, 3), ['--no-buffer', '--request', 'POST']);
      assert.deepEqual(args.slice(3, -1), [
        URL,
        ...['--header', 'Content-Type: application/json', '--header', header],
        ...['--data-raw', bodyFor("what's up?")],
      ]);
    }
  });

  it('protects every character of a question from the shell', () => {
    const hostile = fc.oneof(
      anyText(),
      fc.string({
        unit: fc.constantFrom("'", '"', '\\', '$', '`', '!', '\n', '@', '%', '{', ';', '&', '#', '~', '😀'),
      }),
    );
    const inputs = fc.sample(hostile, { numRuns: 400, seed: 1 });
    const bodies = inputs.map(bodyFor);
    const args = run(bodies.map((body) => curlCommand(URL, 'apiKey', body)).join('\n'));
    const given = args.filter((_, at) => args[at - 1] === '--data-raw');
    assert.deepEqual(given, bodies);
  });

  it('sends the same bytes to a real service, however long they are', async function () {
    const { stdout } = await promisify(execFile)('bash', ['-c', 'command -v curl || true']);
    if (stdout === '') skipUnlessCi(this, 'curl is not installed');
    const service = await start((asked) => reply(asked, { id: '__state__', role: 'assistant', state: {} }));
    for (const input of ["it's 5 o’clock & \\n $HOME `id` @file", '@x', 'long '.repeat(300_000)]) {
      const command = curlCommand(`${service.url}/chat/stream-chat-state`, 'apiKey', bodyFor(input));
      const ended = promisify(execFile)('bash', { env: { ...env, ANALYTICS_CHAT_API_KEY: 'canary-key' } });
      ended.child.stdin?.end(command);
      assert.match((await ended).stdout, /__state__/);
      const asked = service.asked.at(-1);
      assert.equal(asked?.text, bodyFor(input));
      assert.equal(asked.path, '/api/v1/agent/chat/stream-chat-state');
      assert.equal(asked.headers.authorization, 'Api-Key canary-key');
      assert.equal(asked.headers['content-type'], 'application/json');
    }
  });

  it('names large images instead of containing them', () => {
    const small = { mimeType: 'image/png', data: 'c21hbGw=', name: 'small.png' };
    const large = { mimeType: 'image/png', data: 'A'.repeat(1_000_000), name: 'chart.png' };
    const { images } = withoutLargeImages({ images: [small, large] });
    assert.deepEqual(images, [small, { ...large, data: '<base64 of chart.png>' }]);
    const light = { input: 'x', images: [small] };
    assert.equal(withoutLargeImages(light), light);
  });
});
