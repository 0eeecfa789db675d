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

const ROUNDS = runs(40, 500);
const words = Array.from({ length: 40 }, (_, at) => `word${at} `);
const answer = words.join('');

/** An extension host that receives the answer and saves it. */
class Host {
  readonly history: History;
  thread: Thread;
  #lines: ThreadEvent[];

  constructor(history: History, thread: Thread, lines: ThreadEvent[]) {
    this.history = history;
    this.thread = thread;
    this.#lines = lines;
  }

  get done(): boolean {
    return this.#lines.length === 0;
  }

  /** The next line of the stream arrives; a busy host's event loop reads it late. */
  step(time: number): void {
    const event = this.#lines.shift();
    if (event === undefined) return;
    this.thread = reduce(this.thread, event.type === 'line' ? { ...event, time } : event);
    this.history.save(this.thread, about);
  }
}

const line = (from: number): ThreadEvent[] =>
  words.slice(from).map((word, at) => delta('answer', word, 0, from + at + 1));
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
        const old = new Host((await openFolder(folder)).history, asked, [...line(0), ...end]);
        old.history.save(asked, about);
        const until = random() * words.length;
        for (let at = 0; at < until; at += 1) old.step((time += 1));
        await old.history.flush();

        const history = (await openFolder(folder)).history;
        const { thread } = await history.open('a');
        assert.ok(isRunning(thread) && thread.messageId === '1-message', 'can be taken up again');
        // The service replays the run from its start; the new host continues from the saved thread.
        const next = new Host(history, dispatch(thread, { type: 'resumed', messageId: '1-message' }), [
          ...line(0),
          ...end,
        ]);
        const oldDies = Math.floor(random() * 60);
        const saves: Promise<void>[] = [];
        for (let step = 0; !next.done; step += 1) {
          if (step < oldDies && random() < 0.5) old.step((time += 1));
          else next.step((time += 1));
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
