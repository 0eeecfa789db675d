import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ProgressReporter, type ProgressUpdate } from '../../../src/cli/mcp/progress.ts';

/** A clock that stands still between calls of `pass`. */
function stoppedClock() {
  let now = 0;
  let wake: (() => void) | undefined;
  return {
    now: () => now,
    random: () => 0,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        wake = () => {
          now += ms;
          resolve();
        };
        signal.addEventListener('abort', () => resolve());
      }),
    async pass(until: number): Promise<void> {
      while (now < until) {
        wake?.();
        await new Promise(setImmediate);
      }
    },
  };
}

describe('progress of an MCP call', () => {
  it('is reported at least every 10 s for as long as the call runs, and always increases', async () => {
    const clock = stoppedClock();
    const sent: (ProgressUpdate & { at: number })[] = [];
    const progress = new ProgressReporter((update) => sent.push({ ...update, at: clock.now() }), 'Ask', clock);
    await clock.pass(90_000);
    progress.report('1 of 2 questions asked', { done: 1, total: 2 });
    await clock.pass(150_000);
    progress.report('SQL query: revenue');
    progress.report('2 of 2 questions asked', { done: 2, total: 2 });
    const times = [0, ...sent.map(({ at }) => at)];
    assert.ok(times.every((time, index) => index === 0 || time - times[index - 1]! <= 10_000));
    assert.ok(sent.every(({ progress: each }, index) => index === 0 || each > sent[index - 1]!.progress));
    assert.ok(sent.every(({ progress: each, total = Infinity }) => each <= total));
    assert.equal(sent.find(({ at }) => at === 30_000)?.message, 'Ask (30 s)');
    assert.deepEqual(sent.at(-1), { progress: 2, total: 2, message: '2 of 2 questions asked', at: 150_000 });
    progress.stop();
    const count = sent.length;
    await clock.pass(152_000);
    assert.equal(sent.length, count);
  });
});
