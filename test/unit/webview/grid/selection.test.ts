import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ColumnLayout, MAX_WIDTH, MIN_WIDTH } from '../../../../webview/grid/columns/columnLayout.ts';
import { cellCount, contains, Selection } from '../../../../webview/grid/selection.ts';

const ROWS = 10;
const COLUMNS = 4;

describe('the selection of a grid', () => {
  const move = (selection: Selection, row: number, column: number, extend = false): void =>
    selection.moveTo({ row, column }, extend, ROWS, COLUMNS);

  it('is a single cell again when the cursor moves on from a whole row or column', () => {
    for (const span of ['rows', 'columns', 'all'] as const) {
      const selection = new Selection();
      selection.select(span);
      move(selection, 3, 2);
      assert.deepEqual(selection.range(ROWS, COLUMNS), { top: 3, bottom: 3, left: 2, right: 2 }, span);
    }
  });

  it('extends within the body or within the header, not from one to the other', () => {
    const selection = new Selection();
    move(selection, -1, 1);
    move(selection, 2, 2, true);
    assert.deepEqual(selection.range(ROWS, COLUMNS), { top: 2, bottom: 2, left: 2, right: 2 });
    move(selection, 4, 1, true);
    assert.deepEqual(selection.range(ROWS, COLUMNS), { top: 2, bottom: 4, left: 1, right: 2 });
    move(selection, -1, 1);
    move(selection, -1, 3, true);
    assert.deepEqual(selection.range(ROWS, COLUMNS), { top: 0, bottom: 9, left: 1, right: 3 });
  });

  it('spans from the anchor in every direction, and contains its edges', () => {
    for (const [row, column, range, count] of [
      [7, 3, [5, 7, 2, 3], 6],
      [3, 3, [3, 5, 2, 3], 6],
      [7, 0, [5, 7, 0, 2], 9],
      [3, 1, [3, 5, 1, 2], 6],
      [99, 99, [5, 9, 2, 3], 10],
      [-99, -99, undefined, 0],
    ] as const) {
      const selection = new Selection();
      move(selection, 5, 2);
      move(selection, row, column, true);
      const found = selection.range(ROWS, COLUMNS);
      assert.deepEqual(found && [found.top, found.bottom, found.left, found.right], range);
      const inside = Array.from({ length: ROWS * COLUMNS }, (_, at) =>
        contains(found, Math.floor(at / COLUMNS), at % COLUMNS),
      );
      assert.equal(inside.filter(Boolean).length, count);
      assert.equal(found ? cellCount(found) : 0, count);
    }
    const rows = new Selection();
    move(rows, 5, 2);
    rows.select('rows');
    assert.deepEqual(rows.range(ROWS, COLUMNS), { top: 5, bottom: 5, left: 0, right: 3 });
    rows.select('all');
    assert.deepEqual(rows.range(ROWS, COLUMNS), { top: 0, bottom: 9, left: 0, right: 3 });
    assert.equal(rows.range(ROWS, 0), undefined);
  });
});

describe('the width of a column', () => {
  it('stays between its limits, so that its edge can always be reached', () => {
    const layout = new ColumnLayout([100]);
    for (const [wanted, width] of [
      [-20, MIN_WIDTH],
      [150.4, 150],
      [1e6, MAX_WIDTH],
    ] as const) {
      layout.resize(0, wanted);
      assert.equal(layout.width(0), width);
    }
  });
});
