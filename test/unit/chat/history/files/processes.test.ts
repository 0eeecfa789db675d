import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { seeded } from '../../../../support/random.ts';
import { flat } from '../../../../support/item.ts';
import { inFolder, openFolder } from '../support/stores.ts';
import { openWindow, type Told, type Window } from '../support/windows.ts';
import { isFull, runs } from '../../../../support/runs.ts';

const KILLS = runs(4, 500);
const STEPS = runs(40, 500);

/** The expected content of the folder: the last report of the windows about each thing. */
interface Model {
  items: Map<string, string | undefined>;
  title?: string;
  pinned?: boolean;
  draft?: string;
}

function modelOf(told: readonly Told[]): Map<string, Model> {
  const models = new Map<string, Model>();
  for (const { id, item, content, title, pinned, draft } of told) {
    if (id === undefined) continue;
    const model = models.get(id) ?? { items: new Map<string, string | undefined>() };
    models.set(id, model);
    if (item !== undefined) model.items.set(item, content);
    if (title !== undefined) model.title = title;
    if (pinned !== undefined) model.pinned = pinned;
    if (draft !== undefined) model.draft = draft;
  }
  return models;
}

/** @param unsure number of differences to allow, each by a window that was killed before it could report */
async function checkAll(folder: string, windows: readonly Window[], unsure: number): Promise<void> {
  const { history, damage } = await openFolder(folder);
  const metas = new Map((await history.list()).map((meta) => [meta.id, meta]));
  const wrong: string[] = [];
  const compare = (what: string, found: unknown, wanted: unknown): void => {
    if (found !== wanted) wrong.push(`${what}: ${String(found).slice(0, 40)} for ${String(wanted).slice(0, 40)}`);
  };
  for (const [id, model] of modelOf(windows.flatMap(({ told }) => told))) {
    const { thread, draft } = await history.open(id);
    const found = new Map(flat(thread).map((item) => [item.id, item.content]));
    for (const item of new Set([...model.items.keys(), ...found.keys()]))
      compare(`${id} ${item}`, found.get(item), model.items.get(item));
    if (model.title !== undefined) compare(`${id} title`, metas.get(id)?.title, model.title);
    if (model.pinned !== undefined) compare(`${id} pinned`, metas.get(id)?.pinned, model.pinned);
    if (model.draft !== undefined) compare(`${id} draft`, draft.text, model.draft);
  }
  assert.ok(wrong.length <= unsure, wrong.join('\n'));
  assert.deepEqual(damage, []);
  for (const { told } of windows)
    assert.deepEqual(
      told.filter(({ error }) => error !== undefined),
      [],
    );
}

describe('the history with several windows', () => {
  for (const count of isFull ? [2, 3, 4] : [4])
    it(`loses no update of ${count} windows that write the same threads`, () =>
      inFolder(async (folder) => {
        const windows = Array.from({ length: count }, (_, at) => openWindow(folder, 'share', at, count, 6, STEPS));
        await Promise.all(windows.map(({ ended }) => ended));
        for (const { told } of windows) assert.ok(told.at(-1)?.done, 'came to its end');
        await checkAll(folder, windows, 0);
        assert.deepEqual(
          (await readdir(folder)).filter((name) => /\.(lock|guard|tmp)$/.test(name)),
          [],
        );
      }));

  it('keeps what a killed window had saved, and the others continue', () =>
    inFolder(async (folder) => {
      const windows = Array.from({ length: 4 }, (_, at) => openWindow(folder, 'share', at, 4, 3, STEPS));
      for (const window of windows.slice(0, 2)) {
        await window.heard(STEPS / 4);
        window.child.kill('SIGKILL');
      }
      await Promise.all(windows.map(({ ended }) => ended));
      for (const { told } of windows.slice(2)) assert.ok(told.at(-1)?.done, 'came to its end');
      await checkAll(folder, windows, 2);
    }));

  it('opens a thread with everything saved after a kill during a write', () =>
    inFolder(async (folder) => {
      const random = seeded(3);
      let saves = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const window = openWindow(folder, 'stream', kill);
        await window.heard(1 + Math.floor(random() * 12));
        // Kills at any moment of the next write, within the time that a write takes.
        const until = performance.now() + random() * 4;
        while (performance.now() < until) await Promise.resolve();
        window.child.kill('SIGKILL');
        await window.ended;
        const { history, damage } = await openFolder(folder);
        const told = window.told.findLast(({ time }) => time !== undefined);
        assert.equal((await history.list()).length, 1);
        const { thread } = await history.open('stream');
        assert.deepEqual([damage, window.told.filter((line) => line.error ?? line.damage)], [[], []]);
        assert.ok(told, 'it had saved something');
        saves += window.told.length;
        const item = flat(thread)[told.items! - 1];
        assert.ok(item && item.updated >= told.time!, `kill ${kill}: the last save is there`);
        assert.ok(item.content.length >= told.last!);
        // Each answer is "1 1 … 2 2 … 3": every step once and in order.
        const steps = item.content.trim().split(' ').map(Number);
        assert.ok(steps.every((step, at) => step === (steps[at - 1] ?? 1) || step === steps[at - 1]! + 1));
      }
      assert.ok(saves > KILLS);
    }));
});
