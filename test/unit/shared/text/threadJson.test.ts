import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { importThread, threadJson } from '../../../../src/shared/text/threadJson.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';

const [x, y] = ['x', 'y'].map((id) => makeItem(id, { content: 'Twelve.', time: 1000, updated: 1000 }));
const turn = makeTurn({ id: 'q', content: 'How many?' }, [x!]);
const fileOf = (turns: unknown, fields = {}): string =>
  JSON.stringify({ format: 'analytics-chat.thread', version: 2, turns, ...fields });

describe('an exported thread', () => {
  it('has the fields of the thread, and is imported with the valid ones, read-only', () => {
    const turns = [{ ...turn, items: [{ ...x!, inProcess: true }] }];
    const about = { title: 'Orders', chatId: 'c', origin: 'https://a.example', createdAt: 1, updatedAt: 2 };
    const meta = { ...about, id: 't', connection: 'Staging', pinned: true, questions: 1 };
    const text = threadJson(meta, { ...emptyThread('t'), turns }, 0);
    assert.match(text, /^\{\n {2}"format": "analytics-chat.thread",\n {2}"version": 2,\n/);
    assert.ok(text.endsWith('}\n'));
    const exportedAt = '1970-01-01T00:00:00.000Z';
    assert.deepEqual(JSON.parse(text), { ...about, format: 'analytics-chat.thread', version: 2, exportedAt, turns });
    assert.deepEqual(importThread(`\ufeff${text}`, 'new'), {
      thread: { ...emptyThread('new'), chatId: 'c', turns: [turn] },
      about: { origin: 'https://a.example', readOnly: true, title: 'Orders', named: true },
      ...{ problems: [], invalid: 0 },
    });
    const other = importThread(fileOf(turns, { chatId: 1, origin: 1, title: 1 }), 'new');
    assert.deepEqual(other.thread, { ...emptyThread('new'), turns: [turn] });
    assert.deepEqual(other.about, { origin: '', readOnly: true });
  });

  it('is rejected without turns, or if two turns, or two items of a turn, have one id', () => {
    assert.ok(importThread(fileOf([{ ...turn, items: [x, y] }]), 'new'));
    for (const text of [
      ...['', '{', 'text', `[${fileOf([turn])}]`, fileOf([turn], { format: 'x' })],
      ...[[], 1, [turn, turn], [{ ...turn, items: [x, x] }]].map((turns) => fileOf(turns)),
    ])
      assert.throws(() => importThread(text, 'new'), /not an exported chat/, text);
  });

  it('is imported with a bounded title of one line', () => {
    const titleIn = (title: string) => importThread(fileOf([turn], { title }), 'new').about.title;
    assert.equal(titleIn('Orders\n\n\u2028 by day'), 'Orders by day');
    assert.equal(titleIn(' \n '), undefined);
    assert.ok(titleIn('long '.repeat(100_000))!.length < 1000);
  });

  it('is imported without images whose content does not match their type, which are reported', () => {
    const image = { mimeType: 'image/png', data: btoa('<html>'), name: 'fake.png' };
    const { thread, problems } = importThread(fileOf([makeTurn({ id: 'q', images: [image] })]), 'new');
    assert.deepEqual(thread.turns[0]?.question?.images, []);
    assert.match(problems.join(), /fake\.png/);
  });

  it('is imported without turns that are invalid, which are counted', () => {
    const bad = [1e20, '1'].map((time) => ({ ...turn, id: `${time}`, items: [{ ...y!, time }] }));
    const { thread, invalid } = importThread(fileOf([turn, ...bad, 1]), 'new');
    assert.deepEqual([thread.turns, invalid], [[turn], 3]);
  });
});
