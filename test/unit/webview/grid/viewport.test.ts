import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Viewport } from '../../../../webview/grid/rows/viewport.ts';

/** A scroller that shows 220 px below a header of 24 px, of 1000 rows and 20 columns of 100 px beside 50 px. */
function scrollerOf() {
  const listeners: (() => void)[] = [];
  const scroller = {
    ...{ scrollTop: 0, scrollLeft: 0, clientWidth: 450, clientHeight: 244 },
    addEventListener: (_: string, listener: () => void) => listeners.push(listener),
    scrollBy(right: number, down: number) {
      scroller.scrollLeft += right;
      scroller.scrollTop += down;
    },
    to(left: number, top: number) {
      Object.assign(scroller, { scrollLeft: left, scrollTop: top });
      for (const listener of listeners) listener();
    },
  };
  return scroller;
}
const extent = { rows: 1000, frozenWidth: 50, widths: Array.from({ length: 20 }, () => 100) };

describe('the viewport of a grid', () => {
  const { ResizeObserver: original } = globalThis;
  let observed: unknown[] = [];
  beforeEach(() => {
    observed = [];
    globalThis.ResizeObserver = class {
      observe(element: unknown): void {
        observed.push(element);
      }
      disconnect(): void {
        observed = [];
      }
    } as unknown as typeof ResizeObserver;
  });
  afterEach(() => {
    globalThis.ResizeObserver = original;
  });
  const open = (given = extent) => {
    const scroller = scrollerOf();
    let changes = 0;
    const viewport = new Viewport(scroller as unknown as HTMLElement, given, () => (changes += 1));
    const rows = (kept = -1): string =>
      viewport
        .rows(kept)
        .map(({ index, start }) => `${index}:${start}`)
        .join(' ');
    const columns = (kept = -1): string =>
      viewport
        .columns(kept)
        .map(({ index, start }) => `${index}:${start}`)
        .join(' ');
    return { viewport, scroller, rows, columns, changes: () => changes };
  };

  it('has the rows and columns in view, one more at each edge, and the one with the cursor', () => {
    const { scroller, rows, columns, changes } = open();
    assert.match(rows(), /^0:0 1:22 .* 10:220$/);
    assert.equal(columns(), '0:50 1:150 2:250 3:350 4:450');
    scroller.to(200, 440);
    assert.equal(changes(), 1);
    assert.match(rows(), /^19:418 20:440 .* 29:638 30:660$/);
    assert.equal(columns(), '1:150 2:250 3:350 4:450 5:550 6:650');
    scroller.to(250, 451);
    assert.match(rows(2), /^2:44 19:418 20:440 .* 31:682$/);
    assert.equal(columns(19), '1:150 2:250 3:350 4:450 5:550 6:650 7:750 19:1950');
    assert.equal(columns(20), columns(), 'there is no such column');
    assert.equal(rows(25), rows());
    scroller.to(1600, 1000 * 22 + 24 - 244);
    assert.match(rows(1000), / 999:21978$/);
    assert.match(columns(-3), / 19:1950$/);
  });

  it('shows nothing while it has no size, and moves back with less content', () => {
    const { viewport, scroller, rows, columns } = open();
    scroller.to(1600, 20_000);
    viewport.resize({ rows: 12, frozenWidth: 80, widths: [100, 500] });
    assert.match(rows(), /^1:22 .* 11:242$/);
    assert.equal(columns(), '0:80 1:180');
    viewport.resize({ rows: 3, frozenWidth: 80, widths: [] });
    assert.equal(rows(), '0:0 1:22 2:44');
    assert.equal(columns(), '');
    Object.assign(scroller, { clientHeight: 0, clientWidth: 0 });
    scroller.to(0, 0);
    assert.deepEqual([rows(), rows(1), columns(0)], ['', '1:22', '']);
  });

  it('scrolls to a cell as little as necessary', () => {
    for (const [from, cell, to] of [
      [
        [0, 0],
        [9, 3],
        [0, 0],
      ],
      [
        [0, 0],
        [10, 4],
        [100, 22],
      ],
      [
        [150, 100],
        [2, 0],
        [0, 44],
      ],
      [
        [150, 44],
        [-1, 2],
        [150, 44],
      ],
      [
        [150, 44],
        [2, 1],
        [100, 44],
      ],
      [
        [150, 44],
        [3, -1],
        [150, 44],
      ],
      [
        [150, 44],
        [13, 5],
        [200, 88],
      ],
      [
        [150, 44],
        [11, 99],
        [150, 44],
      ],
    ] as const) {
      const { viewport, scroller, rows } = open();
      scroller.to(from[0], from[1]);
      viewport.reveal({ row: cell[0], column: cell[1] });
      assert.deepEqual([scroller.scrollLeft, scroller.scrollTop], to, cell.join());
      assert.equal(rows().includes(`${Math.ceil(to[1] / 22)}:`), true, 'it is known before the next event');
    }
    const { viewport, scroller } = open({ ...extent, widths: [100, 900, 100] });
    viewport.reveal({ row: 0, column: 1 });
    assert.equal(scroller.scrollLeft, 100, 'the beginning of a column that is larger than the view');
  });

  it('watches the size of its element until it is removed', () => {
    const { viewport, scroller } = open();
    assert.deepEqual(observed, [scroller]);
    viewport.dispose();
    assert.deepEqual(observed, []);
  });
});
