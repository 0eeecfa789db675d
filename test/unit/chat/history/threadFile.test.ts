/** The format of a thread file: a JSON document that is read line by line. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { inspect } from 'node:util';
import { describe, it } from 'mocha';
import { metaOf, type StoredThread } from '../../../../src/chat/history/storedThread.ts';
import { decodeThread, encodeThread, isComplete, isMeta, readMeta } from '../../../../src/chat/history/threadFile.ts';
import { isFields } from '../../../../src/shared/text/checks.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { isTurn } from '../../../../src/shared/thread/turnChecks.ts';
import { makeTurn } from '../../../support/item.ts';
import { collect } from '../../../support/collect.ts';
import { bytesOf, makeThread, plainly, textItem } from './support/stores.ts';

const context = { branch: 'main', isDefaultBranch: true, identity: 'dev' };
const error = { kind: 'server', message: 'No.', actions: ['retry' as const] };
const turns = ['ü "1"', '2\u2028\n', '🙂'].map((content, at) =>
  makeTurn({ id: `q${at}`, content, time: at + 1, context }, [textItem(`a${at}`, { content: `]}\n${content}` })]),
);
const thread = {
  ...{ ...emptyThread('a'), chatId: 'c', status: 'error' as const, messageId: 'q2', error, turns, unknownLines: 4 },
  queue: [{ id: 'w', text: 'Next?', images: [], context }],
};
const stored: StoredThread = {
  thread,
  meta: { ...metaOf(thread), title: 'Mine', named: true, pinned: true, origin: 'https://a.example' },
  draft: { text: 'And "then"?', images: [{ mimeType: 'image/png', data: 'AAAA' }] },
};
const encode = async (from = stored): Promise<Buffer> => bytesOf(encodeThread(from, (item) => item));
const decode = (bytes: string | Uint8Array) => decodeThread('a', Buffer.from(bytes));
const file = await encode();
const texts = ({ turns }: { turns: readonly { id: string }[] }): string[] => turns.map(({ id }) => id);

describe('a thread file', () => {
  it('is a JSON document with everything that is read from it', async () => {
    const { version, meta, turns } = JSON.parse(file.toString()) as Record<string, unknown>;
    assert.deepEqual([version, meta, turns], [3, plainly(stored.meta), plainly(thread.turns)]);
    assert.deepEqual(plainly(decode(file)), plainly({ stored, isDamaged: false }));
    const empty = { ...stored, thread: emptyThread('a') };
    assert.deepEqual(plainly(decode(await encode(empty)).stored?.draft), stored.draft);
  });

  it('is written in parts of 64 KB, between which other work of the process runs', async () => {
    let now = 0;
    mock.method(performance, 'now', () => (now += 1));
    let isHeld = true;
    setTimeout(() => (isHeld = false));
    const long = makeThread('a', 2000);
    const sizes = (await collect(encodeThread({ ...stored, thread: long }, (json) => json))).map(
      ({ length }) => length,
    );
    mock.restoreAll();
    assert.deepEqual([sizes.length > 2, Math.max(...sizes) < 65 * 1024, isHeld], [true, true, false]);
  });

  it('has the metadata in its first line, which is enough for the list', () => {
    const end = file.indexOf(10) + 1;
    assert.deepEqual(readMeta(file.subarray(0, end), 'a'), plainly(stored.meta));
    assert.equal(readMeta(file.subarray(0, end), 'other')?.id, 'other');
    for (const length of [0, 1, 20, end - 1]) assert.equal(readMeta(file.subarray(0, length), 'a'), undefined);
    assert.equal(readMeta(Buffer.from('{"version":3,"meta":{"id":1},\n'), 'a'), undefined);
  });

  it('may be formatted by another program, or have members of a later version', () => {
    const later = { ...(JSON.parse(file.toString()) as object), version: 4, notes: [] };
    for (const text of [
      JSON.stringify(later),
      JSON.stringify(later, null, 2),
      file.toString().replaceAll('\n', '\r\n'),
    ]) {
      const { stored: read, isDamaged } = decode(text);
      assert.deepEqual([plainly(read?.thread), read?.draft, isDamaged], [plainly(thread), stored.draft, false]);
    }
  });

  it('that was cut off has every turn before the cut', async () => {
    for (let length = 0; length < file.length; length += 1) {
      const bytes = file.subarray(0, length);
      assert.ok(!isComplete(bytes));
      const { stored: read, isDamaged } = decode(bytes);
      const whole = turns.filter(({ id }) =>
        bytes
          .toString()
          .split('\n')
          .some((line) => line.startsWith(`{"id":"${id}"`) && /\}\]\}?,?$/.test(line)),
      );
      // Without its last newline it is still a complete document.
      assert.equal(isDamaged, length < file.length - 1);
      assert.deepEqual(texts(read?.thread ?? emptyThread('a')), texts({ turns: whole }), `cut at ${length}`);
    }
    assert.ok(isComplete(file));
  });

  it('with a corrupt line lacks no other line', async () => {
    const lines = file.toString().trim().split('\n');
    for (const at of lines.keys()) {
      const { stored: read, isDamaged } = decode(lines.with(at, `${lines[at]!.slice(0, -3)}x`).join('\n') + '\n');
      const missing = texts({ turns: turns.filter(({ id }) => !read?.thread.turns.some((turn) => turn.id === id)) });
      assert.deepEqual([missing, isDamaged], [at < 2 || at > 4 ? [] : [`q${at - 2}`], true], `line ${at}`);
      assert.equal(read?.meta.title, at === 0 ? 'ü "1"' : 'Mine');
      assert.equal(read?.draft.text, at === 1 ? '' : 'And "then"?');
    }
    for (const text of ['', 'rubbish\n', '[]', 'null', '{"turns":[]}', '\0'.repeat(50)])
      assert.equal(decode(text).stored, undefined, text);
  });
});

describe('the checks of a thread file', () => {
  const outcomes = [{ state: 'failed', error }, { state: 'stopped', service: 'byService' }, { state: 'done' }];
  const images = [{ mimeType: 'image/png', data: '' }];
  const item = { ...textItem('x'), partial: true, toolCall: { name: 'svcSqlApi' } };
  const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
  const complete = outcomes.map((outcome) => ({
    ...makeTurn({ id: 'q', content: 'Why?', time: 1, images, context, echo: 'e' }, [item]),
    ...{ outcome, usage },
  }));

  /** Copies of a value in which one part each, at any depth, has a type that no field has. */
  function damagedCopies(value: unknown): unknown[] {
    const wrong = [Symbol('wrong')];
    if (Array.isArray(value))
      return [...wrong, ...value.flatMap((part, at) => damagedCopies(part).map((bad) => value.with(at, bad)))];
    if (!isFields(value)) return wrong;
    return [
      ...wrong,
      ...Object.entries(value).flatMap(([name, part]) => damagedCopies(part).map((bad) => ({ ...value, [name]: bad }))),
    ];
  }

  it('accept complete turns and metadata, and reject them with one part of another type', () => {
    const meta = { ...stored.meta, connection: 'Staging', branch: 'dev', readOnly: true };
    for (const [check, values] of [
      [isTurn, complete],
      [isMeta, [meta]],
    ] as const)
      for (const value of values) {
        assert.ok(check(value), JSON.stringify(value));
        for (const bad of damagedCopies(value)) assert.ok(!check(bad), inspect(bad, { depth: 9 }));
      }
    for (const time of [8.64e15 + 1, null, '2024-01-01']) assert.ok(!isMeta({ ...meta, updatedAt: time }));
  });

  it('leave out invalid parts of the state', async () => {
    const text = file
      .toString()
      .replace('"status":"error"', '"__proto__":{},"status":"odd"')
      .replace('"text":"Next?"', '"text":1');
    const { stored: read, isDamaged } = decode(text);
    assert.deepEqual([read?.thread.status, read?.thread.queue, isDamaged], ['ready', [], false]);
  });
});
