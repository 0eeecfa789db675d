import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { History } from '../../../../../src/chat/history/history.ts';
import { reduce } from '../../../../../src/shared/thread/reducer.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../../../src/shared/thread/model.ts';
import { isRunning } from '../../../../../src/shared/thread/turns.ts';
import { seeded } from '../../../../support/random.ts';
import { flat } from '../../../../support/item.ts';
import { about, ask, delta, dispatch, inFolder, openFolder } from '../support/stores.ts';
import { runs } from '../../../../support/runs.ts';

const ROUNDS = runs(20, 500);
const words = Array.from({ length: 40 }, (_, at) => `word${at} `);
const answer = words.join('');

interface Host {
  history: History;
  /** The next line of the stream arrives; a busy host's event loop reads it late. @returns whether there was one */
  step: (time: number) => boolean;
}

/** @returns an extension host that receives the answer and saves it */
function hostOf(history: History, thread: Thread): Host {
  const lines = [...words.map((word, at) => delta('answer', word, 0, at + 1)), ...end];
  const step = (time: number): boolean => {
    const event = lines.shift();
    if (event === undefined) return false;
    thread = reduce(thread, event.type === 'line' ? { ...event, time } : event);
    history.save(thread, about);
    return true;
  };
  return { history, step };
}

const end: ThreadEvent[] = [
  {
    type: 'line',
    line: {
      kind: 'message',
      id: 'answer',
      role: 'assistant',
      content: answer,
      graphPath: ['agent', 'final'],
      isDelta: false,
      isInProcess: false,
      sort: 99,
    },
    time: 0,
  },
  { type: 'finished' },
];

describe('a window that is reloaded during an answer', () => {
  it('has the answer once and whole, even while both hosts are saving', async () => {
    const random = seeded(7);
    for (let round = 0; round < ROUNDS; round += 1)
      await inFolder(async (folder) => {
        let time = 1;
        const asked = dispatch(emptyThread('a'), ask('1-message', 'Why?', time));
        const old = hostOf((await openFolder(folder)).history, asked);
        old.history.save(asked, about);
        const until = random() * words.length;
        for (let at = 0; at < until; at += 1) old.step((time += 1));
        await old.history.flush();

        const history = (await openFolder(folder)).history;
        const { thread } = await history.open('a');
        assert.ok(isRunning(thread) && thread.messageId === '1-message', 'can be taken up again');
        // The service replays the run from its start; the new host continues from the saved thread.
        const next = hostOf(history, dispatch(thread, { type: 'resumed', messageId: '1-message' }));
        const oldDies = Math.floor(random() * 60);
        const saves: Promise<void>[] = [];
        for (let step = 0; ; step += 1) {
          if (step < oldDies && random() < 0.5) old.step((time += 1));
          else if (!next.step((time += 1))) break;
          if (random() < 0.2) saves.push((random() < 0.5 && step < oldDies ? old : next).history.flush());
        }
        await Promise.all(saves);
        await next.history.flush();
        // The last action of the old host is a late save of its outdated state.
        if (random() < 0.5) {
          old.step((time += 1));
          await old.history.flush();
        }

        const { thread: last } = await (await openFolder(folder)).history.open('a');
        assert.deepEqual(
          flat(last).map(({ id, content }) => [id, content]),
          [
            ['1-message', 'Why?'],
            ['answer', answer],
          ],
          `round ${round}`,
        );
        assert.equal(last.status, 'ready');
        assert.ok(flat(last).every(({ inProcess }) => !inProcess));
        await old.history.flush();
      });
  });
});
