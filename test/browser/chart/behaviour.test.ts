import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { drawableSpecs, sales } from '../../fixtures/chart/drawable.ts';
import { withCommonScales } from '../../../src/shared/chart/commonScales.ts';
import { settled } from '../../support/settled.ts';
import { becomes } from '../../support/until.ts';
import { openSite, type ChartSite } from './site.ts';

const bars = {
  mark: 'bar',
  encoding: {
    x: { field: 'region', type: 'nominal' },
    y: { field: 'revenue', type: 'quantitative', aggregate: 'sum' },
  },
};
const specText = (name: string): string => JSON.stringify(drawableSpecs.find((one) => one.name === name)?.spec);
const barsText = JSON.stringify(bars);

describe('a chart', () => {
  let site: ChartSite;
  before(async () => {
    site = await openSite();
  });
  afterEach(() => site.clear());
  after(() => site.close());

  const width = () => site.page.locator('svg.marks').evaluate((svg) => svg.getBoundingClientRect().width);
  const image = () => site.page.getByRole('img', { name: /^Chart/ });

  it('is an image whose name describes its contents', async () => {
    await site.draw({ spec: barsText, table: sales, title: 'Revenue by region' }, true);
    assert.match(
      (await image().getAttribute('aria-label')) ?? '',
      /^Chart: Revenue by region\. bar chart of region, revenue/,
    );
    assert.equal(await site.page.locator('[role="graphics-document"]').count(), 0);
  });

  it('has no title if it is that of its card', async () => {
    await site.draw(
      { spec: JSON.stringify({ ...bars, title: 'Revenue by Region ' }), table: sales, title: 'Revenue by region' },
      true,
    );
    assert.equal(await site.page.locator('.role-title').count(), 0);
  });

  it('names its axes after members and aggregations', async () => {
    const encoding = { ...bars.encoding, y: { aggregate: 'count', type: 'quantitative' } };
    await site.draw({ spec: JSON.stringify({ mark: 'bar', encoding }), table: sales, title: '' }, true);
    assert.deepEqual(await site.page.locator('.role-axis-title text').allTextContents(), ['region', 'Count']);
  });

  it('follows the theme while it is shown', async () => {
    await site.useTheme('dark');
    await site.draw({ spec: barsText, table: sales, title: '' }, true);
    const colors = () =>
      site.page.evaluate(() => ({
        bar: document.querySelector('.mark-rect path')?.getAttribute('fill'),
        label: document.querySelector('.role-axis-label text')?.getAttribute('fill'),
        background: document.querySelector('svg')?.style.backgroundColor,
      }));
    assert.deepEqual(await colors(), { bar: '#59a4f9', label: '#9d9d9d', background: 'transparent' });
    await site.useTheme('light');
    assert.deepEqual(await colors(), { bar: '#1a85ff', label: '#3b3b3b', background: 'transparent' });
    // A theme need not define every color.
    await site.page.evaluate(() => {
      for (const name of ['charts-blue', 'descriptionForeground'])
        document.documentElement.style.removeProperty(`--vscode-${name}`);
      return window.chartPage.setTheme();
    });
    assert.deepEqual(await colors(), { bar: '#1a85ff', label: '#616161', background: 'transparent' });
    await site.useTheme('highContrast');
    assert.deepEqual(await colors(), { bar: '#3794ff', label: '#ffffff', background: 'transparent' });
  });

  it("drops values that a logarithmic scale can't show, and draws the others", async () => {
    const table = {
      ...sales,
      rows: [5, 700, 50_000, 0, -3, null].map((value, n) => ['2024-01-01', `r${n}`, value, 1]),
    };
    const { y } = bars.encoding;
    const scale = { type: 'log' };
    const plain = { field: 'revenue', type: 'quantitative', scale };
    const color = { field: 'region', type: 'nominal' };
    for (const encoding of [
      { y: plain },
      { y: { ...y, scale } },
      { y: { ...plain, stack: 'zero' }, color },
      { x: { ...y, scale }, y: color },
    ]) {
      const spec = JSON.stringify({ ...bars, encoding: { ...bars.encoding, ...encoding } });
      await site.draw({ spec, table, title: '' }, true);
      const shown = await site.page.locator('.mark-rect path').evaluateAll(
        (all) =>
          all.filter((bar) => {
            const { width, height } = bar.getBoundingClientRect();
            return width > 1 && height > 1;
          }).length,
      );
      assert.equal(shown, 3, JSON.stringify(encoding));
      assert.ok((await site.page.locator('.role-axis-label text').allTextContents()).includes('10,000'));
      await site.clear();
    }
  });

  it('with facet rows fits its container, labels included', async () => {
    const { row, ...encoding } = { ...bars.encoding, row: { field: 'region', type: 'nominal' } };
    const inside = { mark: 'bar', encoding };
    for (const spec of [
      { mark: 'bar', encoding: { ...encoding, row } },
      { facet: { row }, spec: inside },
    ]) {
      await site.draw({ spec: JSON.stringify(spec), table: sales, title: '' }, true);
      assert.ok((await width()) <= 696, `${await width()}`);
      await site.clear();
    }
  });

  it('with several views and large numbers fits its container', async () => {
    const rows = ['North', 'South'].map((region, index) => ['2024-01-01', region, `${120_000 - index}`, '1']);
    const repeat = { mark: 'bar', encoding: { ...bars.encoding, y: { field: { repeat: 'layer' }, aggregate: 'sum' } } };
    for (const spec of [
      { vconcat: [bars, bars] },
      { hconcat: [bars, bars] },
      { repeat: { layer: ['revenue', 'orders'] }, spec: repeat },
    ]) {
      await site.draw({ spec: JSON.stringify(spec), table: { ...sales, rows, totalRows: 2 }, title: '' }, true);
      assert.ok((await width()) <= 696, `${await width()}`);
      await site.clear();
    }
  });

  it('with facets and a legend fits its container', async () => {
    const y = { field: 'revenue', type: 'quantitative' };
    const region = { field: 'region', type: 'nominal' };
    for (const facet of [{ column: region }, { facet: region }]) {
      const encoding = { x: { field: 'sales.month', type: 'ordinal' }, y, color: region, ...facet };
      await site.draw({ spec: JSON.stringify({ mark: 'bar', encoding }), table: sales, title: '' }, true);
      assert.ok((await width()) <= 696, `${await width()}`);
      await site.clear();
    }
  });

  it('with facets and an axis of long names or large numbers fits its container', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => [
      `2024-0${(index % 3) + 1}-01`,
      `Sports & Outdoors ${index}`,
      450_000_000 - index,
      1,
    ]);
    const facet = { field: 'sales.month', type: 'ordinal', columns: 3 };
    const x = { field: 'orders', type: 'quantitative' };
    for (const y of [
      { field: 'region', type: 'nominal' },
      { field: 'revenue', type: 'quantitative' },
    ]) {
      const spec = { mark: 'point', encoding: { facet, x, y } };
      await site.draw({ spec: JSON.stringify(spec), table: { ...sales, rows, totalRows: 12 }, title: '' }, true);
      assert.ok((await width()) <= 696, `${await width()}`);
      await site.clear();
    }
  });

  it('with facets that share their axes fills its container', async () => {
    const rows = ['North', 'South', 'East'].map((region) => ['2024-01-01', region, '100', '1']);
    const facet = { field: 'region', type: 'nominal' };
    const spec = { mark: 'bar', encoding: { ...bars.encoding, x: { field: 'sales.month', type: 'ordinal' } } };
    const table = { ...sales, rows, totalRows: 3 };
    await site.draw({ spec: JSON.stringify({ facet, spec }), table, title: '' }, true);
    const drawn = await width();
    assert.ok(drawn > 620 && drawn <= 696, `${drawn}`);
  });

  it('fills its container and follows its size', async () => {
    await site.draw({ spec: JSON.stringify({ ...bars, width: 2_000 }), table: sales, title: '' }, true);
    assert.equal(await width(), 696);
    await site.page.setViewportSize({ width: 324, height: 900 });
    await site.page.waitForFunction(() => document.querySelector('svg.marks')?.getBoundingClientRect().width === 300);
    await site.page.setViewportSize({ width: 720, height: 900 });
    await site.page.waitForFunction(() => document.querySelector('svg.marks')?.getBoundingClientRect().width === 696);
    // A container can change its size in a page that keeps its own.
    await site.page.locator('section').evaluate((section) => (section.style.width = '400px'));
    await site.page.waitForFunction(() => document.querySelector('svg.marks')?.getBoundingClientRect().width === 400);
  });

  it('truncates no label and no legend entry, however narrow it is', async () => {
    const names = ['Home & Kitchen', 'Sports & Outdoors', 'Beauty & Care', 'Books', 'Toys', 'Clothing', 'Electronics'];
    const rows = names.map((name, index) => ['2024-01-01', name, `${index + 1}`, '1']);
    const field = { field: 'region', type: 'nominal' };
    const spec = JSON.stringify({ mark: 'bar', encoding: { ...bars.encoding, x: field, color: field } });
    for (const viewport of [274, 524]) {
      await site.page.setViewportSize({ width: viewport, height: 900 });
      await site.draw({ spec, table: { ...sales, rows, totalRows: 7 }, title: '' }, true);
      const { axis, legend, outside } = await site.page.evaluate(() => {
        const all = (selector: string) => [...document.querySelectorAll<SVGTextElement>(selector)];
        const frame = document.querySelector('svg.marks')?.getBoundingClientRect();
        const isIn = (box: DOMRect): boolean =>
          frame !== undefined &&
          box.left >= frame.left - 1 &&
          box.right <= frame.right + 1 &&
          box.top >= frame.top - 1 &&
          box.bottom <= frame.bottom + 1;
        const visible = (text: SVGTextElement): boolean => getComputedStyle(text).opacity !== '0';
        return {
          axis: all('.role-axis-label text')
            .filter(visible)
            .map((text) => text.textContent ?? ''),
          legend: all('.role-legend-label text').map((text) => text.textContent ?? ''),
          outside: all('svg.marks text')
            .filter((text) => visible(text) && !isIn(text.getBoundingClientRect()))
            .map((text) => text.textContent),
        };
      });
      assert.deepEqual(legend.toSorted(), names.toSorted());
      for (const name of names)
        assert.ok(
          axis.some((text) => text.slice(0, 6) === name.slice(0, 6)),
          name,
        );
      assert.deepEqual(outside, []);
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('keeps the names of its bars apart beside an axis of large numbers', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => ['2024-01-01', `Category ${index}`, 1e6 / (index + 1), 1]);
    const formatted = { ...bars.encoding, y: { ...bars.encoding.y, axis: { format: '$,.0f' } } };
    for (const [viewport, encoding] of [
      [264, bars.encoding],
      [284, bars.encoding],
      [304, bars.encoding],
      [324, bars.encoding],
      [264, formatted],
    ] as const) {
      await site.page.setViewportSize({ width: viewport, height: 900 });
      await site.draw(
        { spec: JSON.stringify({ mark: 'bar', encoding }), table: { ...sales, rows, totalRows: 12 }, title: '' },
        true,
      );
      const places = await site.page.locator('.role-axis-label text[transform*="rotate"]').evaluateAll((all) =>
        all
          .filter((text) => getComputedStyle(text).opacity !== '0')
          .map((text) =>
            /\((.*?),.*rotate\((-\d+)/
              .exec(text.getAttribute('transform') ?? '')!
              .slice(1)
              .map(Number),
          ),
      );
      assert.ok(places.length > 3);
      for (const [index, [x = 0, angle = 0]] of places.entries()) {
        const [before = -Infinity] = places[index - 1] ?? [];
        // Slanted lines of text touch later: their long letters are beside each other.
        const apart = (x - before) * Math.sin((-angle * Math.PI) / 180);
        assert.ok(apart > (angle === -90 ? 12 : 10), `${apart} px in ${viewport} px`);
      }
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('slants names only where they would overlap', async () => {
    const rows = ['Home & Kitchen', 'Sports & Outdoors', 'Books', 'Europe', 'Asia'].map((name, index) => [
      '2024-01-01',
      name,
      `${index + 1}`,
      '1',
    ]);
    for (const [width, count] of [
      [424, 5],
      [700, 0],
    ] as const) {
      await site.page.setViewportSize({ width, height: 900 });
      await site.draw({ spec: barsText, table: { ...sales, rows, totalRows: 5 }, title: '' }, true);
      assert.equal(await site.page.locator('.role-axis-label text[transform*="rotate(-40"]').count(), count);
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('keeps names upright that have room beside an axis of counts', async () => {
    const y = { aggregate: 'count', type: 'quantitative' };
    const rows = Array.from({ length: 5 }, (_, index) => [`Region ${index}`]);
    await site.page.setViewportSize({ width: 480, height: 900 });
    for (const name of ['region', 'shop.region']) {
      const spec = JSON.stringify({ mark: 'bar', encoding: { x: { field: name, type: 'nominal' }, y } });
      await site.draw({ spec, table: { columns: [{ name, type: 'string' }], rows, totalRows: 5 }, title: '' }, true);
      const names = site.page.locator('.role-axis-label text').filter({ hasText: 'Region' });
      const drawn = await names.evaluateAll((all) => all.map((text) => text.outerHTML));
      assert.deepEqual([drawn.length, /rotate/.test(drawn.join())], [5, false], name);
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('has as many legend entries side by side as fit without being truncated', async () => {
    const names = ['Channel 1', 'Channel 2', 'Channel 3', 'Channel 4'];
    const rows = names.map((name, index) => ['2024-01-01', name, `${index + 1}`, '1']);
    const color = { field: 'region', type: 'nominal' };
    const spec = JSON.stringify({ ...bars, encoding: { ...bars.encoding, color } });
    for (const width of [280, 350, 374, 390, 430]) {
      await site.page.setViewportSize({ width, height: 900 });
      await site.draw({ spec, table: { ...sales, rows, totalRows: 4 }, title: '' }, true);
      assert.deepEqual(await site.page.locator('.role-legend-label text').allTextContents(), names, `${width}`);
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('starts its legend at its left edge and truncates no entry if it is narrow', async () => {
    const names = ['Beauty & Personal Care', 'Sports & Outdoors', 'Books'];
    const rows = names.map((name, index) => ['2024-01-01', name, `${index + 1}`, '1']);
    const table = { ...sales, rows, totalRows: 3 };
    const y = { field: 'region', type: 'nominal' };
    const named = { calculate: "'Category ' + datum.region", as: 'named' };
    await site.page.setViewportSize({ width: 249, height: 900 });
    for (const [color, expected] of [
      [y, names],
      [{ ...y, legend: { orient: 'right' } }, names],
      [{ ...y, field: 'named' }, names.map((name) => `Category ${name}`)],
      [{ datum: 'Revenue of all regions', type: 'nominal' }, ['Revenue of all regions']],
    ] as const) {
      const spec = { transform: [named], mark: 'bar', encoding: { x: bars.encoding.y, y, color } };
      await site.draw({ spec: JSON.stringify(spec), table, title: '' }, true);
      const legend = site.page.locator('.role-legend-label text');
      assert.deepEqual((await legend.allTextContents()).toSorted(), expected.toSorted());
      const left = await legend.first().evaluate((text) => text.getBoundingClientRect().left);
      assert.ok(left < 40, `${left}`);
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('makes room for the labels of values that a transform creates', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => ['2024-01-01', `Region ${index}`, '1', '1']);
    const table = { ...sales, rows, totalRows: 12 };
    const transform = [{ calculate: "'Sales of ' + datum.region", as: 'named' }];
    const named = { field: 'named', type: 'nominal' };
    const { y } = bars.encoding;
    for (const encoding of [
      { x: named, y },
      { x: y, y: named },
    ]) {
      await site.draw({ spec: JSON.stringify({ transform, mark: 'bar', encoding }), table, title: '' }, true);
      const boxes = await site.page.evaluate(() =>
        [...document.querySelectorAll('.role-axis-label text')]
          .filter((text) => text.textContent?.startsWith('Sales'))
          .map((text) => text.getBoundingClientRect().toJSON() as DOMRect),
      );
      assert.equal(boxes.length, 12);
      for (const [index, { right, top }] of boxes.slice(1).entries())
        assert.ok(boxes[index]!.right + 16 <= right || boxes[index]!.bottom <= top + 1, `label ${index}`);
      await site.clear();
    }
  });

  it('has a maximum height also for values that a transform creates', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => ['2024-01-01', `Region ${index}`, '1', '1']);
    const transform = [{ calculate: "'Sales of ' + datum.region", as: 'named' }];
    const encoding = { x: bars.encoding.y, y: { field: 'named', type: 'nominal' } };
    const spec = JSON.stringify({ transform, mark: 'bar', encoding });
    await site.draw({ spec, table: { ...sales, rows, totalRows: 400 }, title: '' }, true);
    const height = await site.page.locator('svg').evaluate((picture) => picture.getBoundingClientRect().height);
    assert.ok(height < 800, `${height}`);
    await site.clear();
  });

  it('shows the names of repeated columns in its legend', async () => {
    const table = {
      columns: ['region', 'o.a', 'o.b'].map((name) => ({ name, type: '' })),
      rows: [
        ['North', 1, 2],
        ['South', 3, 4],
      ],
      totalRows: 2,
    };
    const layer = { repeat: 'layer' };
    const encoding = {
      x: { field: 'region' },
      y: { field: layer, type: 'quantitative' },
      color: { datum: layer, type: 'nominal' },
    };
    const spec = { repeat: { layer: ['o.a', 'o.b'] }, spec: { mark: 'line', encoding } };
    await site.draw({ spec: JSON.stringify(spec), table, title: '' }, true);
    assert.deepEqual(await site.page.locator('.role-legend-label text').allTextContents(), ['o.a', 'o.b']);
  });

  it('keeps bars at times apart, also those of several plots', async () => {
    const y = { field: 'revenue', type: 'quantitative', aggregate: 'sum' };
    const bars = { mark: 'bar', encoding: { x: { field: 'sales.month', type: 'temporal' }, y } };
    for (const spec of [bars, { hconcat: [bars, bars] }]) {
      await site.draw({ spec: JSON.stringify(spec), table: sales, title: '' }, true);
      const boxes = await site.page
        .locator('.role-mark.mark-rect > path')
        .evaluateAll((all) => all.slice(0, 12).map((bar) => bar.getBoundingClientRect().toJSON() as DOMRect));
      const sorted = boxes.sort((one, next) => one.x - next.x);
      const distances = sorted.slice(1).map(({ x }, at) => x - sorted[at]!.right);
      assert.ok(distances.length === 11 && Math.min(...distances) > 0, distances.join());
      await site.clear();
    }
  });

  it('shows the bars of single days of a year', async () => {
    const days = Array.from({ length: 250 }, (_, day) =>
      new Date(Date.UTC(2024, 0, day + 1)).toISOString().slice(0, 10),
    );
    const x = { field: 'sales.month', type: 'temporal', timeUnit: 'yearmonthdate' };
    const table = { ...sales, rows: days.map((day) => [day, 'North', '1', '1']), totalRows: 250 };
    await site.page.setViewportSize({ width: 374, height: 900 });
    await site.draw(
      { spec: JSON.stringify({ mark: 'bar', encoding: { x, y: bars.encoding.y } }), table, title: '' },
      true,
    );
    const widths = await site.page
      .locator('.role-mark.mark-rect > path')
      .evaluateAll((paths) => paths.map((path) => path.getBoundingClientRect().width));
    assert.equal(widths.length, 250);
    assert.ok(Math.min(...widths) >= 1, `${Math.min(...widths)}`);
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('cuts off no number and no title, however narrow it is', async () => {
    const names = ['North America', 'Europe', 'Asia'];
    const x = { ...bars.encoding.y, title: 'Total revenue in US dollars' };
    const encoding = { x, y: { ...bars.encoding.x, title: null } };
    const title = 'Revenue by region in all of the last quarters';
    const spec = JSON.stringify({ title, mark: 'bar', encoding });
    for (const [viewport, most] of [
      [224, 23_456_789],
      [250, 345_678_901],
      [300, 345_678_901],
    ] as const) {
      const rows = names.map((name, index) => ['2024-01-01', name, most * (1 - index / 5), 1]);
      await site.page.setViewportSize({ width: viewport, height: 900 });
      await site.draw({ spec, table: { ...sales, rows, totalRows: 3 }, title: '' }, true);
      const outside = await site.page.evaluate(() => {
        const frame = document.querySelector('svg.marks')!.getBoundingClientRect();
        return [...document.querySelectorAll('svg.marks text')]
          .filter((text) => text.getBoundingClientRect().right > frame.right + 1)
          .map((text) => text.textContent);
      });
      assert.deepEqual(outside, [], `${viewport}`);
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('shortens the title of an axis that is longer than the axis', async () => {
    const title = 'Average number of days between the first order and the payment, without canceled orders';
    const encoding = {
      ...bars.encoding,
      y: { ...bars.encoding.y, title },
      color: { field: 'region', type: 'nominal' },
    };
    await site.page.setViewportSize({ width: 400, height: 900 });
    await site.draw({ spec: JSON.stringify({ ...bars, encoding }), table: sales, title: '' }, true);
    const [bottom, top] = await site.page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
      return [box('.role-axis-title text[transform*="rotate(-90)"]').bottom, box('.role-legend').top];
    });
    assert.ok(bottom! <= top!, `${bottom} > ${top}`);
    await site.clear();
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('moves its legend below when it gets narrow, and beside it when it gets wide', async () => {
    const color = { field: 'region', type: 'nominal' };
    await site.draw(
      { spec: JSON.stringify({ ...bars, encoding: { ...bars.encoding, color } }), table: sales, title: '' },
      true,
    );
    const isBelow = (): Promise<boolean> =>
      site.page.evaluate(() => {
        const top = document.querySelector('.role-legend')?.getBoundingClientRect().top ?? 0;
        return top > (document.querySelector('.role-axis')?.getBoundingClientRect().bottom ?? Infinity) - 20;
      });
    for (const [width, below] of [
      [720, false],
      [300, true],
      [720, false],
    ] as const) {
      await site.page.setViewportSize({ width, height: 900 });
      while ((await isBelow()) !== below) await site.page.evaluate(() => new Promise(requestAnimationFrame));
    }
    // A legend that is higher than the plot has no room beside it.
    const rows = Array.from({ length: 24 }, (_, at) => [`region ${at}`, at + 1]);
    const columns = ['region', 'revenue'].map((name, at) => ({ name, type: at === 0 ? 'string' : 'number' }));
    const y = { field: 'revenue', type: 'quantitative', aggregate: 'sum' };
    await site.clear();
    await site.draw(
      {
        spec: JSON.stringify({ mark: 'bar', encoding: { y, color } }),
        table: { columns, rows, totalRows: 24 },
        title: '',
      },
      true,
    );
    assert.equal(await isBelow(), true);
  });

  it('has the first and the last label of an axis at their ticks, and a plain zero', async () => {
    const rows = [0, 40_000].map((value, at) => [`202${at + 3}-01-01`, 'North', value, 1]);
    const table = { ...sales, rows, totalRows: 2 };
    const x = { field: 'sales.month', type: 'temporal', axis: { ticks: true, format: '%B %Y' } };
    const y = (format: string) => ({ field: 'revenue', type: 'quantitative', axis: { format } });
    for (const [format, zero] of [
      ['$s', '$0'],
      ['$,.2f', '$0'],
      ['.1%', '0%'],
      ['.3s', '0'],
    ] as const) {
      await site.draw(
        { spec: JSON.stringify({ mark: 'line', encoding: { x, y: y(format) } }), table, title: '' },
        true,
      );
      const labels = await site.page.locator('.role-axis-label text').allTextContents();
      assert.ok(labels.includes(zero), labels.join());
      const middles = (selector: string) =>
        site.page.locator(selector).evaluateAll((all) =>
          all.map((one) => {
            const { left, right } = one.getBoundingClientRect();
            return (left + right) / 2;
          }),
        );
      const texts = await middles('.role-axis:has(line[x2="0"]) .role-axis-label text');
      const ticks = await middles('.role-axis:has(line[x2="0"]) .role-axis-tick line');
      for (const at of [0, -1])
        assert.ok(Math.abs(texts.at(at)! - ticks.at(at)!) < 2, `${texts.join()} at ${ticks.join()}`);
      await site.clear();
    }
  });

  it('has equal lengths for equal values beside a chart that it is compared with', async () => {
    const encoding = { x: { field: 'region', type: 'nominal' }, y: { field: 'revenue', type: 'quantitative' } };
    const spec = JSON.stringify({ mark: 'bar', encoding });
    const tables = [
      [10, 20],
      [10, 95],
    ].map((values) => ({ ...sales, rows: values.map((value, at) => ['2024-01-01', `${at}`, value, 1]), totalRows: 2 }));
    const specs = withCommonScales(tables.map((table) => ({ spec, table })));
    const heights: number[] = [];
    for (const [at, table] of tables.entries()) {
      await site.draw({ spec: specs[at]!, table, title: '' }, true);
      const bar = await site.page.locator('.mark-rect path').first().boundingBox();
      heights.push(Math.round(bar?.height ?? 0));
      await site.clear();
    }
    assert.ok(heights[0]! > 10 && heights[0] === heights[1], heights.join());
  });

  it('shows tooltips as text, whatever is in them', async () => {
    const table = { ...sales, rows: sales.rows.map((row) => [row[0], '<b onclick=x>Nörd</b>', ...row.slice(2)]) };
    await site.draw({ spec: barsText, table, title: '' }, true);
    await site.page.locator('.mark-rect path').first().hover();
    const tooltip = site.page.locator('.chart-tooltip');
    await tooltip.waitFor({ state: 'visible' });
    assert.match(await tooltip.innerText(), /region: <b onclick=x>Nörd<\/b>\s+Sum of revenue: [\d,]+/);
    assert.equal(await tooltip.locator('b').count(), 0);
    await site.page.mouse.move(1, 1);
    await tooltip.waitFor({ state: 'hidden' });
  });

  it('shows the exact numbers of the grid in tooltips, without the error of their sum', async () => {
    const columns = ['id', 'v'].map((name) => ({ name, type: 'number' }));
    const rows = [0.1, 0.2].map((value) => ['1700000000000123', value]);
    const id = { field: 'id', type: 'quantitative', title: 'id' };
    const sum = { aggregate: 'sum', field: 'v', type: 'quantitative', title: 'v' };
    const spec = JSON.stringify({ mark: 'bar', encoding: { y: sum, detail: id, tooltip: [id, sum] } });
    await site.draw({ spec, table: { columns, rows, totalRows: 2 }, title: '' }, true);
    await site.page.locator('.role-mark.mark-rect path').first().hover();
    const tooltip = site.page.locator('.chart-tooltip');
    await tooltip.waitFor({ state: 'visible' });
    assert.match(await tooltip.innerText(), /^id: 1700000000000123\s+v: 0\.3$/);
    await site.clear();
    for (const [format, aggregate, shown] of [
      ['$s', undefined, '$36,866.90'],
      ['$,.0f', 'sum', '$36,866.90'],
      ['.2s', 'max', '36,866.90'],
      ['.0%', undefined, '3,686,690%'],
      [undefined, 'mean', '36,866.9'],
    ] as const) {
      const y = { field: 'revenue', type: 'quantitative', aggregate, axis: { format } };
      const money = {
        columns: [{ name: 'revenue', type: 'number' }],
        rows: [['36866.90']],
        totalRows: 1,
      };
      await site.draw({ spec: JSON.stringify({ mark: 'bar', encoding: { y } }), table: money, title: '' }, true);
      await site.page.locator('.role-mark.mark-rect path').first().hover();
      assert.match(await tooltip.innerText(), RegExp(`: ${shown.replaceAll(/[$.]/g, '\\$&')}$`), format);
      await site.clear();
    }
  });

  it('shows its tooltip at the pointer, also in a part of the page that is rendered on its own', async () => {
    const spec = JSON.stringify({ ...bars, mark: { type: 'bar', width: 200 } });
    for (let count = 0; count < 2; count++) await site.draw({ spec, table: sales, title: '' }, true);
    await site.page
      .locator('main section')
      .evaluateAll((all) => all.forEach((section) => Object.assign(section.style, { contentVisibility: 'auto' })));
    for (const at of [0, 1]) {
      const target = site.page.locator('main section').nth(at);
      const bar = target.locator('.mark-rect path').first();
      await bar.hover({ position: { x: 20, y: 20 } });
      const box = await bar.boundingBox();
      assert.ok(box);
      const [x, y] = [box.x + 20, box.y + 20];
      const tooltip = target.locator('.chart-tooltip');
      await tooltip.waitFor();
      const shown = await tooltip.boundingBox();
      assert.ok(shown && shown.x > x && shown.x < x + 20 && shown.y > y && shown.y < y + 20, JSON.stringify(shown));
    }
  });

  it('shows the nearest point of a line, wherever the pointer is in its plot', async () => {
    const rows = [10, 30, 20, 40].flatMap((value, at) => [
      [`2024-0${at + 1}-01`, 'North', value, 1],
      [`2024-0${at + 1}-01`, 'South', value + 60, 1],
    ]);
    const table = { ...sales, rows, totalRows: rows.length };
    const x = { field: 'sales.month', type: 'temporal' };
    const encoding = { x, y: { field: 'revenue', type: 'quantitative' }, color: { field: 'region' } };
    const tooltip = site.page.locator('.chart-tooltip');
    const place = (top: string) => site.page.locator('main').evaluate((main, to) => (main.style.paddingTop = to), top);
    await place('90px');
    for (const spec of [
      { mark: 'line', encoding },
      { mark: { type: 'line', point: true }, encoding },
      { vconcat: [{ mark: 'line', encoding }] },
      { mark: 'line', encoding, padding: { left: 90, top: 5 } },
    ]) {
      await site.draw({ spec: JSON.stringify(spec), table, title: '' }, true);
      const [plot, upper] = [
        await site.page.locator('.mark-line path').first().boundingBox(),
        await site.page.locator('.mark-line path').last().boundingBox(),
      ];
      assert.ok(plot && upper);
      const right = plot.x + plot.width - 4;
      await site.page.mouse.move(right, plot.y + plot.height);
      assert.match(await tooltip.innerText(), /Apr 1?,? ?.*revenue: 40\s.*North/s);
      await site.page.mouse.move(right, upper.y);
      assert.match(await tooltip.innerText(), /revenue: 100\s.*South/s);
      const dot = await site.page.locator('.chart-tooltip-point').boundingBox();
      assert.ok(dot && Math.abs(dot.x - right) < 6, JSON.stringify([dot, right]));
      assert.ok(Math.abs(dot.y - upper.y) < 6, JSON.stringify([dot, upper]));
      await site.page.mouse.move(plot.x + 4, upper.y);
      assert.match(await tooltip.innerText(), /revenue: 70\s.*South/s);
      for (const mark of (await site.page.locator('.role-mark.mark-symbol > path').all()).slice(0, 1)) {
        await mark.hover();
        await site.page.locator('.chart-tooltip-point').waitFor({ state: 'hidden' });
        assert.ok(await tooltip.isVisible(), 'a mark has a tooltip, and needs no point');
      }
      await site.page.mouse.move(1, 1);
      await tooltip.waitFor({ state: 'hidden' });
      await site.page.locator('.chart-tooltip-point').waitFor({ state: 'hidden' });
      await site.clear();
    }
    await place('');
  });

  it('limits the lines and the length of tooltips, and shows them within the view', async () => {
    const table = { ...sales, rows: sales.rows.map((row) => [row[0], 'x'.repeat(300), ...row.slice(2)]) };
    const tooltip = Array.from({ length: 20 }, (_, at) => ({ field: 'region', title: `Region ${at}` }));
    const spec = JSON.stringify({ ...bars, encoding: { ...bars.encoding, tooltip } });
    await site.useTheme('dark');
    await site.clear();
    await site.draw({ spec, table, title: '' }, true);
    const shown = site.page.locator('.chart-tooltip');
    await shown.evaluate((element) => Object.assign(element.style, { position: 'fixed', width: '300px' }));
    const bar = site.page.locator('.mark-rect path').first();
    const { width: room = 0 } = (await bar.boundingBox()) ?? {};
    await bar.hover({ position: { x: room - 2, y: 2 } });
    await shown.waitFor({ state: 'visible' });
    const lines = await shown.locator('div').allTextContents();
    assert.deepEqual([lines.length, lines[0]], [12, `Region 0: ${'x'.repeat(200)}…`]);
    const { x = 0, width: taken = 0 } = (await shown.boundingBox()) ?? {};
    assert.ok(x >= 0 && x + taken <= 720, `from ${x} to ${x + taken}`);
  });

  it('shows line breaks and backslashes of titles and names in its axes and tooltips', async () => {
    const table = {
      columns: [
        { name: 'Region\n(sales)', type: 'string' },
        { name: 'n', type: 'number' },
      ],
      rows: [['North', 1]],
      totalRows: 1,
    };
    const encoding = {
      x: { field: 'Region\n(sales)', type: 'nominal' },
      y: { field: 'n', type: 'quantitative', title: 'Revenue\n(in \\u20AC)' },
    };
    const { problem } = await site.draw({ spec: JSON.stringify({ mark: 'bar', encoding }), table, title: '' }, true);
    assert.equal(problem, undefined);
    const titles = await site.page.locator('.role-axis-title text').allTextContents();
    assert.deepEqual(titles.sort(), ['Region\n(sales)', 'Revenue\n(in \\u20AC)']);
    await site.page.locator('.mark-rect path').first().hover();
    const lines = await site.page.locator('.chart-tooltip div').allTextContents();
    assert.deepEqual(lines, ['Region\n(sales): North', 'Revenue\n(in \\u20AC): 1']);
    await site.clear();
  });

  it('ends a brush also when the pointer is released outside', async () => {
    await site.draw({ spec: specText('brush'), table: sales, title: '' }, true);
    const grey = () => site.page.locator('.mark-symbol path[fill="grey"], .mark-symbol path[stroke="grey"]').count();
    assert.equal(await grey(), 0);
    const box = await site.page.locator('svg.marks').boundingBox();
    assert.ok(box);
    await site.page.mouse.move(box.x + 480, box.y + 20);
    await site.page.mouse.down();
    await site.page.mouse.move(box.x + 600, box.y + 90, { steps: 4 });
    await site.page.mouse.move(box.x + 600, box.y + box.height + 30);
    await site.page.mouse.up();
    await site.page.waitForFunction(
      () => document.querySelectorAll('.mark-symbol path[fill="grey"], .mark-symbol path[stroke="grey"]').length > 0,
    );
    assert.notEqual(await grey(), 36);
  });

  it("says how many rows it can't draw", async () => {
    const table = {
      ...sales,
      rows: [...sales.rows.slice(0, 10), ['2024-01-01', 'North', null, '1'], ['2024-01-01', 'North', 'n/a', '1']],
    };
    const drawn = await site.draw({ spec: specText('mark point'), table, title: '' });
    assert.deepEqual(drawn.notices, ['2 of 12 rows have no drawable value and are left out.']);
  });

  it('reports that there is nothing to draw instead of showing an empty frame', async () => {
    const table = { ...sales, rows: sales.rows.map(([month, region]) => [month, region, null, null]) };
    const drawn = await site.draw({ spec: barsText, table, title: '' });
    assert.equal(drawn.problem, 'None of the rows has a value that the chart can draw.');
  });

  it('shows a point for a line or area with only one value', async () => {
    const x = { field: 'sales.month', type: 'temporal' };
    for (const mark of ['line', 'area']) {
      const spec = JSON.stringify({ mark, encoding: { ...bars.encoding, x } });
      await site.draw({ spec, table: { ...sales, rows: sales.rows.slice(0, 1), totalRows: 1 }, title: '' }, true);
      const box = await site.page.locator('.role-mark.mark-symbol path').boundingBox();
      assert.ok(box && box.width >= 7, `the point of the ${mark} is ${box?.width} px wide`);
      await site.clear();
      const months = ['2024-01-01', '2024-02-01'].flatMap((month) => [
        [month, 'North', 1, 1],
        [month, 'South', 2, 1],
      ]);
      await site.draw({ spec, table: { ...sales, rows: months, totalRows: 4 }, title: '' }, true);
      assert.equal(await site.countMarks('symbol'), 0, 'a line of two points shows none');
      await site.clear();
    }
  });

  it('prevents date labels from overlapping in a narrow view', async () => {
    const columns = [
      { name: 'day', type: 'time' },
      { name: 'revenue', type: 'number' },
    ];
    const y = { field: 'revenue', type: 'quantitative' };
    const spec = JSON.stringify({ mark: 'line', encoding: { x: { field: 'day', type: 'temporal' }, y } });
    await site.page.setViewportSize({ width: 230, height: 900 });
    for (const [count, days] of [
      [13, 1],
      [60, 1],
      [13, 7],
    ] as const) {
      const dayOf = (index: number): string => new Date(2025, 0, 3 + index * days).toISOString();
      const rows = Array.from({ length: count }, (_, index) => [dayOf(index), `${100_000_000 * (1 + (index % 4))}`]);
      await site.draw({ spec, table: { ...sales, columns, rows, totalRows: count }, title: '' }, true);
      const boxes = await site.page.evaluate(() =>
        [...document.querySelectorAll('.role-axis-label text')]
          .filter((text) => getComputedStyle(text).opacity !== '0' && /[A-Z]/.test(text.textContent))
          .map((text) => text.getBoundingClientRect().toJSON() as DOMRect),
      );
      const labels = boxes.sort((a, b) => a.left - b.left);
      assert.ok(labels.length > 1);
      for (const [index, { left }] of labels.entries())
        assert.ok(index === 0 || left - labels[index - 1]!.right >= 3, `${count} times ${days} days: two labels touch`);
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('slants dates in the format of the specification or of its unit of time where two do not fit', async () => {
    const month = { field: 'sales.month', type: 'temporal' };
    const y = { field: 'revenue', type: 'quantitative' };
    const rows = Array.from({ length: 12 }, (_, month) => [
      `2024-${`${month + 1}`.padStart(2, '0')}-01`,
      '',
      400_000,
      1,
    ]);
    const slanted = site.page.locator('.role-axis-label text[transform*="rotate(-40"]').filter({ hasText: '2024' });
    for (const [viewport, own, isSlanted] of [
      [224, { axis: { format: '%d %B %Y' } }, true],
      [224, { timeUnit: 'yearmonthdatehours' }, true],
      [300, { axis: { format: '%b %Y' } }, false],
    ] as const) {
      const spec = JSON.stringify({ mark: 'line', encoding: { x: { ...month, ...own }, y } });
      await site.page.setViewportSize({ width: viewport, height: 900 });
      await site.draw({ spec, table: { ...sales, rows, totalRows: 12 }, title: '' }, true);
      assert.equal((await slanted.count()) > 0, isSlanted, `${viewport}`);
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('keeps the dates of a composition apart, also those of plots side by side', async () => {
    const rows = ['2024-01-01', '2024-12-01'].map((month) => [month, 'North America & Canada', 850_000, 1]);
    const table = { ...sales, rows, totalRows: 2 };
    const y = { field: 'revenue', type: 'quantitative' };
    const line = {
      mark: 'line',
      encoding: { x: { field: 'sales.month', type: 'temporal', timeUnit: 'yearmonth' }, y },
    };
    for (const [viewport, spec] of [
      [184, { vconcat: [line, line] }],
      [324, { hconcat: [line, line] }],
      [324, { vconcat: [line, line] }],
    ] as const) {
      await site.page.setViewportSize({ width: viewport, height: 900 });
      await site.draw({ spec: JSON.stringify(spec), table, title: '' }, true);
      const labels = site.page.locator('.role-axis-label text:not([opacity="0"])').filter({ hasText: '2024' });
      const boxes = await labels.evaluateAll((all) =>
        all.map((text) => text.getBoundingClientRect().toJSON() as DOMRect),
      );
      assert.ok(boxes.length > 1, `${viewport}`);
      const isApart = (one: DOMRect, next: DOMRect): boolean =>
        one.right < next.left || next.right < one.left || one.bottom < next.top || next.bottom < one.top;
      for (const [at, one] of boxes.entries())
        assert.ok(
          boxes.slice(at + 1).every((next) => isApart(one, next)),
          `${viewport}`,
        );
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('keeps the titles of facets, and the labels of several legends, apart in a narrow view', async () => {
    const names = ['North America', 'South America', 'Europe'];
    const rows = names.map((name, at) => [`202${at + 1}-01-01`, name, 1000 + at, at + 1]);
    const x = { field: 'revenue', type: 'quantitative', title: 'Net revenue of all orders' };
    const y = { field: 'orders', type: 'ordinal' };
    const region = { field: 'region', type: 'nominal' };
    const month = { field: 'sales.month', type: 'temporal', timeUnit: 'yearmonth' };
    const brush = { name: 'brush', select: 'interval' };
    const conditional = { condition: { param: 'brush', ...y }, value: 'gray' };
    await site.page.setViewportSize({ width: 274, height: 900 });
    for (const spec of [
      { mark: 'bar', encoding: { x, y, column: region } },
      { mark: 'point', encoding: { x, y, color: month } },
      { mark: 'point', params: [brush], encoding: { x, y, color: conditional, shape: region } },
      {
        mark: 'point',
        encoding: { x, y, color: { ...region, legend: { orient: 'none', legendX: 200, legendY: 80 } } },
      },
    ]) {
      await site.draw({ spec: JSON.stringify(spec), table: { ...sales, rows, totalRows: 3 }, title: '' }, true);
      const apart = await site.page.evaluate(() => {
        const texts = [...document.querySelectorAll('.role-axis-title text, .role-legend-label text')];
        const boxes = texts.map((text) => text.getBoundingClientRect());
        const right = document.querySelector('svg.marks')!.getBoundingClientRect().right;
        const isFree = (a: DOMRect, b: DOMRect): boolean =>
          a === b || a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 4 || b.bottom <= a.top + 4;
        return boxes.length > 2 && boxes.every((a) => a.right <= right + 1 && boxes.every((b) => isFree(a, b)));
      });
      assert.ok(apart, JSON.stringify(spec));
      await site.clear();
    }
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('reports a problem that a click in it leads to', async () => {
    const params = [{ name: 'picked', select: 'point' }];
    const mark = { type: 'bar', cornerRadius: { expr: 'length(sequence(isDefined(picked.vlPoint) ? 5001 : 1))' } };
    await site.draw({ spec: JSON.stringify({ ...bars, params, mark }), table: sales, title: '' }, true);
    const notices = (): Promise<string[]> => site.page.evaluate(() => window.chartPage.notices);
    assert.deepEqual(await notices(), []);
    await site.page.locator('.mark-rect path').first().click();
    const notice = 'The chart asks for “sequence: 5,001”; the limit is 5,000.';
    await becomes(async () => (await notices()).join(), notice);
    await site.page.locator('.mark-rect path').last().click();
    await settled(site.page.locator('.mark-rect path').last());
    assert.deepEqual(await notices(), [notice], 'the picture stays as it is');
    await site.clear();
  });

  it('leaves its container unchanged when drawing is canceled', async () => {
    const before = await site.page.evaluate(() => document.querySelector('main')?.innerHTML);
    const drawn = await site.draw({ spec: '{"mark":"bomb"}', table: sales, title: '' }, true);
    assert.match(drawn.problem ?? '', /can’t be drawn/);
    assert.equal(await site.page.evaluate(() => document.querySelector('main')?.innerHTML), before);
  });

  it('is canceled if drawing it takes more than five seconds', async () => {
    await site.page.evaluate(() => {
      const create = document.createElementNS.bind(document) as (...names: unknown[]) => never;
      const slow = (...names: unknown[]): never => {
        const end = performance.now() + 5_100;
        while (performance.now() < end);
        Object.assign(document, { createElementNS: create });
        return create(...names);
      };
      Object.assign(document, { createElementNS: slow });
    });
    const before = await site.page.evaluate(() => document.querySelector('main')?.innerHTML);
    const drawn = await site.draw({ spec: barsText, table: sales, title: '' }, true);
    assert.equal(drawn.problem, 'The chart took too long to draw.');
    assert.equal(await site.page.evaluate(() => document.querySelector('main')?.innerHTML), before);
  });

  it('is saved as SVG and PNG, in the theme or on white', async () => {
    await site.useTheme('dark');
    await site.draw({ spec: barsText, table: sales, title: '' }, true);
    const { svg, white, png, themed } = await site.page.evaluate(async () => {
      const chart = window.chartPage.charts.at(-1);
      return {
        svg: await chart?.toSvg('theme'),
        white: await chart?.toSvg('white'),
        png: await chart?.toPng('white', 2),
        themed: await chart?.toPng('theme', 1),
      };
    });
    assert.match(svg ?? '', /^<svg[^>]*>.*fill="#1f1f1f".*fill="#59a4f9"/s);
    assert.match(white ?? '', /^<svg[^>]*>.*fill="#ffffff".*fill="#1a85ff"/s);
    const bytes = Buffer.from(png ?? '', 'base64');
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.equal(bytes.readUInt32BE(16), 2 * 696);
    const corner = (data: string | undefined): Promise<number[]> =>
      site.page.evaluate(async (base64) => {
        const image = await createImageBitmap(
          new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]),
        );
        const context = new OffscreenCanvas(1, 1).getContext('2d');
        context?.drawImage(image, 0, 0);
        return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
      }, data ?? '');
    assert.deepEqual(await corner(png), [255, 255, 255, 255]);
    assert.deepEqual(await corner(themed), [0x1f, 0x1f, 0x1f, 255]);
  });

  it('is saved as SVG without addresses, which a viewer would load', async () => {
    const steal = 'url(https://evil.invalid/steal#x)';
    const blend = { expr: `'multiply;background:ur' + '${steal.slice(2)}'` };
    const mask = { expr: '"multiply;mask-image:image-set(\'https://evil.invalid/steal\' 1x)"' };
    const gradient = { gradient: 'linear', stops: [{ offset: 0, color: 'red' }] };
    const place = { x: bars.encoding.x };
    const paint = (range: unknown[]) => ({ field: 'region', type: 'nominal', scale: { range } });
    for (const [spec, kept] of [
      [{ mark: { type: 'bar', fill: { expr: `'ur' + '${steal.slice(2)}'` } }, encoding: place }, 'fill="none"'],
      [{ mark: { type: 'bar', blend, fill: gradient }, encoding: place }, 'fill="url(#gradient_'],
      [{ mark: { type: 'bar', blend: mask }, encoding: place }, 'style="none"'],
      [{ mark: { type: 'bar', blend: 'multiply' }, encoding: place }, 'style="mix-blend-mode: multiply;"'],
      [
        { mark: 'bar', encoding: { ...place, fill: paint([steal.replace('r', '\\72 '), 'rgb(1, 2, 3)']) } },
        'fill="rgb(1, 2, 3)"',
      ],
      [
        { mark: 'bar', encoding: { ...place, stroke: { field: 'region', type: 'nominal', scale: null } } },
        'stroke="none"',
      ],
    ] as const) {
      const table = { ...sales, rows: [...sales.rows.slice(0, 3), ['2024-01-01', steal, 1, 1]] };
      await site.draw({ spec: JSON.stringify(spec), table, title: '' }, true);
      const svg = (await site.page.evaluate(() => window.chartPage.charts.at(-1)?.toSvg('theme'))) ?? '';
      assert.deepEqual(svg.match(/[\w-]+="[^"]*evil[^"]*"/g), null);
      assert.ok(svg.includes(kept), kept);
      await site.clear();
    }
  });

  it('is saved as valid SVG if a value contains control characters', async () => {
    const rows = sales.rows.slice(0, 3).map((row) => [row[0], 'North\u000bEast', ...row.slice(2)]);
    await site.draw({ spec: barsText, table: { ...sales, rows }, title: '' }, true);
    const texts = await site.page.evaluate(async () => {
      const svg = (await window.chartPage.charts.at(-1)?.toSvg('theme')) ?? '';
      const root = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return [...root.querySelectorAll('parsererror, text')].map(({ textContent }) => textContent);
    });
    assert.ok(texts.includes('North\ufffdEast'), texts.join());
    await site.clear();
  });

  it('draws the rows of the result and shows a notice if the specification refers to a URL', async () => {
    const spec = JSON.stringify({ ...bars, data: { url: 'https://evil.invalid/rows.json' } });
    const drawn = await site.draw({ spec, table: sales, title: '' });
    assert.ok(drawn.marks >= 3);
    assert.match(drawn.notices.join(), /rows of the result are shown instead/);
  });

  it('formats numbers in the locale of the specification, otherwise of the user', async () => {
    await site.page.evaluate(() => Object.defineProperty(navigator, 'language', { value: 'de', configurable: true }));
    await site.draw({ spec: barsText, table: sales, title: '' }, true);
    const plain = await site.page.locator('.role-axis-label text').allTextContents();
    assert.ok(plain.includes('10.000'), plain.join());
    await site.clear();
    await site.page.evaluate(() => Reflect.deleteProperty(navigator, 'language'));
    const locale = { number: { decimal: ',', thousands: '.', grouping: [3], currency: ['', ' €'] } };
    const encoding = { ...bars.encoding, y: { ...bars.encoding.y, axis: { format: ',.2f' } } };
    await site.draw({ spec: JSON.stringify({ ...bars, encoding, config: { locale } }), table: sales, title: '' }, true);
    const labels = await site.page.locator('.role-axis-label text').allTextContents();
    assert.ok(labels.includes('10.000,00'), labels.join());
  });

  for (const name of ['sales [USD]', "it's", 'say "hi"', '"quoted"', 'a\\b', 'C:\\dir\\x', 'constructor', 'toString']) {
    it(`draws a column named ${name}`, async () => {
      const columns = [
        { name: 'k', type: 'string' },
        { name, type: 'number' },
      ];
      const table = {
        columns,
        rows: [
          ['a', 3],
          ['b', 1],
        ],
        totalRows: 2,
      };
      const encoding = { x: { field: 'k' }, y: { field: name, type: 'quantitative' } };
      const drawn = await site.draw({ spec: JSON.stringify({ mark: 'bar', encoding }), table, title: '' }, true);
      assert.equal(drawn.problem, undefined);
      assert.ok(drawn.altText?.endsWith(`${name}: lowest 1 at b, highest 3 at a`), drawn.altText);
      const heights = await site.page
        .locator('.role-mark.mark-rect path')
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
      assert.equal(Math.round((heights[0] ?? 0) / (heights[1] ?? 0)), 3);
      const titles = await site.page.locator('.role-axis-title text').allTextContents();
      assert.ok(
        titles.some((title) => title.replace('\u2060', '') === name),
        titles.join(),
      );
    });
  }

  for (const name of ['o.v [EUR]', "driver's tip", 'say "hi"'])
    for (const encoding of [
      { mark: 'errorbar' },
      { mark: 'errorband' },
      { mark: 'boxplot' },
      { mark: { type: 'boxplot', extent: 'min-max' } },
      { mark: 'line', impute: { method: 'mean' } },
    ])
      it(`draws the mark ${JSON.stringify(encoding)} of a column named ${name}`, async () => {
        const { mark, ...more } = encoding;
        const columns = [
          { name: 'k', type: 'string' },
          { name, type: 'number' },
        ];
        const rows = [1, 2, 4, 8].flatMap((value) => [
          ['a', value],
          ['b', value * 2],
        ]);
        const spec = { mark, encoding: { x: { field: 'k' }, y: { field: name, type: 'quantitative', ...more } } };
        const table = { columns, rows, totalRows: rows.length };
        const { problem } = await site.draw({ spec: JSON.stringify(spec), table, title: '' }, true);
        assert.equal(problem, undefined);
        const sizes = await site.page
          .locator('.role-mark path, .role-mark line')
          .evaluateAll((marks) => marks.map((each) => each.getBoundingClientRect().height));
        assert.ok(
          sizes.some((size) => size > 20),
          sizes.join(),
        );
      });

  describe('with nulls', () => {
    const columns = [
      { name: 'd', type: 'date' },
      { name: 'n', type: 'number' },
    ];
    const rows = [
      [null, 0],
      ['2024-03-01', null],
      ['2024-04-01', 5],
    ];
    const labelsOf = async (channel: object, more: object = {}, name = 'x'): Promise<string[]> => {
      const spec = JSON.stringify({ mark: 'bar', encoding: { [name]: channel }, ...more });
      await site.draw({ spec, table: { columns, rows, totalRows: 3 }, title: '' }, true);
      return site.page.locator(`.role-${name === 'x' ? 'axis' : 'legend'}-label text`).allTextContents();
    };

    it('labels these as null, not as 1970 or zero', async () => {
      assert.deepEqual(await labelsOf({ field: 'd', timeUnit: 'month', type: 'ordinal' }), ['null', 'Mar', 'Apr']);
      await site.clear();
      const inUtc = { field: 'd', timeUnit: 'utcyearmonth', type: 'ordinal', axis: { format: '%Y' } };
      assert.deepEqual(await labelsOf(inUtc), ['null', '2024', '2024']);
      await site.clear();
      assert.deepEqual(await labelsOf({ field: 'n', type: 'ordinal', axis: { format: 'd' } }), ['null', '0', '5']);
      await site.clear();
      const legend = await labelsOf({ field: 'd', timeUnit: 'month', type: 'ordinal' }, {}, 'color');
      assert.deepEqual(legend, ['null', 'Mar', 'Apr']);
    });

    it('calculates no date of these', async () => {
      for (const part of ['year(datum.d)', "quarter(datum['d'])", 'year(datetime(datum.d)) || null']) {
        const [first] = await labelsOf(
          { field: 'part', type: 'ordinal' },
          { transform: [{ calculate: part, as: 'part' }] },
        );
        assert.equal(first, 'null', part);
        await site.clear();
      }
    });
  });

  it('says so if its filters leave no row to draw, alone or in facets', async () => {
    const filtered = { transform: [{ filter: "datum['sales.month'] >= '2024-01-01'" }], mark: 'line' };
    const encoding = { x: { field: 'sales.month', type: 'temporal' }, y: bars.encoding.y };
    for (const more of [{}, { column: { field: 'region' } }, { color: { field: 'region' } }]) {
      const spec = JSON.stringify({ ...filtered, encoding: { ...encoding, ...more } });
      const { problem, kind } = await site.draw({ spec, table: sales, title: '' });
      assert.deepEqual([kind, problem], ['invalid', 'None of the rows has a value that the chart can draw.']);
    }
    const empty = await site.draw({ spec: barsText, table: { ...sales, rows: [], totalRows: 0 }, title: '' });
    assert.equal(empty.problem, undefined);
  });

  it('finds folded columns by names with dots', async () => {
    const columns = ['o.a', 'o.b'].map((name) => ({ name, type: 'number' }));
    const x = { field: 'key', type: 'nominal', sort: ['o.b', 'o.a'] };
    const encoding = { x, y: { field: 'value', type: 'quantitative' } };
    const spec = { transform: [{ fold: ['o.a', 'o.b'] }], mark: 'bar', encoding };
    await site.draw({ spec: JSON.stringify(spec), table: { columns, rows: [[1, 5]], totalRows: 1 }, title: '' }, true);
    const labels = await site.page.locator('.role-axis-label text').allTextContents();
    assert.deepEqual(labels.slice(0, 2), ['o.b', 'o.a']);
  });

  it('makes room for the names of folded columns', async () => {
    const names = ['total_revenue', 'total_cost', 'gross_profit', 'operating_expenses', 'net_income'];
    const columns = ['region', ...names].map((name) => ({ name, type: name === 'region' ? 'string' : 'number' }));
    const table = { columns, rows: [['North', 5, 4, 3, 2, 1]], totalRows: 1 };
    const encoding = { x: { field: 'key' }, y: { field: 'value', type: 'quantitative' }, color: { field: 'key' } };
    const fold = { transform: [{ fold: names }], mark: 'bar' };
    const svg = site.page.locator('svg.marks');
    await site.page.setViewportSize({ width: 374, height: 900 });
    await site.draw({ spec: JSON.stringify({ ...fold, encoding }), table, title: '' }, true);
    assert.deepEqual(await svg.locator('.role-legend-label text').allTextContents(), names.toSorted());
    const turned = await svg.locator('.role-axis-label text[transform*="rotate"]').count();
    assert.equal(turned, names.length, 'the labels do not overlap');
    await site.clear();
    const column = { ...encoding, x: { field: 'region' }, column: { field: 'key' } };
    await site.draw({ spec: JSON.stringify({ ...fold, encoding: column }), table, title: '' }, true);
    assert.ok((await width()) <= 500, `${await width()}`);
    await site.page.setViewportSize({ width: 720, height: 900 });
  });

  it('draws the first of two columns with the same name, and shows a notice', async () => {
    const v = { name: 'v', type: 'number' };
    const table = { columns: [{ name: 'k', type: 'string' }, v, v], rows: [['a', 1, 10]], totalRows: 1 };
    const encoding = { x: { field: 'k' }, y: { field: 'v', type: 'quantitative' } };
    const drawn = await site.draw({ spec: JSON.stringify({ mark: 'bar', encoding }), table, title: '' });
    assert.deepEqual(drawn.notices, ['The result has several columns named “v”. The chart uses the first one.']);
    assert.match(drawn.altText ?? '', /highest 1 at a$/);
  });

  const tall = (count: number) => ({
    spec: JSON.stringify({
      vconcat: [
        { mark: 'bar', encoding: { y: { field: 'k', type: 'nominal' }, x: { field: 'v', type: 'quantitative' } } },
      ],
    }),
    table: {
      columns: [
        { name: 'k', type: 'string' },
        { name: 'v', type: 'number' },
      ],
      rows: Array.from({ length: count }, (_, i) => [`c${i}`, i + 1]),
      totalRows: count,
    },
    title: '',
  });

  it('is drawn even if it is taller than the maximum canvas', async () => {
    const drawn = await site.draw(tall(2_500), true);
    assert.equal(drawn.problem, undefined);
    assert.equal(await site.countMarks('rect'), 2_500);
  });

  it('is saved at a lower resolution if a canvas is too small', async () => {
    await site.draw(tall(800), true);
    const png = await site.page.evaluate(() => window.chartPage.charts.at(-1)?.toPng('white', 3));
    const bytes = Buffer.from(png ?? '', 'base64');
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(Math.abs(bytes.readUInt32BE(20) - 16_384) <= 1, `${bytes.readUInt32BE(20)}`);
  });

  it('applies the parameters in its configuration', async () => {
    const spec = { mark: { type: 'point', size: { expr: 'sz' } }, encoding: bars.encoding };
    const config = { params: [{ name: 'sz', value: 80 }] };
    const drawn = await site.draw({ spec: JSON.stringify({ ...spec, config }), table: sales, title: '' });
    assert.equal(drawn.problem, undefined);
  });

  it('draws many points on a canvas', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => [i, (i * 7919) % 1_000]);
    const columns = [
      { name: 'a', type: 'number' },
      { name: 'b', type: 'number' },
    ];
    const spec = {
      mark: 'point',
      encoding: { x: { field: 'a', type: 'quantitative' }, y: { field: 'b', type: 'quantitative' } },
    };
    const drawn = await site.draw({
      spec: JSON.stringify(spec),
      table: { columns, rows, totalRows: 5_000 },
      title: '',
    });
    assert.equal(drawn.problem, undefined);
    assert.ok(drawn.marks > 5_000, `${drawn.marks} pixels`);
  });
});
