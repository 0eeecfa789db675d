import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { oncePerFrame } from '../../../webview/frame.ts';

describe('What is drawn once per frame', () => {
  let due: FrameRequestCallback[] = [];
  let draws = 0;
  let redraw: (early?: boolean) => void;
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

  it('is drawn before the frame where it is wanted early, with what waits, and not again in it', async () => {
    redraw();
    redraw(true);
    await Promise.resolve();
    assert.equal(draws, 1);
    nextFrame();
    assert.equal(draws, 1);
  });

  it('is drawn early once for a frame; what comes after that waits for it', async () => {
    redraw(true);
    await Promise.resolve();
    redraw(true);
    redraw();
    await Promise.resolve();
    assert.equal(draws, 1);
    nextFrame();
    assert.equal(draws, 2);
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
