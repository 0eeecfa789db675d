/** A key that the service sends in pieces is shown on screen, but redacted in everything that is saved or copied. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { redactRecording } from '../../../../src/chat/recording/redact.ts';
import { RecordingWriter } from '../../../../src/chat/recording/write.ts';
import { Secrets } from '../../../../src/shared/text/secrets.ts';
import { emptyThread, type Thread } from '../../../../src/shared/thread/model.ts';
import { reduce } from '../../../../src/shared/thread/reducer.ts';
import { about, inFolder, openFolder } from '../history/support/stores.ts';
import { delta, echo, finished, marker, sent, threadOf, whole } from '../../shared/support/threads.ts';

const KEY = 'canary-7f3kQ9zLw2XeVb5TRa8Nd';
const secrets = new Secrets(KEY);
const pieces = fc
  .array(fc.nat(KEY.length - 1), { minLength: 1, maxLength: 8 })
  .map((cuts) => [0, ...[...new Set(cuts)].filter((cut) => cut > 0).sort((a, b) => a - b), KEY.length])
  .map((at) => at.slice(1).map((to, index) => KEY.slice(at[index], to)));

/** @returns the length of the longest fragment of the key in the text; a short one can occur by chance */
const longestIn = (text: string): number => {
  let longest = 0;
  for (let length = 1; length <= KEY.length; length += 1)
    for (let at = 0; at + length <= KEY.length; at += 1)
      if (text.includes(KEY.slice(at, at + length))) longest = length;
  return longest;
};

describe('a key that arrives in pieces', () => {
  for (const field of ['content', 'thinking'] as const)
    it(`is in no file of the history once its text is complete: ${field}`, async () => {
      await fc.assert(
        fc.asyncProperty(pieces, (parts) =>
          inFolder(async (folder) => {
            const { history } = await openFolder(folder, { redact: (json) => secrets.redact(json) });
            const lines = ['The key is ', ...parts, ' or so.'].map((text) => delta('a', '', { [field]: text }));
            let thread: Thread = threadOf(sent(), marker, echo());
            for (const line of [...lines, finished]) {
              thread = reduce(thread, line);
              history.save(thread, about);
              await history.flush();
            }
            const text = await readFile(join(folder, 't.json'), 'utf8');
            assert.match(text, /The key is \[redacted\] or so/);
            assert.ok(longestIn(text) < 4);
            assert.ok(!JSON.stringify(await history.read('t')).includes(KEY));
          }),
        ),
        { numRuns: 15 },
      );
    });

  it('is in no recording, which still contains the rest', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const writer = new RecordingWriter(emptyThread('t'), 0, () => undefined);
        const texts = ['The key is ', ...parts, ' or so.'];
        const other = delta('b', 'x');
        writer.add([sent(), marker, ...texts.flatMap((text) => [delta('a', text), other]), finished], 5);
        const text = redactRecording(writer.text, (each) => secrets.redact(each));
        assert.ok(longestIn(text) < 4 || parts.length === 1);
        assert.match(text, /The key is \[redacted\] or so/);
        assert.equal(text.match(/\[redacted\]/g)?.length, 1);
        assert.equal(text.match(/"content":"x"/g)?.length, texts.length);
      }),
    );
  });

  it('is redacted in content and thinking of the same lines', () => {
    const line = (from: number, to: number): string =>
      JSON.stringify({ id: 'a', isDelta: true, content: KEY.slice(from, to), thinking: KEY.slice(from, to) });
    const text = redactRecording(`${line(0, 9)}\n${line(9, 99)}`, (each) => secrets.redact(each));
    assert.deepEqual(
      text.split('\n').map((each): unknown => JSON.parse(each)),
      [
        { id: 'a', isDelta: true, content: '[redacted]', thinking: '[redacted]' },
        { id: 'a', isDelta: true, content: '', thinking: '' },
      ],
    );
  });

  it('is not found across two texts, nor in lines that are not JSON', () => {
    const [first, rest] = [KEY.slice(0, 9), KEY.slice(9)];
    const delta = (content?: string): string => JSON.stringify({ id: 'a', isDelta: true, content });
    for (const between of [JSON.stringify({ id: 'a', isDelta: false, content: 'Up.' }), '{"isDelta":true,'])
      for (const text of [`${delta(first)}\n${between}\n${delta()}\n${delta(rest)}`]) {
        const clean = redactRecording(text, (each) => secrets.redact(each));
        assert.equal(clean === text, !between.endsWith(','));
        assert.ok(clean.includes(between));
      }
  });

  it('does not change a recording without a key', () => {
    const writer = new RecordingWriter(emptyThread('t'), 0, () => undefined);
    writer.add([sent(), marker, delta('a', 'Up '), delta('a', '12 %.'), whole('a', 'Up 12 %.'), finished], 5);
    assert.equal(
      redactRecording(writer.text, (each) => secrets.redact(each)),
      writer.text,
    );
  });
});
