import assert from 'node:assert/strict';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { isRunning } from '../../../../src/shared/thread/turns.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { flat, makeTurn } from '../../../support/item.ts';
import {
  about,
  ask,
  delta,
  dispatch,
  inFolder,
  makeThread,
  openFolder,
  plainly,
  saved,
  tool,
  textItem,
} from './support/stores.ts';

/** A thread whose items all have the same time. */
const at = (thread: Thread, time: number): Thread => ({
  ...thread,
  turns: thread.turns.map(({ question, items, ...turn }) => ({
    ...turn,
    question: { ...question!, time },
    items: items.map((item) => ({ ...item, updated: time })),
  })),
});

describe('a saved thread', () => {
  it('is restored unchanged, including its response', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      const asked = dispatch(emptyThread('a'), ask('1-message', 'How many orders?', 10));
      const thread = dispatch(asked, delta('x', 'Ther', 11, 1), delta('x', 'e are ', 12, 2), {
        type: 'queued',
        message: { id: '2-message', text: 'And returns?', images: [] },
      });
      history.save(thread, about);
      history.saveDraft('a', { text: 'half a thou', images: [{ mimeType: 'image/png', data: 'AAAA' }] }, about);
      await history.flush();

      const next = await openFolder(folder);
      const stored = await next.history.open('a');
      assert.deepEqual(plainly(stored.thread), saved(thread));
      assert.deepEqual(stored.draft, { text: 'half a thou', images: [{ mimeType: 'image/png', data: 'AAAA' }] });
      assert.equal(stored.thread.status, 'streaming', 'a session can re-attach');
      assert.equal(stored.thread.messageId, '1-message');
      assert.equal(stored.thread.response, undefined);
      assert.equal(stored.meta.title, 'How many orders?');
    }));

  it('continues streaming in the next host, from the same text', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      let thread = dispatch(emptyThread('a'), ask('1-message', 'Why?', 10), delta('x', 'Beca', 11, 1));
      history.save(thread, about);
      await history.flush();
      const next = await openFolder(folder);
      thread = (await next.history.open('a')).thread;
      thread = dispatch(
        thread,
        { type: 'resumed', messageId: '1-message' },
        delta('x', 'Because', 12, 1),
        delta('x', ' so.', 13, 2),
        { type: 'finished' },
      );
      next.history.save(thread, about);
      await next.history.flush();
      const last = await (await openFolder(folder)).history.open('a');
      assert.deepEqual(
        flat(last.thread).map(({ content }) => content),
        ['Why?', 'Because so.'],
      );
      assert.equal(last.thread.status, 'ready');
    }));

  it('keeps its connection, whatever is saved later', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      history.save(makeThread('a', 1), { ...about, connection: 'Staging' });
      history.save(makeThread('old', 1), about);
      await history.flush();
      await history.rename('a', 'Orders');
      history.save(makeThread('a', 2), { ...about, connection: 'Staging' });
      await history.flush();
      const next = await openFolder(folder);
      const { origin, connection } = (await next.history.open('a')).meta;
      assert.deepEqual({ origin, connection }, { ...about, connection: 'Staging' });
      assert.equal((await next.history.open('old')).meta.connection, undefined);
      const listed = await next.history.list();
      assert.equal(listed.find(({ id }) => id === 'a')?.connection, 'Staging');
    }));

  it('is idle after a restart if there is no question to resume', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      history.save({ ...makeThread('a'), status: 'submitted', messageId: undefined }, about);
      await history.flush();
      assert.equal(isRunning((await (await openFolder(folder)).history.open('a')).thread), false);
    }));

  it('drops removed items, and accepts them again with the same id', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      const empty = { ...emptyThread('a'), turns: [makeTurn({ id: '0-message' })] };
      const asked = dispatch(empty, ask('1-message', 'What?', 50));
      const unsent = dispatch(asked, {
        type: 'unsent',
        id: '1-message',
        error: { kind: 'x', message: 'y', actions: [] },
      });
      for (const thread of [asked, unsent]) {
        history.save(thread, about);
        await history.flush();
      }
      const ids = async (): Promise<string[]> =>
        (await (await openFolder(folder)).history.open('a')).thread.turns.map(({ id }) => id);
      assert.deepEqual(await ids(), ['0-message']);
      history.save(dispatch(unsent, ask('1-message', 'What?', 50)), about);
      await history.flush();
      assert.deepEqual(await ids(), ['0-message', '1-message']);
    }));

  it('is the latest version, even if the clock was set back', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      const save = async (...events: ThreadEvent[]): Promise<void> => {
        thread = dispatch(thread, ...events);
        history.save(thread, about);
        await history.flush();
      };
      let thread = emptyThread('a');
      await save(ask('1-message', 'Why?', 9000), tool('t', 9100));
      await save(tool('t', 5000, '{"data":[]}'), { type: 'finished' });
      // A question that failed to be sent keeps its id.
      await save(ask('2-message', 'And now?', 5100));
      await save({ type: 'unsent', id: '2-message', error: { kind: 'network', message: 'x', actions: [] } });
      await save(ask('2-message', 'And now?', 3000), delta('x', 'So.', 3100, 1), { type: 'finished' });
      const { thread: opened } = await (await openFolder(folder)).history.open('a');
      assert.deepEqual(
        flat(opened).map(({ content, toolCall }) => toolCall?.result ?? content),
        ['Why?', '{"data":[]}', 'And now?', 'So.'],
      );
    }));

  it('has each answer at its own question, even if two windows asked in it', () =>
    inFolder(async (folder) => {
      const windows = [(await openFolder(folder)).history, (await openFolder(folder)).history];
      const before = makeThread('a', 1);
      for (const [at, history] of windows.entries()) {
        const time = 5000 + at * 1000;
        const lines = [tool(`t${at}`, time + 1, '{}'), delta(`x${at}`, `Answer ${at}`, time + 2, 3)];
        history.save(dispatch(before, ask(`${at}-asked`, 'Why?', time), ...lines, { type: 'finished' }), about);
        await history.flush();
      }
      const next = await openFolder(folder);
      assert.deepEqual(
        flat((await next.history.open('a')).thread).map(({ id }) => id),
        ['0-message', '0-answer', '0-asked', 't0', 'x0', '1-asked', 't1', 'x1'],
      );
    }));

  it('without questions is deleted when its draft is cleared', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      history.saveDraft('a', { text: 'hm', images: [] }, about);
      await history.flush();
      assert.equal((await (await openFolder(folder)).history.open('a')).draft.text, 'hm');
      history.saveDraft('a', { text: '', images: [] }, about);
      await history.flush();
      await assert.rejects(history.open('a'), { kind: 'notFound' });
    }));
});

