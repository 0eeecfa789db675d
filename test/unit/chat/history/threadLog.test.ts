/** Files of the first version are converted once. */
import assert from 'node:assert/strict';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { decodeThread } from '../../../../src/chat/history/threadFile.ts';
import { repoRoot } from '../../../vscode/paths.ts';
import { flat } from '../../../support/item.ts';
import { ask, dispatch, inFolder, openFolder, saveNow } from './support/stores.ts';

const fixture = join(repoRoot, 'test/fixtures/history/orders.ndjson');
const log = await readFile(fixture);

describe('a file of the first version', () => {
  it('has the turns of both windows, without the question that was not sent, and the latest of the rest', () => {
    const { thread, meta, draft } = decodeThread('orders', log).stored!;
    assert.deepEqual(
      flat(thread).map(({ id, content, toolCall }) => [id, toolCall?.result ?? content]),
      [
        ['1-message', 'How many orders, in „Zürich“? 🙂'],
        ['1-tool', '{"totalRows":1}'],
        ['1-answer', 'There are 12.'],
        ['2-message', 'By month?'],
        ['2-answer', 'By month…'],
        ['3-message', 'By city?'],
        ['3-answer', 'Zür'],
      ],
    );
    assert.deepEqual([thread.chatId, thread.status, thread.messageId], ['chat-1', 'streaming', '3-message']);
    assert.deepEqual(
      [thread.queue.length, thread.queue[0]?.context?.identity, draft.text],
      [1, 'ana', 'and by "month"?'],
    );
    assert.deepEqual([meta.title, meta.pinned, meta.connection], ['Orders by city', true, 'Staging']);
  });

  it('that is damaged has what is readable, if anything is', () => {
    const lines = log.toString().split('\n');
    for (const at of lines.keys()) {
      const text = lines.with(at, lines[at]!.slice(0, -5)).join('\n');
      const read = decodeThread('orders', Buffer.from(text)).stored;
      assert.ok(read && flat(read.thread).length >= 4, `line ${at}`);
    }
    assert.equal(decodeThread('orders', Buffer.from('{"kind":1}\nrubbish\n{}\n')).stored, undefined);
  });

  it('is converted at the start, and merged with later changes; a damaged one is left', () =>
    inFolder(async (folder) => {
      await copyFile(fixture, join(folder, 'orders.ndjson'));
      await writeFile(join(folder, 'bad.ndjson'), 'rubbish');
      await writeFile(join(folder, 'index.cache'), '{}');
      const { history, damage } = await openFolder(folder);
      await history.tidy(9);
      assert.deepEqual((await readdir(folder)).sort(), ['bad.ndjson', 'orders.json']);
      assert.deepEqual([(await history.list()).map(({ title }) => title), damage], [['Orders by city'], []]);
      const { thread } = await history.open('orders');
      await saveNow(history, dispatch(thread, { type: 'finished' }, ask('5-message', 'More?', 5000)));
      // A window with the earlier version has written it again.
      await copyFile(fixture, join(folder, 'orders.ndjson'));
      await history.tidy(9);
      assert.equal(flat((await history.read('orders')).thread).at(-1)?.content, 'More?');
    }));
});
