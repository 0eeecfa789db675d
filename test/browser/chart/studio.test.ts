/** Every option of the chart studio makes a chart that can be drawn. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  setField,
  setLogarithmic,
  setMark,
  setTop,
  studioMarks,
  swapAxes,
  type StudioChannel,
} from '../../../webview/studio/edit.ts';
import type { Fields } from '../../../src/shared/text/checks.ts';
import { sales } from '../../fixtures/chart/drawable.ts';
import { openSite, type ChartSite } from './site.ts';

const bars: Fields = {
  mark: 'bar',
  encoding: {
    x: { field: 'region', type: 'nominal' },
    y: { field: 'revenue', type: 'quantitative', aggregate: 'sum' },
  },
};
/** One bar per row, so that rows can be left out. */
const plain: Fields = {
  mark: 'bar',
  encoding: { x: { field: 'orders', type: 'ordinal' }, y: { field: 'revenue', type: 'quantitative' } },
};
const column = (name: string) => sales.columns.find((one) => one.name === name);
/** The SVG element of each mark. */
const elements: Readonly<Record<(typeof studioMarks)[number], string>> = {
  bar: 'rect',
  line: 'line',
  area: 'area',
  point: 'symbol',
  arc: 'arc',
  rect: 'rect',
  tick: 'rect',
  boxplot: 'rect',
};

describe('the chart studio', () => {
  let site: ChartSite;
  before(async () => {
    site = await openSite();
  });
  after(() => site.close());

  /** @returns the number of marks of a kind */
  async function count(spec: Fields, kind: string): Promise<number> {
    const drawn = await site.draw({ spec: JSON.stringify(spec), table: sales, title: '' }, true);
    assert.equal(drawn.problem, undefined, JSON.stringify(spec));
    const found = await site.countMarks(kind);
    await site.clear();
    return found;
  }

  it('switches from every mark to every other', async () => {
    for (const from of studioMarks)
      for (const mark of studioMarks)
        assert.ok((await count(setMark(setMark(bars, from), mark), elements[mark])) > 0, `${from} to ${mark}`);
  });

  it('swaps the axes and swaps them back', async () => {
    assert.ok((await count(swapAxes(bars), 'rect')) >= 3);
    assert.ok((await count(swapAxes(swapAxes(bars)), 'rect')) >= 3);
  });

  it('assigns any column to any channel, or none', async () => {
    for (const channel of ['x', 'y', 'color'] as readonly StudioChannel[])
      for (const { name } of sales.columns)
        assert.ok((await count(setField(bars, channel, column(name), sales), 'rect')) > 0, `${name} on ${channel}`);
    assert.ok((await count(setField(bars, 'x', undefined, sales), 'rect')) > 0);
  });

  it('shows only the largest values, and a logarithmic scale', async () => {
    const all = await count(plain, 'rect');
    assert.ok(all > 5);
    assert.equal(await count(setTop(plain, 5), 'rect'), 5);
    assert.equal(await count(setTop(setTop(plain, 5), undefined), 'rect'), all);
    assert.ok((await count(setLogarithmic(setMark(plain, 'point'), true), 'symbol')) > 0);
  });
});
