import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { exportJson, importJson } from '../../../../src/chat/history/export.ts';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import { metaOf } from '../../../../src/chat/history/storedThread.ts';
import { emptyDraft } from '../../../../src/shared/protocol/chat.ts';
import { threadText } from '../../../../src/shared/text/threadText.ts';
import { emptyThread, type Thread } from '../../../../src/shared/thread/model.ts';
import { flat, makeTurn } from '../../../support/item.ts';
import { about, inFolder, makeThread, openFolder, plainly, saved, textItem } from './support/stores.ts';

describe('an exported thread', () => {
  it('has the fields of the thread, and is imported with the valid ones', () => {
    const turns = [makeTurn({ id: 'q', content: 'How many?' }, [textItem('x', { inProcess: true })])];
    const thread = { ...emptyThread('t'), chatId: 'c', turns };
    const meta = { ...metaOf(thread, 5), title: 'Orders', origin: 'https://a.example' };
    const text = exportJson({ thread, meta, draft: emptyDraft }, 0);
    assert.match(text, /^\{\n {2}"format": "analytics-chat.thread",\n {2}"version": 2,\n/);
    assert.ok(text.endsWith('}\n'));
    const { exportedAt, ...file } = JSON.parse(text) as Record<string, unknown>;
    assert.equal(exportedAt, '1970-01-01T00:00:00.000Z');
    assert.deepEqual(file, {
      ...{ format: 'analytics-chat.thread', version: 2, title: 'Orders', chatId: 'c', origin: 'https://a.example' },
      ...{ createdAt: meta.createdAt, updatedAt: meta.updatedAt, turns },
    });
    const imported = importJson(`\ufeff${text}`, 'new', 0);
    const complete = [{ ...turns[0], items: [textItem('x')] }];
    assert.deepEqual(imported, {
      thread: { ...emptyThread('new'), chatId: 'c', turns: complete },
      ...{ title: 'Orders', origin: 'https://a.example', problems: [], invalid: 0 },
    });
    const other = importJson(JSON.stringify({ ...file, chatId: 1, origin: 1, title: 1 }), 'new', 0);
    assert.deepEqual(other, {
      thread: { ...emptyThread('new'), turns: complete },
      ...{ title: 'How many?', origin: '', problems: [], invalid: 0 },
    });
    for (const wrong of [{ ...file, format: 'x' }, { ...file, turns: [] }, { ...file, turns: 1 }, [file]])
      assert.throws(() => importJson(JSON.stringify(wrong), 'new', 0), { kind: 'invalid' });
  });

  it('is imported completely, with a new id and read-only', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      const thread = makeThread('a');
      history.save(thread, about);
      history.saveDraft('a', { text: 'not for others', images: [] }, about);
      await history.flush();
      const text = await history.exportJson('a');
      assert.doesNotMatch(text, /not for others/);
      const imported = await history.importJson(text);
      assert.notEqual(imported.thread.id, 'a');
      assert.deepEqual(plainly(imported.thread.turns), saved(thread).turns);
      assert.equal(imported.meta.readOnly, true);
      const next = await (await openFolder(folder)).history.open(imported.thread.id);
      assert.equal(next.meta.readOnly, true);
      assert.equal(next.meta.title, 'Question 0 of a?');
      assert.equal((await history.list()).length, 2);
    }));

  it('is rejected with a message if the file is not an export', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.throws(() => importJson(text, 'x', 0), HistoryError);
      }),
    );
  });

  it('is rejected if two turns, or two items of a turn, have one id', () => {
    const turn = makeTurn({ id: 'q', content: 'How many?' }, [textItem('x'), textItem('y')]);
    const textOf = (turns: unknown): string => JSON.stringify({ format: 'analytics-chat.thread', version: 2, turns });
    assert.ok(importJson(textOf([turn]), 'x', 0));
    for (const turns of [[turn, turn], [{ ...turn, items: [textItem('x'), textItem('x')] }]])
      assert.throws(() => importJson(textOf(turns), 'x', 0), HistoryError);
  });

  it('is imported with a bounded title of one line', () => {
    const titleIn = (title: unknown): string => {
      const turns = [makeTurn({ id: 'q', content: 'How many?' })];
      return importJson(JSON.stringify({ format: 'analytics-chat.thread', version: 2, title, turns }), 'x', 0).title;
    };
    assert.equal(titleIn('Orders\n\n\u2028 by day'), 'Orders by day');
    assert.equal(titleIn(' \n '), 'How many?');
    assert.ok(titleIn('long '.repeat(100_000)).length < 1000);
  });

  it('is imported without images whose content does not match their type, which are reported', () => {
    const image = { mimeType: 'image/png', data: btoa('<html>'), name: 'fake.png' };
    const turns = [makeTurn({ id: 'q', content: 'What is this?', images: [image] })];
    const text = JSON.stringify({ format: 'analytics-chat.thread', version: 2, turns });
    const { thread, problems } = importJson(text, 'x', 0);
    assert.deepEqual(thread.turns[0]?.question?.images, []);
    assert.match(problems.join(), /fake\.png/);
  });

  it('is imported without items whose time is not a valid date', () => {
    for (const time of [1e20, -1e20, '1e20'])
      for (const name of ['time', 'updated']) {
        const [good, bad] = [textItem('good'), { ...textItem('bad'), [name]: time }];
        const turns = [good, bad].map((item) => ({ id: item.id, items: [item] }));
        const text = JSON.stringify({ format: 'analytics-chat.thread', version: 2, turns });
        const { thread, invalid } = importJson(text, 'x', 0);
        assert.match(threadText('', thread), /text of good/);
        assert.equal(flat(thread).length, 1);
        assert.equal(invalid, 1);
      }
  });

  it('from a hostile file is imported with only well-formed items', () => {
    const question = { id: 'q', content: 'x', time: 1 };
    const good = { id: 'good', question, items: [textItem('good')] };
    const field = fc.constantFrom(...Object.keys(textItem('x')), 'toolCall');
    const turnField = fc.constantFrom('id', 'question', 'items', 'outcome', 'usage');
    const questionField = fc.constantFrom('id', 'content', 'time', 'images', 'context', 'echo');
    const changed = fc.oneof(
      fc.record({ name: field, value: fc.jsonValue() }).map(({ name, value }) => ({
        ...good,
        id: 'bad',
        items: [{ ...good.items[0], [name]: value }],
      })),
      fc
        .record({ name: turnField, value: fc.jsonValue() })
        .map(({ name, value }) => ({ ...good, id: 'bad', [name]: value })),
      fc
        .record({ name: questionField, value: fc.jsonValue() })
        .map(({ name, value }) => ({ ...good, id: 'bad', question: { ...question, [name]: value } })),
    );
    fc.assert(
      fc.property(changed, (bad) => {
        const text = JSON.stringify({ format: 'analytics-chat.thread', version: 2, turns: [good, bad] });
        let thread: Thread;
        try {
          thread = importJson(text, 'x', 0).thread;
        } catch (failure) {
          // Two items can't have the same id.
          assert.ok(failure instanceof HistoryError && bad.id === 'good');
          return;
        }
        assert.ok(flat(thread).some(({ id }) => id === 'good'));
        assert.doesNotThrow(() => threadText('', thread));
        assert.ok(Number.isFinite(metaOf(thread, 0).updatedAt));
      }),
      { numRuns: 1000 },
    );
  });
});
