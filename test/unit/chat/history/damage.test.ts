import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { about, inFolder, makeThread, openFolder, plainly, saved, saveNow } from './support/stores.ts';

const thread = makeThread('a', 4);

describe('a damaged history file', () => {
  it('is copied and reported once, opens with its readable part, and is rewritten', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'a.json');
      const { history } = await openFolder(folder);
      await saveNow(history, thread);
      const whole = await readFile(file, 'utf8');
      const corrupt = whole.replace('"content":"Question 2', '"content":Question 2');
      for (const text of [corrupt, whole.slice(0, whole.indexOf('Question 3'))]) {
        await writeFile(file, text);
        const next = await openFolder(folder);
        assert.deepEqual(
          (await next.history.list()).map(({ origin }) => origin),
          [about.origin],
        );
        const { thread: got } = await next.history.open('a');
        const kept = text === corrupt ? [0, 1, 3] : [0, 1, 2];
        assert.deepEqual(
          got.turns.map(({ id }) => id),
          kept.map((at) => `${at}-message`),
        );
        const [[id, copy]] = next.damage as [[string, string]];
        assert.deepEqual([next.damage.length, id], [1, 'a']);
        assert.equal(await readFile(join(folder, copy), 'utf8'), text, 'the copy is as it was found');
        const again = await openFolder(folder);
        assert.deepEqual(plainly((await again.history.open('a')).thread), plainly(got));
        assert.deepEqual(again.damage, [], 'repaired once');
      }
    }));

  it('that is found during a save loses nothing in memory', () =>
    inFolder(async (folder) => {
      const { history, damage } = await openFolder(folder);
      await saveNow(history, thread);
      let more = thread;
      for (const damaged of [/^[^]*$/, /\n\{"id":"2-m[^\n]*/]) {
        const file = join(folder, 'a.json');
        await writeFile(file, (await readFile(file, 'utf8')).replace(damaged, '\nrubbish'));
        more = { ...more, turns: makeThread('a', more.turns.length + 1).turns.with(2, more.turns[2]!) };
        await saveNow(history, more);
        assert.deepEqual(plainly((await (await openFolder(folder)).history.open('a')).thread), saved(more));
      }
      assert.equal(damage.length, 2);
    }));
});
