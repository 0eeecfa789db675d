/** A service that repeats the credential in pieces: nobody gets to put them together. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { ChatClient } from '../../../src/api/client.ts';
import type { StreamLine } from '../../../src/shared/wire.ts';
import { ndjson, services, type Asked } from './support/service.ts';

const KEY = 'canary-7f3kQ9zLw2XeVb5TRa8Nd';
const { start, closeAll } = services();
afterEach(closeAll);

const delta = (content: string, more: object = {}): object => ({
  id: 'a',
  role: 'assistant',
  content,
  isDelta: true,
  isInProcess: true,
  ...more,
});
const state = { id: '__state__', state: { messages: [] } };

/** What a user reads of a message, and what was told of lines as they came. */
async function read(answer: (asked: Asked) => void, field: 'content' | 'thinking' = 'content'): Promise<string[]> {
  const service = await start(answer);
  const told: string[] = [];
  const onLine = (_: StreamLine, text: string): void => void told.push(text);
  const client = new ChatClient({ chatApiUrl: service.url, credential: { kind: 'apiKey', value: KEY }, onLine });
  let text = '';
  try {
    for await (const line of client.stream({ input: 'x', sessionSettings: { externalId: 'dev' } })) {
      // Nothing of a message is waited for any more.
      if (line.kind === 'state') break;
      if (line.kind === 'message') text = line.isDelta ? text + (line[field] ?? '') : (line[field] ?? '');
    }
  } catch {
    text += ' (lost)';
  }
  return [text, ...told];
}

const inPieces = (text: string, cuts: readonly number[]): string[] => {
  const places = [0, ...cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b), text.length];
  return places.slice(1).map((to, at) => text.slice(places[at], to));
};

describe('a key that comes in pieces', () => {
  for (const field of ['content', 'thinking'] as const)
    it(`is left out of the ${field}, but for a few characters, wherever it is cut`, async () => {
      for (let cut = 1; cut < KEY.length; cut += 3) {
        const pieces = [`Your key is ${KEY.slice(0, cut)}`, `${KEY.slice(cut)}, isn’t it?`];
        const [text = '', ...told] = await read(
          ({ response }) => response.end(ndjson(...pieces.map((piece) => delta('', { [field]: piece })), state)),
          field,
        );
        assert.match(text, /^Your key is (c|ca|can)?\[redacted\], isn’t it\?$/);
        assert.ok(cut < 4 || !told.join('').includes(KEY.slice(0, cut)), told.join());
      }
    });

  it('is left out character by character, and as base64', async () => {
    for (const form of [KEY, btoa(KEY), encodeURIComponent(KEY)]) {
      const lines = [...`<${form}>`].map((character) => delta(character));
      const [text = ''] = await read(({ response }) => response.end(ndjson(...lines)));
      assert.match(text, /^<.{0,3}\[redacted\].{0,3}>$/, text);
    }
  });

  it('is left out where the last piece never comes', async () => {
    const lines = ndjson(delta(`Key: ${KEY.slice(0, 12)}`), delta(KEY.slice(12, 20)));
    const [ended] = await read(({ response }) => response.end(lines));
    assert.equal(ended, 'Key: [redacted]');
    const [broken] = await read(({ response }) => response.write(lines, () => response.destroy()));
    assert.equal(broken, 'Key: [redacted] (lost)');
  });
});

describe('a text that only looks like the beginning of a key', () => {
  it('comes whole, however it is cut and ends', async () => {
    const texts = fc.constantFrom(
      'canary',
      'A canary-7 sings, a canary-7f3 does not. canary-',
      'Up 12 %. can',
      'cacacana',
    );
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom([], [state]),
        async (text, cuts, end) => {
          const lines = inPieces(text, cuts).map((piece, sort) => delta(piece, { sort }));
          assert.deepEqual((await read(({ response }) => response.end(ndjson(...lines, ...end))))[0], text);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('comes whole where it is the last that came before the connection was lost', async () => {
    const [text] = await read(({ response }) => response.write(ndjson(delta('A canar')), () => response.destroy()));
    assert.equal(text, 'A canar (lost)');
  });
});
