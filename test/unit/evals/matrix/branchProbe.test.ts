/** A run on branches that the service does not serve yet, or not at all. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import { BranchRefused } from '../../../../src/evals/matrix/branchProbe.ts';
import type { Verdict } from '../../../../src/evals/matrix/matrix.ts';
import { runMatrix, type MatrixOptions } from '../../../../src/evals/matrix/runMatrix.ts';
import { same } from '../../../../src/evals/matrix/same.ts';
import { answerOf, gate, questionNamed, queryWith } from '../support.ts';
import { contextOn, five } from './support.ts';

const MINUTE = 60_000;
const refused: Answer = {
  ...answerOf(),
  error: 'The service does not know this branch.',
  isFinal: true,
  isBadBranch: true,
};
const right = (): Promise<Answer> => Promise.resolve(answerOf(queryWith(five)));

type Ask = MatrixOptions<ReturnType<ReturnType<typeof contextOn>>>['ask'];

/** Compares 20 questions on main and on dev, which is served after a time. */
function start(servedAfter: number, wait: number, onMain: Ask = right) {
  const verdicts: Verdict[] = [];
  /** `main q0`, or `refused`. */
  const asked: string[] = [];
  const waiting: { branch: string; isOver: boolean }[] = [];
  const controller = new AbortController();
  let now = 0;
  const running = runMatrix(
    Array.from({ length: 20 }, (_, at) => questionNamed(`q${at}`)),
    () => [contextOn('main')(undefined), contextOn('dev')(undefined)],
    same(),
    {
      ask: (...words) => {
        const [{ name }, { branch }] = words;
        const isRefused = branch === 'dev' && now < servedAfter;
        asked.push(isRefused ? 'refused' : `${branch} ${name}`);
        return isRefused ? Promise.resolve(refused) : branch === 'main' ? onMain(...words) : right();
      },
      branches: {
        wait,
        onWaiting: (branch, settled) => {
          const entry = { branch, isOver: false };
          waiting.push(entry);
          void settled.then(() => (entry.isOver = true));
        },
        clock: {
          sleep: (ms) => {
            now += ms;
            return new Promise(setImmediate);
          },
        },
      },
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'judged') verdicts.push(event.verdict);
      },
    },
  );
  return { running, verdicts, asked, waiting, controller, now: () => now };
}

describe('a run on a branch that the service does not serve yet', () => {
  it('waits, asks nothing else meanwhile, and then asks each question once on each branch', async () => {
    const { running, verdicts, asked, waiting, now } = start(MINUTE, 10 * MINUTE);
    const { counts, requests } = await running;
    assert.deepEqual([counts.same, requests], [20, 40]);
    assert.deepEqual(asked.slice(0, 3), ['main q0', 'refused', 'refused']);
    const refusals = asked.filter((each) => each === 'refused').length;
    assert.ok(asked.lastIndexOf('refused') === refusals && refusals < 10, `${refusals} refusals`);
    assert.equal(new Set(asked).size - 1, 40);
    assert.equal(asked.length - refusals, 40);
    assert.ok(verdicts.every(({ cells }) => cells.every(({ answers }) => answers[0]!.error === undefined)));
    assert.ok(now() >= MINUTE && now() < 1.5 * MINUTE);
    assert.deepEqual(waiting, [{ branch: 'dev', isOver: true }]);
  });

  it('fails once, for the price of one question, if the branch is not served in time', async () => {
    for (const wait of [0, MINUTE]) {
      let isAborted = false;
      const onMain: Ask = (_question, _context, signal) =>
        new Promise((resolve) => {
          const stop = (): void => {
            isAborted = true;
            resolve({ ...answerOf(), isStopped: true });
          };
          signal.addEventListener('abort', stop, { once: true });
        });
      const { running, verdicts, asked, now } = start(Infinity, wait, onMain);
      await assert.rejects(running, (failure) => {
        assert.ok(failure instanceof BranchRefused);
        assert.match(failure.message, /^The service does not serve the branch “dev”\. Check its name, push it, /);
        return true;
      });
      assert.deepEqual(
        asked.filter((each) => each !== 'refused'),
        ['main q0'],
      );
      assert.ok(isAborted, 'the answer on main is stopped');
      assert.deepEqual([verdicts.length, now()], [0, wait]);
    }
  });

  it('is canceled while it waits', async () => {
    const { running, waiting, controller, asked } = start(Infinity, 10 * MINUTE);
    while (waiting.length === 0) await new Promise(setImmediate);
    controller.abort();
    assert.equal((await running).counts.canceled, 20);
    assert.ok(waiting[0]!.isOver);
    assert.ok(asked.length < 5);
  });

  it('counts the time of the question that it asked first, without the wait', async () => {
    const { now } = performance;
    let time = 0;
    performance.now = () => time;
    const onMain: Ask = ({ name }) => {
      if (name === 'q0') time += 500;
      return right();
    };
    const { running, verdicts } = start(MINUTE, 10 * MINUTE, onMain);
    await running.finally(() => (performance.now = now));
    assert.equal(verdicts.find(({ question }) => question.name === 'q0')?.milliseconds, 500);
  });

  it('asks the other questions as soon as both branches begin to answer', async () => {
    const answered = gate();
    const onMain: Ask = async ({ name }, _context, _signal, { onServed } = {}) => {
      onServed?.();
      if (name === 'q0') await answered.passed;
      else if (name === 'q2') answered.open();
      return right();
    };
    assert.equal((await start(0, 0, onMain).running).counts.same, 20);
  });
});
