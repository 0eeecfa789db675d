import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runInSlices, type Sliced } from '../../../../src/shared/results/slices.ts';

/** Yields once per millisecond of work. */
function* working(milliseconds: number): Sliced<string> {
  for (let count = 0; count < milliseconds; count++) {
    const end = performance.now() + 1;
    while (performance.now() < end);
    yield;
  }
  return 'done';
}

describe('a computation in slices', () => {
  it('is complete at once if it is short', () => {
    const results: string[] = [];
    // No work of its own: on a busy machine, any work may take longer than a slice.
    function* short(): Sliced<string> {
      yield;
      yield;
      return 'done';
    }
    runInSlices(short(), (result) => results.push(result));
    assert.deepEqual(results, ['done']);
  });

  it('lets other tasks run before it is complete if it is long', async () => {
    const events: string[] = [];
    const complete = new Promise<void>((resolve) => {
      setTimeout(() => events.push('other'), 0);
      runInSlices(working(60), (result) => {
        events.push(result);
        resolve();
      });
    });
    assert.deepEqual(events, []);
    await complete;
    assert.deepEqual(events, ['other', 'done']);
  });

  it('has no result after it is canceled', async () => {
    let steps = 0;
    function* endless(): Sliced<never> {
      for (;;) {
        steps += 1;
        yield* working(1) as Generator<void, unknown, void>;
      }
    }
    const cancel = runInSlices(endless(), () => assert.fail('has a result'));
    cancel();
    const before = steps;
    await new Promise((resolve) => setTimeout(resolve, 0));
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(steps, before);
  });
});
