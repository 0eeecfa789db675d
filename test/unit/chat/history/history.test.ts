import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import { emptyThread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { flat } from '../../../support/item.ts';
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
  saveNow,
} from './support/stores.ts';

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
      const aside = { text: 'half a thou', images: [{ mimeType: 'image/png', data: 'AAAA' }] };
      const attachments = [{ kind: 'file' as const, name: 'orders.yml', text: 'About orders.yml:' }];
      const draft = { text: 'How many orders today?', images: [], attachments, aside };
      history.saveDraft('a', draft, about);
      await history.flush();

      const next = await openFolder(folder);
      const stored = await next.history.open('a');
      assert.deepEqual(plainly(stored.thread), saved(thread));
      assert.deepEqual(stored.draft, draft);
      assert.equal(stored.thread.status, 'streaming', 'a session can re-attach');
      assert.equal(stored.thread.messageId, '1-message');
      assert.equal(stored.thread.response, undefined);
      assert.equal(stored.meta.title, 'How many orders?');
    }));

  it('is the latest version, even if the clock was set back', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      const save = async (...events: ThreadEvent[]): Promise<void> => {
        thread = dispatch(thread, ...events);
        await saveNow(history, thread);
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
});

describe('the list of the history', () => {
  afterEach(() => mock.restoreAll());

  it('contains drafts of chats without a question, until it is asked', () =>
    inFolder(async (folder) => {
      let now = 2000;
      mock.method(Date, 'now', () => now);
      const { history } = await openFolder(folder);
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
      await history.rename('picture', ' Mine ');
      history.saveDraft('picture', draft, about);
      assert.equal((await history.list()).find(({ id }) => id === 'picture')?.title, 'Mine');
      history.saveDraft('picture', { text: '', images: [] }, about);
      history.save(dispatch(emptyThread('new'), ask('1-message', 'Why?', 3000)), about);
      assert.deepEqual(await listed(), [['new', 'Why?', 3000, 1], old]);
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
});
