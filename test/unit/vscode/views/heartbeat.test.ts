/** Detection of pages that no longer respond. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Heartbeat } from '../../../../src/vscode/views/heartbeat.ts';

const BEAT = 5000;

describe('Heartbeat', () => {
  let beats: number;
  let reloads: number;
  let heart: Heartbeat;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    beats = reloads = 0;
    heart = new Heartbeat(
      () => (beats += 1),
      () => (reloads += 1),
    );
  });
  afterEach(() => {
    heart.stop();
    mock.timers.reset();
  });
  const pass = (count: number, each = (): void => undefined): void => {
    for (let beat = 0; beat < count; beat += 1) {
      mock.timers.tick(BEAT);
      each();
    }
  };

  it('leaves a responsive page alone, even a late one, and one that is hidden or just shown', () => {
    heart.start();
    pass(20, () => heart.received());
    pass(20, () => beats % 2 === 0 && heart.received());
    heart.stop();
    const before = beats;
    pass(100);
    for (let times = 1; times <= 2; times += 1) {
      heart.start();
      pass(2);
    }
    assert.deepEqual([beats - before, reloads], [4, 0]);
  });

  it('reloads a silent page, less often the longer it stays silent', () => {
    heart.start();
    for (const [count, expected] of [
      [3, 1],
      [4, 1],
      [1, 2],
    ] as const) {
      pass(count);
      assert.equal(reloads, expected);
    }
    pass(10_000);
    assert.ok(reloads > 100 && reloads < 200, `${reloads} reloads`);
    heart.received();
    pass(3);
    const before = reloads;
    pass(5);
    assert.equal(reloads, before + 1);
  });
});