describe('the list of the history', () => {
  it('contains drafts of chats without a question, until it is asked', () =>
    inFolder(async (folder) => {
      let now = 2000;
      const { history } = await openFolder(folder, { now: () => now });
      const listed = async (): Promise<unknown[]> =>
        (await history.list()).map(({ id, title, updatedAt, questions }) => [id, title, updatedAt, questions]);
      const draft = { text: 'Why are\nsales down?', images: [] };
      history.save(makeThread('old', 1), about);
      history.saveDraft('old', draft, about);
      history.saveDraft('new', draft, about);
      history.saveDraft('picture', { text: '', images: [{ mimeType: 'image/png', data: 'AA==' }] }, about);
      const old = ['old', 'Question 0 of old?', 1000, 1];
      assert.deepEqual(await listed(), [['new', 'Why are sales down?', 2000, 0], ['picture', '', 2000, 0], old]);
      now = 2500;
      history.saveDraft('new', { text: 'Why?', images: [] }, about);
      assert.deepEqual((await listed())[0], ['new', 'Why?', 2500, 0]);
      await history.rename('picture', 'Mine');
      history.saveDraft('picture', draft, about);
      assert.equal((await history.list()).find(({ id }) => id === 'picture')?.title, 'Mine');
      history.saveDraft('picture', { text: '', images: [] }, about);
      history.save(dispatch(emptyThread('new'), ask('1-message', 'Why?', 3000)), about);
      assert.deepEqual(await listed(), [['new', 'Why?', 3000, 1], old]);
    }));

  it('contains a new question before it is saved', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder, { interval: 60_000 });
      assert.deepEqual(await history.list(), []);
      history.save(makeThread('a', 1), about);
      history.save(makeThread('b', 1), about);
      assert.equal((await history.list()).length, 2);
    }));

  it('has pinned threads first, then the newest', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      for (const [id, updated] of [
        ['a', 1],
        ['b', 3],
        ['c', 2],
      ] as const) {
        const thread = makeThread(id, 1);
        history.save(at(thread, updated), about);
      }
      await history.flush();
      await history.pin('a', true);
      const list = await (await openFolder(folder)).history.list();
      assert.deepEqual(
        list.map(({ id, pinned, questions, origin, chatId }) => [id, pinned, questions, origin, chatId]),
        [
          ['a', true, 1, about.origin, 'chat-a'],
          ['b', false, 1, about.origin, 'chat-b'],
          ['c', false, 1, about.origin, 'chat-c'],
        ],
      );
    }));

  it('has the title of the first question with words', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      const thread = dispatch(emptyThread('a'), ask('1-message', ' ', 1), ask('2-message', 'What is\n  this?', 2));
      history.save(thread, about);
      assert.deepEqual(
        (await history.list()).map(({ title }) => title),
        ['What is this?'],
      );
    }));

  it('keeps a title that was set, whatever other sessions save', () =>
    inFolder(async (folder) => {
      const one = await openFolder(folder);
      const thread = makeThread('a', 1);
      one.history.save(thread, about);
      await one.history.flush();
      const stored = await one.history.open('a');
      const two = await openFolder(folder);
      await two.history.rename('a', 'Orders by region');
      one.history.save(dispatch(stored.thread, ask('9-message', 'More?', 99)), about);
      await one.history.flush();
      const [meta] = await two.history.list();
      assert.equal(meta?.title, 'Orders by region');
      assert.equal(meta?.questions, 2);
    }));

  it('supports undo of a deletion', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      const thread = makeThread('a');
      history.save(thread, about);
      await history.flush();
      const undo = await history.remove('a');
      assert.deepEqual(await history.list(), []);
      await assert.rejects(history.open('a'), { kind: 'notFound' });
      await undo();
      assert.deepEqual(plainly((await history.open('a')).thread), saved(thread));
    }));

  it('gets a deleted thread back only by a new question in another window', () =>
    inFolder(async (folder) => {
      const [one, two] = [await openFolder(folder), await openFolder(folder)];
      const thread = makeThread('a');
      one.history.save(thread, about);
      await one.history.flush();
      await two.history.remove('a');
      const late = { ...thread.turns[1]!, items: [textItem('1-answer', { content: 'late' })] };
      const later = { ...thread, turns: thread.turns.with(-1, late) };
      one.history.save(later, about);
      await one.history.flush();
      assert.deepEqual(await two.history.list(), []);
      const asked = dispatch(later, ask('9-message', 'Still there?', 99));
      one.history.save(asked, about);
      await one.history.flush();
      assert.deepEqual(plainly((await two.history.open('a')).thread), saved(asked));
    }));

  it('is empty after clearing the history', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      for (const id of ['a', 'b', 'c']) history.save(makeThread(id), about);
      await history.flush();
      await history.list();
      await history.remove('c');
      await history.clear();
      assert.deepEqual(await history.list(), []);
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name !== 'index.cache'),
        [],
      );
    }));

  it('stays empty after clearing the history while changes are saved or wait for it', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      history.save(makeThread('a'), about);
      const saving = history.flush();
      history.save(makeThread('a', 3), about);
      history.save(makeThread('b'), about);
      await history.clear();
      await saving;
      await history.flush();
      assert.deepEqual(await (await openFolder(folder)).history.list(), []);
    }));

  it('evicts the oldest threads beyond the limits, but not pinned or open ones', () =>
    inFolder(async (folder) => {
      const writer = await openFolder(folder);
      for (let time = 0; time < 8; time += 1) {
        const thread = makeThread(`t${time}`, 1);
        writer.history.save(at(thread, time), about);
      }
      await writer.history.flush();
      await writer.history.pin('t0', true);
      const { history } = await openFolder(folder);
      await history.open('t1');
      const left = async (): Promise<string[]> => (await history.list()).map(({ id }) => id);
      const gone = await history.tidy({ threads: 4, bytes: 1e9 });
      assert.deepEqual(
        gone.map(({ id }) => id),
        ['t4', 't3', 't2'],
      );
      assert.deepEqual(await left(), ['t0', 't7', 't6', 't5', 't1']);
      await history.tidy({ threads: 100, bytes: 1 });
      assert.deepEqual(await left(), ['t0', 't1']);
    }));

  it('removes old leftovers of killed processes', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      history.save(makeThread('a'), about);
      await history.flush();
      await history.remove('a');
      const { writeFile } = await import('node:fs/promises');
      for (const name of ['b.json.1.2.tmp', 'b.json.lock', 'new.json.1.2.tmp'])
        await writeFile(join(folder, name), 'x');
      for (const name of ['b.json.1.2.tmp', 'b.json.lock']) await utimes(join(folder, name), 1, 1);
      await history.tidy({ threads: 9, bytes: 1e9 });
      const names = await readdir(folder);
      assert.equal(names.filter((name) => name.endsWith('.deleted')).length, 1, 'undo stays possible');
      assert.ok(names.includes('new.json.1.2.tmp') && !names.includes('b.json.1.2.tmp'));
      const later = await openFolder(folder, { now: () => Date.now() + 48 * 3_600_000 });
      await later.history.tidy({ threads: 9, bytes: 1e9 });
      assert.ok(!(await readdir(folder)).some((name) => name.endsWith('.deleted')));
    }));
});

describe('history locks', () => {
  it('are held by one holder at a time and released with it', () =>
    inFolder(async (folder) => {
      const [one, two] = [await openFolder(folder), await openFolder(folder)];
      const release = await one.history.lockAnswer('a');
      assert.ok(release);
      assert.equal(await two.history.lockAnswer('a'), undefined);
      await release();
      const again = await two.history.lockAnswer('a');
      assert.ok(again);
      await again();
    }));
});
