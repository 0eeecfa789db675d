/** Files of format version 1 are read as the turns that they showed. */
import assert from 'node:assert/strict';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { importJson } from '../../../../../src/chat/history/export.ts';
import { readRecording } from '../../../../../src/chat/recording/read.ts';
import type { Thread } from '../../../../../src/shared/thread/model.ts';
import { reduceAll } from '../../../../../src/shared/thread/reducer.ts';
import { emptyThread } from '../../../../../src/shared/thread/model.ts';
import { flat } from '../../../../support/item.ts';
import { about, ask, dispatch, inFolder, openFolder, plainly } from '../support/stores.ts';

const files = fileURLToPath(new URL('../../../../fixtures/history/v1', import.meta.url));

interface Expected {
  turns: { question?: { content: string }; items: { content: string }[] }[];
}
const expected = async (name: string): Promise<Expected> =>
  JSON.parse(await readFile(join(files, `${name}.expected.json`), 'utf8')) as Expected;

/** The thread as version 1 showed it. */
const shown = ({ chatId, status, messageId, turns, queue }: Thread): unknown =>
  plainly({
    chatId,
    status,
    messageId,
    turns: turns.map(({ question, items, outcome, usage }) => ({
      question,
      items: items.map(({ sort: _sort, partial: _partial, ...item }) => item),
      outcome,
      usage,
    })),
    queue,
  });
const texts = (thread: Thread): string[] => flat(thread).map(({ content }) => content);
const expectedTexts = ({ turns }: Expected): string[] =>
  turns.flatMap(({ question, items }) => [question, ...items].flatMap((each) => (each ? [each.content] : [])));

const names = (await readdir(files)).flatMap((name) => /^(.*)\.expected\.json$/.exec(name)?.[1] ?? []);

describe('a file of version 1', () => {
  for (const name of names)
    it(`is read as it was shown, also after it was rewritten: ${name}`, () =>
      inFolder(async (folder) => {
        await copyFile(join(files, `${name}.ndjson`), join(folder, `${name}.ndjson`));
        const { history, damage } = await openFolder(folder);
        const { thread, meta } = await history.open(name);
        assert.deepEqual(shown(thread), await expected(name));
        assert.deepEqual(damage, []);
        const more = dispatch(thread, ask('1800000000000-message', 'One more?', 1_800_000_000_000));
        history.save(more, { ...about, title: meta.title });
        await history.flush();
        const again = (await (await openFolder(folder)).history.open(name)).thread;
        assert.deepEqual(texts(again), [...texts(thread), 'One more?']);
      }));

  for (const name of ['finished', 'same-ids']) {
    it(`is imported from its export: ${name}`, async () => {
      const text = await readFile(join(files, `${name}.export.json`), 'utf8');
      assert.deepEqual(texts(importJson(text, 'x', 0).thread), expectedTexts(await expected(name)));
    });

    it(`is replayed from its recording: ${name}`, async () => {
      const moments = readRecording(await readFile(join(files, `${name}.recording.ndjson`)), 0);
      const thread = reduceAll(
        emptyThread('x'),
        moments.map(({ event }) => event),
      );
      assert.deepEqual(texts(thread), expectedTexts(await expected(name)));
    });
  }
});
