/** Selection of the turns that are rendered. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  atEnd,
  drawn,
  spanAround,
  withEarlier,
  withLater,
  withNew,
  type TurnSpan,
} from '../../../../webview/conversation/turnWindow.ts';

describe('The rendered turns', () => {
  it('are the last ones, and more as the reader scrolls up', () => {
    assert.deepEqual(drawn(atEnd, 1), { from: 0, to: 1 });
    assert.deepEqual(drawn(atEnd, 500), { from: 498, to: 500 });
    assert.deepEqual(drawn(withEarlier(atEnd, 500), 500), { from: 494, to: 500 });
  });

  it('include those rendered before when others arrive, as far as possible', () => {
    let span = withNew(atEnd, 1, 2);
    assert.deepEqual(drawn(span, 3), { from: 1, to: 3 });
    span = withNew(atEnd, 500, 501);
    assert.deepEqual(drawn(span, 501), { from: 498, to: 501 });
    for (let count = 501; count < 600; count += 1) span = withNew(span, count, count + 1);
    assert.deepEqual(drawn(span, 600), { from: 560, to: 600 });
    assert.equal(withNew(atEnd, 0, 500), atEnd, 'of a thread that is read, only the end');
    assert.equal(withNew(span, 600, 599), span);
    const middle: TurnSpan = { from: 3, to: 15 };
    assert.equal(withNew(middle, 500, 501), middle);
  });

  it('stay the same if they include the target', () => {
    assert.equal(spanAround(atEnd, 499, 500), atEnd);
  });

  it('are those around a target, from which both ends can be reached', () => {
    let span: TurnSpan = spanAround(atEnd, 100, 500);
    const { from, to } = drawn(span, 500);
    assert.ok(from < 100 && to > 100 && to - from <= 12);
    for (let steps = 0; drawn(span, 500).to < 500; steps += 1) {
      assert.ok(steps < 100);
      span = withLater(span, 500);
    }
    assert.equal(drawn(span, 500).to, 500);
    assert.equal(drawn(span, 501).to, 501, 'what comes is drawn again');
    for (let steps = 0; steps < 200; steps += 1) span = withEarlier(span, 501);
    assert.equal(drawn(span, 501).from, 0);
  });

  it('never exceed a few screens, in either direction, and skip none', () => {
    let span = atEnd;
    const most = (before: TurnSpan): void => {
      const [last, now] = [drawn(before, 500), drawn(span, 500)];
      assert.ok(now.to - now.from <= 40);
      assert.ok(now.from <= last.to && now.to >= last.from, 'what is drawn hangs together');
    };
    const go = (step: typeof withLater): void => {
      const before = span;
      span = step(span, 500);
      most(before);
    };
    for (let steps = 0; drawn(span, 500).from > 0; steps += 1) {
      assert.ok(steps < 200);
      go(withEarlier);
    }
    assert.deepEqual(drawn(span, 500), { from: 0, to: 40 });
    for (let steps = 0; drawn(span, 500).to < 500; steps += 1) {
      assert.ok(steps < 200);
      go(withLater);
    }
    assert.deepEqual(drawn(span, 501), { from: 461, to: 501 });
  });

  it('extend to the end if the target is near it', () => {
    assert.deepEqual(drawn(spanAround(atEnd, 3, 10), 10), { from: 0, to: 10 });
    assert.deepEqual(drawn(spanAround({ from: 0, to: 12 }, 498, 500), 501), { from: 493, to: 501 });
  });
});
