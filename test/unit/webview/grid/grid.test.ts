import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ColumnLayout, MAX_WIDTH, MIN_WIDTH } from '../../../../webview/grid/columns/columnLayout.ts';
import { RowView } from '../../../../webview/grid/rows/rowView.ts';
import { Selection } from '../../../../webview/grid/selection.ts';
import { typeColumns } from '../../../../src/shared/results/cells.ts';
import { cases } from '../../shared/results/tables.ts';

describe('the columns of the grid', () => {
  it('exist exactly once, whatever is done to them', () => {
    const step = fc.record({
      what: fc.constantFrom('move', 'hide', 'show', 'freeze', 'unfreeze'),
      column: fc.nat(5),
      to: fc.integer({ min: -2, max: 8 }),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const layout = new ColumnLayout([50, 60, 70, 80, 90, 100]);
        for (const { what, column, to } of steps) {
          if (what === 'move' && !layout.isHidden(column)) layout.move(column, to);
          else if (what === 'hide' || what === 'show') layout.hide(column, what === 'hide');
          else if (what !== 'move') layout.freeze(column, what === 'freeze');
          assert.ok(layout.visible.length > 0);
          const frozen = layout.visible.map((shown) => layout.isFrozen(shown));
          assert.equal(frozen.lastIndexOf(true) + 1, layout.frozenCount);
        }
        for (let column = 0; column < 6; column++) layout.hide(column, false);
        assert.deepEqual([...layout.visible].sort(), [0, 1, 2, 3, 4, 5]);
      }),
      { numRuns: cases },
    );
  });

  it('move to their target, and are frozen next to frozen ones', () => {
    const layout = new ColumnLayout([50, 60, 70]);
    layout.move(0, 2);
    assert.deepEqual(layout.visible, [1, 2, 0]);
    layout.freeze(0, true);
    assert.deepEqual(layout.visible, [0, 1, 2]);
    layout.move(2, 0);
    assert.deepEqual(layout.visible, [2, 0, 1]);
    assert.ok(layout.isFrozen(2));
  });

  it("have bounded widths, and the last one can't be hidden", () => {
    const layout = new ColumnLayout([50]);
    layout.resize(0, 1);
    assert.equal(layout.width(0), MIN_WIDTH);
    layout.resize(0, 1e6);
    assert.equal(layout.width(0), MAX_WIDTH);
    assert.equal(layout.hide(0, true), false);
  });
});

describe('the selection', () => {
  it('stays within the table and starts at its anchor', () => {
    const selection = new Selection();
    selection.moveTo({ row: 3, column: 2 }, false, 10, 5);
    selection.moveTo({ row: 99, column: -4 }, true, 10, 5);
    assert.deepEqual(selection.range(10, 5), { top: 3, bottom: 9, left: 0, right: 2 });
    selection.select('columns');
    assert.deepEqual(selection.range(10, 5), { top: 0, bottom: 9, left: 0, right: 2 });
    selection.collapse();
    assert.deepEqual(selection.range(10, 5), { top: 9, bottom: 9, left: 0, right: 0 });
  });

  it('shrinks with the table and does not grow back', () => {
    const selection = new Selection();
    selection.moveTo({ row: 8, column: 4 }, false, 10, 5);
    selection.moveTo(selection.cursor, true, 3, 2);
    assert.deepEqual(selection.range(3, 2), { top: 2, bottom: 2, left: 1, right: 1 });
    selection.moveTo(selection.cursor, true, 10, 5);
    assert.deepEqual(selection.range(10, 5), { top: 2, bottom: 2, left: 1, right: 1 });
  });

  it('spans whole columns when it is extended in the header, and is empty in an empty table', () => {
    const selection = new Selection();
    selection.moveTo({ row: -1, column: 1 }, false, 10, 5);
    assert.equal(selection.range(10, 5), undefined);
    selection.moveTo({ row: -1, column: 2 }, true, 10, 5);
    assert.deepEqual(selection.range(10, 5), { top: 0, bottom: 9, left: 1, right: 2 });
    assert.equal(selection.range(0, 5), undefined);
  });
});

describe('the rows of the grid', () => {
  it('stay sorted and filtered while more arrive', async () => {
    const columns = typeColumns([{ name: 'n', type: 'number' }], []);
    const rows: unknown[][] = [['3'], [1], [20]];
    let changes = 0;
    const view = new RowView(columns, rows, () => changes++);
    /** Long work is sliced, and on a busy machine this is long work. */
    const changed = async (times: number): Promise<void> => {
      while (changes < times) await new Promise((resolve) => setTimeout(resolve, 0));
    };
    view.sort({ column: 0, direction: 'descending' });
    await changed(1);
    view.filter(0, { condition: 'greater', value: '2', to: '' });
    await changed(2);
    rows.push(['100'], ['2']);
    assert.equal(view.total, 3);
    view.setRows(columns, rows);
    await changed(3);
    assert.deepEqual(
      Array.from({ length: view.count }, (_, at) => view.row(at)?.[0]),
      ['100', 20, '3'],
    );
    assert.deepEqual([view.total, view.rowNumber(0), changes], [5, 3, 3]);
  });
});
