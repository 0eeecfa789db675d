import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { exportJson, importJson } from '../../../../../src/chat/history/export.ts';
import { emptyThread, type ThreadEvent } from '../../../../../src/shared/thread/model.ts';
import { turnsOf } from '../../../../../src/shared/thread/turns.ts';
import { flat, withItems } from '../../../../support/item.ts';
import { about, ask, delta, dispatch, inFolder, makeThread, openFolder, textItem, tool } from '../support/stores.ts';

describe('a restored answer', () => {
  it('is no longer in progress if there is nothing to resume', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      const asked = dispatch(emptyThread('a'), ask('1-message', 'Why?', 1), delta('x', 'Half', 2, 1));
      history.save({ ...asked, turns: turnsOf(asked), response: undefined, status: 'ready' }, about);
      await history.flush();
      const { thread } = await (await openFolder(folder)).history.open('a');
      assert.deepEqual(
        thread.turns[0]?.items.map(({ content, inProcess }) => [content, inProcess]),
        [['Half', false]],
      );
    }));

  it('is compacted without being reported as damaged', () =>
    inFolder(async (folder) => {
      const { history, damage } = await openFolder(folder);
      const big = 'x'.repeat(100_000);
      for (let version = 0; version < 12; version += 1) {
        const thread = makeThread('a', 1);
        history.save(withItems(thread, textItem('big', { content: `${big}${version}`, updated: version })), about);
        await history.flush();
      }
      assert.deepEqual(
        [damage, await readdir(folder).then((names) => names.filter((name) => /damaged/.test(name)))],
        [[], []],
      );
      assert.ok((await stat(join(folder, 'a.ndjson'))).size < 1_000_000, 'it was compacted');
    }));

  it('is compacted with the draft and the queued messages', () =>
    inFolder(async (folder) => {
      const { history } = await openFolder(folder);
      const context = { branch: 'main', isDefaultBranch: true, identity: 'dev' };
      const queue = [{ id: '9-message', text: 'And by day?', images: [], context }];
      const draft = { text: 'And by month', images: [] };
      const big = 'x'.repeat(100_000);
      history.saveDraft('a', draft, about);
      for (let version = 0; version < 12; version += 1) {
        const thread = { ...makeThread('a', 1), queue };
        history.save(withItems(thread, textItem('big', { content: `${big}${version}`, updated: version })), about);
        await history.flush();
      }
      assert.ok((await stat(join(folder, 'a.ndjson'))).size < 1_000_000, 'it was compacted');
      const stored = await (await openFolder(folder)).history.open('a');
      assert.deepEqual([stored.draft, stored.thread.queue], [draft, queue]);
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

  it('belongs to its own question, even if two windows asked in one thread', () =>
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
      const shown = async (id: string): Promise<string[]> =>
        flat((await next.history.open(id)).thread).map((i) => i.id);
      const expected = ['0-message', '0-answer', '0-asked', 't0', 'x0', '1-asked', 't1', 'x1'];
      assert.deepEqual(await shown('a'), expected);
      const exported = exportJson(await next.history.open('a'), 1);
      const imported = importJson(exported, 'b', 1).thread;
      assert.deepEqual(
        flat(imported).map(({ id }) => id),
        expected,
      );
    }));
});
