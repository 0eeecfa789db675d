import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { attachData } from '../../../../src/shared/chart/attachData.ts';
import { escapeColumns } from '../../../../src/shared/chart/names.ts';
import { chartRows } from '../../../../src/shared/chart/rows.ts';
import { compileChart } from '../../../../webview/chart/compile.ts';
import { drawView } from '../../../../webview/chart/drawView.ts';

const width = 400;

/** @returns the shapes of the marks that are drawn for a measure by quarters of a column of times */
async function shapesOf(mark: string, name: string): Promise<string[]> {
  const rows = ['01', '02', '03', '04', '05', '06'].flatMap((month, at) =>
    [1, 2, 3, 20].map((value) => [`2024-${month}-01`, value * (at + 1)]),
  );
  const columns = [
    { name, type: 'timestamp' },
    { name: 'v', type: 'double' },
  ];
  const table = { columns, rows, totalRows: rows.length };
  const x = { field: name, type: 'temporal', timeUnit: 'yearquarter' };
  const encoding = { x, y: { field: 'v', type: 'quantitative' } };
  const spec = attachData(escapeColumns({ mark, width, height: 200, encoding }, table));
  const compile = () => Promise.resolve(compileChart(spec, { aria: false }, chartRows(spec, table), table));
  const options = { width, isSingle: true, locale: {}, tooltip: () => undefined, onProblem: assert.fail };
  const view = await drawView(undefined, compile, options);
  const svg = await view.toSVG();
  view.finalize();
  return [...svg.matchAll(/<g class="mark-\w+ role-mark[^>]*>(.*?)<\/g>/gs)].map(([, shapes = '']) => shapes);
}

describe('a chart of a column of times by a calendar unit', () => {
  for (const mark of ['boxplot', 'errorbar', 'errorband', 'line'])
    it(`is drawn as the mark ${mark} in the same way, whatever the name of the column`, async () => {
      const shapes = await shapesOf(mark, 't');
      assert.ok(shapes.join('').includes('<'));
      for (const name of ['orders.created_at', 'Date [UTC]', 'a..b'])
        assert.deepEqual(await shapesOf(mark, name), shapes, name);
    });
});
