import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { oncePerFrame } from '../../../../webview/app/frame.ts';

describe('A request for a frame', () => {
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

  it('runs in the frame, once for all changes', () => {
    redraw();
    redraw();
    assert.equal(draws, 0);
    nextFrame();
    assert.equal(draws, 1);
    nextFrame();
    assert.equal(draws, 1);
  });

  it('runs before the frame if it is awaited, with other changes, and not again in it', async () => {
    redraw();
    redraw(true);
    await Promise.resolve();
    assert.equal(draws, 1);
    nextFrame();
    assert.equal(draws, 1);
  });

  it('runs in frames during continuous changes, and early again after a pause', async () => {
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

  it('includes all changes of the same task', async () => {
    let state = 'before';
    let drawn = '';
    const showState = oncePerFrame(() => (drawn = state));
    showState(true);
    state = 'after';
    await Promise.resolve();
    assert.equal(drawn, 'after');
  });
});
