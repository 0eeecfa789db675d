import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exportJson, importJson } from '../../../../src/chat/history/export.ts';
import { HistoryError } from '../../../../src/chat/history/files/errors.ts';
import { metaOf } from '../../../../src/chat/history/storedThread.ts';
import { emptyDraft } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeTurn } from '../../../support/item.ts';
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
    const about = {
      createdAt: 0,
      updatedAt: 1000,
      origin: 'https://a.example',
      readOnly: true,
      pinned: false,
      questions: 1,
    };
    assert.deepEqual(imported, {
      thread: { ...emptyThread('new'), chatId: 'c', turns: complete },
      meta: { ...about, id: 'new', chatId: 'c', title: 'Orders', named: true },
      ...{ draft: emptyDraft, problems: [], invalid: 0 },
    });
    const other = importJson(JSON.stringify({ ...file, chatId: 1, origin: 1, title: 1 }), 'new', 0);
    assert.deepEqual(other.thread, { ...emptyThread('new'), turns: complete });
    assert.deepEqual(other.meta, { ...about, id: 'new', title: 'How many?', origin: '' });
    for (const wrong of [{ ...file, format: 'x' }, { ...file, turns: [] }, { ...file, turns: 1 }, [file]])
      assert.throws(() => importJson(JSON.stringify(wrong), 'new', 0), { kind: 'invalid' });
    for (const text of ['', '{', 'text']) assert.throws(() => importJson(text, 'new', 0), { kind: 'invalid' });
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
      return importJson(JSON.stringify({ format: 'analytics-chat.thread', version: 2, title, turns }), 'x', 0).meta
        .title;
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

  it('is imported without turns that are invalid, which are counted', () => {
    const good = makeTurn({ id: 'q', content: 'How many?' }, [textItem('x')]);
    const bad = [1e20, '1'].map((time) => ({ ...good, id: `${time}`, items: [{ ...textItem('y'), time }] }));
    const text = JSON.stringify({ format: 'analytics-chat.thread', version: 2, turns: [good, ...bad, 1] });
    const { thread, invalid } = importJson(text, 'x', 0);
    assert.deepEqual([plainly(thread.turns), invalid], [plainly([good]), 3]);
  });
});
