import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { oncePerFrame } from '../../../webview/app/frame.ts';

describe('What is drawn once per frame', () => {
  let due: FrameRequestCallback[] = [];
  let draws = 0;
  let redraw: (awaited?: boolean) => void;
  const nextFrame = (): void => {
    const callbacks = due;
    due = [];
    for (const callback of callbacks) callback(0);
  };

  beforeEach(() => {
    globalThis.requestAnimationFrame = (callback) => due.push(callback);
    draws = 0;
    redraw = oncePerFrame(() => (draws += 1));
  });
  afterEach(() => {
    due = [];
    Reflect.deleteProperty(globalThis, 'requestAnimationFrame');
  });

  it('is drawn in the frame, and once for all that has changed', () => {
    redraw();
    redraw();
    assert.equal(draws, 0);
    nextFrame();
    assert.equal(draws, 1);
    nextFrame();
    assert.equal(draws, 1);
  });

  it('is drawn before the frame where it is waited for, with what else has changed, and not again in it', async () => {
    redraw();
    redraw(true);
    await Promise.resolve();
    assert.equal(draws, 1);
    nextFrame();
    assert.equal(draws, 1);
  });

  it('is drawn in frames while more and more comes, and early again after a pause', async () => {
    mock.timers.enable({ apis: ['Date'] });
    const now = mock.method(performance, 'now', () => Date.now());
    redraw(true);
    await Promise.resolve();
    mock.timers.tick(50);
    redraw(true);
    await Promise.resolve();
    assert.equal(draws, 1);
    nextFrame();
    assert.equal(draws, 2);
    mock.timers.tick(100);
    redraw(true);
    await Promise.resolve();
    assert.equal(draws, 3);
    now.mock.restore();
    mock.timers.reset();
  });

  it('takes all that changes in the same task', async () => {
    let state = 'before';
    let drawn = '';
    const showState = oncePerFrame(() => (drawn = state));
    showState(true);
    state = 'after';
    await Promise.resolve();
    assert.equal(drawn, 'after');
  });
});
