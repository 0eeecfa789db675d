import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import type { TypedColumn } from '../../../../src/shared/results/cells.ts';
import type { ColumnFilter } from '../../../../src/shared/results/filter.ts';
import { ColumnLayout } from '../../../../webview/grid/columns/columnLayout.ts';
import { RowView } from '../../../../webview/grid/rows/rowView.ts';

const columns: TypedColumn[] = [
  { name: 'city', type: 'string', kind: 'string' },
  { name: 'orders', type: 'number', kind: 'number' },
];
const rows = [
  ['Rome', 3],
  ['Bern', 1],
  ['Berlin', 2],
];
const greater = (value: string): ColumnFilter => ({ condition: 'greater', value, to: '' });
const containing = (value: string): ColumnFilter => ({ condition: 'contains', value, to: '' });
const cities = (view: RowView): unknown[] => Array.from({ length: view.count }, (_, at) => view.row(at)?.[0]);

describe('the rows of a grid', () => {
  afterEach(() => mock.timers.reset());

  it('match the filters of all columns, and removing one leaves the others', () => {
    const view = new RowView(columns, rows, () => undefined);
    view.filter(0, containing('er'));
    view.filter(1, greater('1'));
    assert.deepEqual(cities(view), ['Berlin']);
    view.filter(0, undefined);
    assert.deepEqual(cities(view), ['Rome', 'Berlin']);
    assert.equal(view.total, 3);
  });

  it('keep filters and sort order when rows arrive, and lose both for other columns', () => {
    const view = new RowView(columns, rows, () => undefined);
    view.filter(1, greater('1'));
    view.sort({ column: 1, direction: 'ascending' });
    view.setRows(columns, [...rows, ['Oslo', 2.5]]);
    assert.deepEqual(cities(view), ['Berlin', 'Oslo', 'Rome']);
    view.arrange({ filters: [] });
    view.setRows(columns, rows);
    assert.deepEqual(cities(view), ['Rome', 'Bern', 'Berlin']);
  });

  it('have the order of the last request, although an earlier one takes longer', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let now = 0;
    // Each look at the clock takes a whole slice, so that long computations need several.
    const clock = mock.method(performance, 'now', () => (now += 1000));
    const many = Array.from({ length: 10_000 }, (_, at) => [`c${at}`, at]);
    let changes = 0;
    const view = new RowView(columns, many, () => (changes += 1));
    view.filter(1, greater('9990'));
    assert.equal(changes, 0, 'the filter needs several slices');
    view.filter(1, undefined);
    mock.timers.runAll();
    clock.mock.restore();
    assert.deepEqual([view.count, changes], [10_000, 1]);
  });
});

describe('the columns of a grid', () => {
  it('move within the frozen ones without unfreezing them, and freeze no neighbor', () => {
    const layout = new ColumnLayout([100, 100, 100, 100]);
    layout.freeze(0, true);
    layout.freeze(1, true);
    layout.move(0, 1);
    assert.deepEqual([layout.visible, layout.frozenCount], [[1, 0, 2, 3], 2]);
    layout.move(3, 2);
    assert.deepEqual([layout.visible, layout.isFrozen(3)], [[1, 0, 3, 2], false]);
    layout.move(3, 1);
    assert.deepEqual([layout.visible, layout.isFrozen(3)], [[1, 3, 0, 2], true]);
    layout.move(1, 3);
    assert.deepEqual([layout.visible, layout.isFrozen(1)], [[3, 0, 2, 1], false]);
  });
});
