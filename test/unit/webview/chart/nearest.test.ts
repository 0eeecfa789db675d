import assert from 'node:assert/strict';
import type { View } from 'vega';
import { describe, it } from 'mocha';
import { nearestPoint } from '../../../../webview/chart/nearest.ts';

const point = (x: number, y: number, tooltip: unknown = `${x}/${y}`, more: object = {}) => ({ x, y, tooltip, ...more });
const mark = (marktype: string, ...items: object[]) => ({ marktype, role: 'mark', items });
const plot = (x: number, y: number, ...items: object[]) => ({ x, y, width: 100, height: 50, items });
/** A picture whose plots begin at 12/23: the origin and the padding. */
function pictureOf(...root: object[]): View {
  return {
    origin: () => [10, 20],
    padding(this: { own: object }) {
      return this.own;
    },
    own: { left: 2, top: 3 },
    scenegraph: () => ({ root: { marktype: 'group', items: root } }),
  } as unknown as View;
}

describe('the nearest point of a line', () => {
  const found = (view: View, x: number, y: number) => {
    const one = nearestPoint(view, x, y);
    return one && `${one.value as string} at ${one.x},${one.y}`;
  };

  it('is nearest along the x axis first, then along the y axis', () => {
    const view = pictureOf(plot(0, 0, mark('line', point(0, 10), point(20, 45), point(20, 10), point(40, 10))));
    for (const [x, y, expected] of [
      [12, 33, '0/10 at 12,33'],
      [31, 33, '20/10 at 32,33'],
      [31, 60, '20/45 at 32,68'],
      [43, 68, '40/10 at 52,33'],
      [41, 68, '20/45 at 32,68'],
    ] as const)
      assert.equal(found(view, x, y), expected, `${x}/${y}`);
  });

  it('is one of the plot below the pointer, or close beside it', () => {
    const line = mark('area', point(5, 5));
    const view = pictureOf(plot(0, 0, line), plot(0, 200, mark('trail', point(7, 7))));
    for (const [x, y, expected] of [
      [4, 23, '5/5 at 17,28'],
      [3, 23, undefined],
      [120, 81, '5/5 at 17,28'],
      [121, 81, undefined],
      [120, 82, undefined],
      [60, 15, '5/5 at 17,28'],
      [60, 14, undefined],
      [60, 215, '7/7 at 19,230'],
    ] as const)
      assert.equal(found(view, x, y), expected, `${x}/${y}`);
  });

  it('is no gap, has a tooltip, and is no mark of another kind', () => {
    const gap = mark(
      'line',
      point(0, 0, 'gap', { defined: false }),
      point(0, 0, undefined, { tooltip: undefined }),
      point(90, 0),
    );
    const others = [mark('symbol', point(0, 0)), mark('rule', point(0, 0)), { items: [point(0, 0)] }];
    assert.equal(found(pictureOf(plot(0, 0, ...others, gap)), 12, 23), '90/0 at 102,23');
    assert.equal(found(pictureOf(plot(0, 0, ...others)), 12, 23), undefined);
  });

  it('is found in compositions, whose outer groups have no size', () => {
    const inner = plot(30, 40, mark('group', plot(1, 1, mark('line', point(0, 0)))));
    assert.equal(
      found(pictureOf({ items: [mark('group', { x: 5, y: 5, items: [mark('group', inner)] })] }), 50, 70),
      '0/0 at 48,69',
    );
    const frame = {
      marktype: 'group',
      role: 'frame',
      items: [{ width: 1, height: 1, items: [mark('line', point(0, 0))] }],
    };
    assert.equal(found(pictureOf({ width: 999, height: 999, items: [frame] }), 300, 300), '0/0 at 12,23');
  });
});
