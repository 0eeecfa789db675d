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

  it('leaves a responsive page alone, even a late one', () => {
    heart.start();
    pass(20, () => heart.received());
    pass(20, () => beats % 2 === 0 && heart.received());
    assert.equal(reloads, 0);
  });

  it('reloads a silent page, less often the longer it stays silent', () => {
    heart.start();
    pass(3);
    assert.equal(reloads, 1);
    pass(4);
    assert.equal(reloads, 1);
    pass(1);
    assert.equal(reloads, 2);
    pass(10_000);
    assert.ok(reloads > 100 && reloads < 200, `${reloads} reloads`);
    heart.received();
    pass(3);
    const before = reloads;
    pass(5);
    assert.equal(reloads, before + 1);
  });

  it('is off while the page is hidden, and starts anew when that is shown', () => {
    heart.start();
    heart.stop();
    pass(100);
    assert.deepEqual([beats, reloads], [0, 0]);
    for (let times = 1; times <= 2; times += 1) {
      heart.start();
      pass(2);
    }
    assert.deepEqual([beats, reloads], [4, 0]);
  });
});
