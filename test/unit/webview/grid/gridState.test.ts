import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ColumnCommands } from '../../../../webview/grid/columns/columnCommands.ts';
import { encodeRange, GridState } from '../../../../webview/grid/gridState.ts';

const columns = ['city', 'n', 'share'].map((name) => ({ name, type: name === 'city' ? 'string' : 'number' }));
const rows = [
  ['Rome', 3, '0.25'],
  ['=Bern', 1, '0.5'],
  ['Oslo', 2, null],
];
const sorting = { column: 1, direction: 'descending' } as const;
const filter = { condition: 'atLeast', value: '2', to: '' } as const;

describe('the state of a grid', () => {
  /** A grid whose columns are measured as 100, 101 … px; `changes` counts the changes of its rows. */
  function gridOf(table = { columns, rows: rows as unknown[][] }) {
    const seen = { changes: 0, measured: 0 };
    const widthOf = (_: GridState, column: number): number => 100 + column + 10 * seen.measured++;
    const state = new GridState(table, widthOf, () => (seen.changes += 1));
    const shown = (): unknown[] => Array.from({ length: state.view.count }, (_, at) => state.view.row(at)?.[0]);
    return { state, seen, shown };
  }

  it('keeps layout, order and filters while rows arrive, and forgets all of them for other columns', () => {
    const { state, seen, shown } = gridOf();
    state.arrange({ columns: [2, 1], sorting, filters: [[1, filter]] });
    state.layout.freeze(1, true);
    const kept = {
      columns: [1, 2],
      sorting,
      filters: [[1, filter]],
      locale: Intl.NumberFormat().resolvedOptions().locale,
    };
    assert.deepEqual([state.arrangement, shown()], [kept, ['Rome', 'Oslo']]);
    state.update({ columns: columns.map((column) => ({ ...column })), rows: [...rows, ['Nice', 9, '0.125']] });
    assert.deepEqual([state.arrangement, shown(), seen.measured], [kept, ['Nice', 'Rome', 'Oslo'], 3]);
    assert.equal(state.display(2, '0.5'), '0.500', 'with the decimals of the new rows');
    state.arrange({ columns: [2], sorting, filters: [] });
    assert.deepEqual(shown(), ['Nice', 'Rome', 'Oslo', '=Bern'], 'also as another grid shows them');
    for (const changed of [
      { name: 'other', type: 'number' },
      { name: 'share', type: 'string' },
    ]) {
      state.update({ columns: [...columns.slice(0, 2), changed], rows });
      assert.deepEqual(
        [state.arrangement.columns, state.arrangement.sorting, state.arrangement.filters],
        [[0, 1, 2], undefined, []],
      );
      assert.deepEqual(shown(), ['Rome', '=Bern', 'Oslo']);
    }
    state.update({ columns: columns.slice(0, 2), rows });
    assert.deepEqual(state.arrangement.columns, [0, 1]);
  });

  it('measures its columns once there are rows, and keeps the arrangement that it was given before', () => {
    const { state, seen } = gridOf({ columns, rows: [] });
    state.arrange({ columns: [], sorting, filters: [] });
    state.update({ columns, rows });
    assert.deepEqual([seen.measured, state.arrangement.sorting], [6, sorting]);
    assert.deepEqual(
      [0, 1, 2].map((column) => state.layout.width(column)),
      [130, 141, 152],
    );
    assert.equal(state.fittingWidth(1), 161);
  });

  it('shows sums as the first number column in the range shows its cells', () => {
    const { state } = gridOf();
    const range = (left: number, right: number) => ({ top: 0, bottom: 1, left, right });
    assert.deepEqual(
      [range(0, 2), range(2, 2), range(0, 0), range(1, 1)].map((each) => state.displaySum(each, '4')),
      ['4', '4.00', '4', '4'],
    );
    state.arrange({ columns: [2, 1], filters: [] });
    assert.equal(state.displaySum(range(0, 1), '4'), '4.00', 'the first one that is shown');
  });

  it('has no selected cell beside those that are shown', () => {
    const { state } = gridOf();
    state.selection.moveTo({ row: 2, column: 2 }, false, 3, 3);
    assert.deepEqual([state.cursorColumn, state.range], [2, { top: 2, bottom: 2, left: 2, right: 2 }]);
    assert.deepEqual(
      [gridOf({ columns: [], rows: [] }).state.cursorColumn, gridOf({ columns, rows: [] }).state.range],
      [0, undefined],
    );
  });

  it('encodes a range as displayed; a single cell as TSV is its exact text', () => {
    const { state } = gridOf();
    const encoded = (range: readonly number[], format: 'tsv' | 'csv', headers: boolean): string => {
      const [top = 0, bottom = 0, left = 0, right = 0] = range;
      const steps = encodeRange(state, { top, bottom, left, right }, format, { headers, guardFormulas: true });
      for (;;) {
        const { done, value } = steps.next();
        if (done === true) return value;
      }
    };
    assert.equal(encoded([1, 1, 0, 0], 'tsv', false), '=Bern');
    assert.equal(encoded([1, 1, 0, 0], 'tsv', true), "city\n'=Bern\n");
    assert.equal(encoded([1, 1, 0, 0], 'csv', false), "'=Bern\r\n");
    assert.equal(encoded([1, 1, 0, 1], 'tsv', false), "'=Bern\t1\n");
    assert.equal(encoded([0, 1, 0, 0], 'tsv', false), "Rome\n'=Bern\n");
    state.arrange({ columns: [2, 0], sorting, filters: [] });
    assert.equal(encoded([0, 1, 0, 1], 'csv', true), 'share,city\r\n0.25,Rome\r\n,Oslo\r\n');
  });
});

describe('the commands for columns', () => {
  it('act on the column under the cursor, which stays under it, and report what must come into view', () => {
    const state = new GridState(
      { columns, rows },
      () => 100,
      () => undefined,
    );
    const calls: unknown[] = [];
    const commands = new ColumnCommands(state, (place) => {
      calls.push(place ? `${place.row}/${place.column}` : 'size');
      if (place) state.selection.moveTo(place, false, 3, state.layout.visible.length);
    });
    const after = (): string =>
      `${state.layout.visible.join('')} ${state.layout.frozenCount} ${calls.splice(0).join()}`;
    state.selection.moveTo({ row: 1, column: 0 }, false, 3, 3);
    for (const [act, expected] of [
      [() => commands.move(-1), '012 0 '],
      [() => commands.move(1), '102 0 1/1'],
      [() => commands.move(1), '120 0 1/2'],
      [() => commands.move(1), '120 0 '],
      [() => commands.freeze(true), '012 1 1/0'],
      // Back to where it was.
      [() => commands.freeze(false), '120 0 1/2'],
      [() => commands.widen(16), '120 0 size'],
      [() => commands.drop(2, 0), '210 0 1/0'],
      [() => commands.hide(2, true), '10 0 1/0'],
      [() => commands.hide(2, true), '10 0 '],
      [() => commands.hide(2, false), '210 0 1/0'],
    ] as const) {
      act();
      assert.equal(after(), expected, String(act));
    }
    assert.deepEqual(
      [0, 1].map((column) => state.layout.width(column)),
      [116, 100],
    );
    state.selection.moveTo({ row: 1, column: 2 }, false, 3, 3);
    commands.widen(undefined);
    assert.equal(state.layout.width(0), 100, 'as its content needs');
  });
});
