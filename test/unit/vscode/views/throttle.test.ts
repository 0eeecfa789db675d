/** Throttling of the posts to a page. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Throttle } from '../../../../src/vscode/views/throttle.ts';

describe('Throttled posting', () => {
  let now: number;
  let posts: number[];
  let pace: Throttle;
  beforeEach(() => {
    now = 0;
    posts = [];
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
    pace = new Throttle(() => {
      posts.push(now);
      pace.posted();
    });
  });
  afterEach(() => {
    pace.reset();
    mock.timers.reset();
    mock.restoreAll();
  });
  /** Streams an answer for a time. The page renders all pending posts at once, which takes `drawsIn` milliseconds. */
  const stream = (milliseconds: number, drawsIn: number): void => {
    let given = 0;
    let done = Infinity;
    for (const end = now + milliseconds; now < end; now += 1) {
      pace.request();
      mock.timers.tick(1);
      if (now >= done) {
        pace.rendered(posts.length - given);
        done = Infinity;
      }
      if (done === Infinity && posts.length > given) [given, done] = [posts.length, now + drawsIn];
    }
  };

  for (const [what, milliseconds, drawsIn, least, most] of [
    ['once per frame to a fast page', 1000, 5, 55, 60],
    ['once per rendering to a slow page', 1000, 100, 10, 20],
    ['at a low rate to a page that does not render', 5000, Infinity, 6, 7],
  ] as const)
    it(`posts ${what}`, () => {
      stream(milliseconds, drawsIn);
      assert.ok(posts.length >= least && posts.length <= most, posts.join());
    });

  it('posts the first words right after their question, before that is rendered', () => {
    stream(30, 100);
    assert.deepEqual(posts, [0, 1]);
  });

  it('posts nothing that is not needed', () => {
    for (let times = 0; times < 3; times += 1) pace.request();
    pace.reset();
    pace.rendered(0);
    mock.timers.tick(10_000);
    assert.deepEqual(posts, [0, 0]);
  });

  it('posts at once to a page that replaces one that did not render', () => {
    stream(100, Infinity);
    pace.reset();
    posts = [];
    pace.request();
    assert.deepEqual(posts, [now]);
  });
});
