/** The look of charts: colors, lines and fonts of each mark and guide, as they are drawn. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { drawableSpecs, sales } from '../../fixtures/chart/drawable.ts';
import { openSite, type ChartSite } from './site.ts';
import type { themes } from './themes.ts';

const region = { field: 'region', type: 'nominal' };
const month = { field: 'sales.month', type: 'temporal' };
const revenue = { field: 'revenue', type: 'quantitative', aggregate: 'sum' };
const orders = { field: 'orders', type: 'quantitative', aggregate: 'sum' };
const xy = { x: region, y: revenue };
const map = drawableSpecs.find(({ name }) => name === 'mark geoshape')?.spec;

/** Each mark with what its configuration says; the theme is dark if there is no other. */
const looks: readonly (readonly [name: string, spec: object, expected: string, theme?: keyof typeof themes])[] = [
  [
    'bars with a title and a legend',
    { mark: 'bar', title: { text: 'Sales', subtitle: 'by region' }, encoding: { ...xy, color: region } },
    `axis-domain: stroke=#343434 stroke-width=1 opacity=1
axis-grid: stroke=#343434 stroke-width=1 opacity=1
axis-label: fill=#9d9d9d opacity=1 font-size=11px text-anchor=end | fill=#9d9d9d opacity=1 font-size=11px text-anchor=middle
axis-title: fill=#9d9d9d opacity=1 font-size=11px font-weight=normal text-anchor=middle
legend-label: fill=#9d9d9d opacity=1 font-size=11px text-anchor=start
legend-symbol: fill=#59a4f9 stroke-width=1.5 opacity=1 | fill=#89d185 stroke-width=1.5 opacity=1 | fill=#d18616 stroke-width=1.5 opacity=1
legend-title: fill=#9d9d9d opacity=1 font-size=11px font-weight=normal text-anchor=start
mark: fill=#59a4f9 | fill=#89d185 | fill=#d18616
scope: opacity=1
title-subtitle: fill=#9d9d9d opacity=1 font-size=11px text-anchor=start
title-text: fill=#cccccc opacity=1 font-size=12px font-weight=600 text-anchor=start`,
  ],
  [
    'bars',
    { mark: 'bar', encoding: xy },
    `axis-domain: stroke=#595959 stroke-width=1 opacity=1
axis-grid: stroke=#595959 stroke-width=1 opacity=1
axis-label: fill=#ffffff opacity=1 font-size=11px text-anchor=end | fill=#ffffff opacity=1 font-size=11px text-anchor=middle
axis-title: fill=#ffffff opacity=1 font-size=11px font-weight=normal text-anchor=middle
mark: fill=#3794ff stroke=#ffffff stroke-width=1`,
    'highContrast',
  ],
  [
    'an area with a line on time',
    { mark: 'area', encoding: { x: month, y: revenue } },
    `mark: fill=#59a4f9 fill-opacity=0.35
mark: stroke=#59a4f9 stroke-width=2 stroke-linecap=round stroke-linejoin=round
axis-domain, axis-grid, axis-label, axis-title`,
  ],
  [
    'an area',
    { mark: 'area', encoding: { x: month, y: revenue } },
    `mark: fill=#3794ff fill-opacity=0.6
mark: stroke=#3794ff stroke-width=2 stroke-linecap=round stroke-linejoin=round
axis-domain, axis-grid, axis-label, axis-title`,
    'highContrast',
  ],
  [
    'a line',
    { mark: 'line', encoding: { x: month, y: revenue } },
    `mark: stroke=#59a4f9 stroke-width=2 stroke-linecap=round stroke-linejoin=round
axis-domain, axis-grid, axis-label, axis-title`,
  ],
  [
    'points',
    { mark: 'point', encoding: { x: orders, y: revenue, shape: region } },
    `legend-symbol: fill=#59a4f9 stroke-width=1.5 fill-opacity=0.75 opacity=1
mark: fill=#59a4f9 stroke-width=1.5 fill-opacity=0.75
axis-grid, axis-label, axis-title, legend-label, legend-title, scope`,
  ],
  [
    'circles and a size',
    { mark: 'circle', encoding: { x: orders, y: region, size: orders } },
    `legend-symbol: fill=#59a4f9 stroke-width=1.5 opacity=1
mark: fill=#59a4f9 stroke-width=2 opacity=0.75
axis-domain, axis-grid, axis-label, axis-title, legend-label, legend-title, scope`,
  ],
  [
    'squares',
    { mark: 'square', encoding: { x: orders, y: region } },
    `mark: fill=#59a4f9 stroke-width=2 opacity=0.75
axis-domain, axis-grid, axis-label, axis-title`,
  ],
  [
    'a pie',
    { mark: 'arc', encoding: { theta: revenue, color: region } },
    `legend-symbol: fill=#1a85ff stroke=#ffffff stroke-width=1 opacity=1 | fill=#388a34 stroke=#ffffff stroke-width=1 opacity=1 | fill=#d18616 stroke=#ffffff stroke-width=1 opacity=1
mark: fill=#1a85ff stroke=#ffffff stroke-width=1 | fill=#388a34 stroke=#ffffff stroke-width=1 | fill=#d18616 stroke=#ffffff stroke-width=1
legend-label, legend-title, scope`,
    'light',
  ],
  [
    'a heat map',
    { mark: 'rect', encoding: { x: region, y: { ...month, type: 'ordinal', timeUnit: 'quarter' }, color: revenue } },
    `legend-gradient: fill=rgb(44, 60, 79) to rgb(89, 164, 249) stroke=#ddd stroke-width=0 opacity=1
mark: fill=rgb(44, 60, 79) | fill=rgb(54, 82, 115) | fill=rgb(57, 89, 126) | fill=rgb(59, 94, 133) | fill=rgb(62, 101, 144) | fill=rgb(65, 108, 156) | fill=rgb(70, 120, 175) | fill=rgb(72, 125, 184) | fill=rgb(73, 127, 187) | fill=rgb(80, 144, 216) | fill=rgb(83, 152, 228) | fill=rgb(89, 164, 249)
axis-domain, axis-label, axis-title, legend-label, legend-title`,
  ],
  [
    'a heat map',
    { mark: 'rect', encoding: { ...xy, y: region } },
    `mark: fill=#3794ff stroke=#ffffff stroke-width=1
axis-domain, axis-label, axis-title`,
    'highContrast',
  ],
  [
    'ordered colors',
    { mark: 'bar', encoding: { ...xy, color: { ...region, type: 'ordinal' } } },
    `legend-symbol: fill=rgb(135, 186, 255) stroke-width=1.5 opacity=1 | fill=rgb(177, 212, 255) stroke-width=1.5 opacity=1 | fill=rgb(90, 160, 255) stroke-width=1.5 opacity=1
mark: fill=rgb(135, 186, 255) | fill=rgb(177, 212, 255) | fill=rgb(90, 160, 255)
axis-domain, axis-grid, axis-label, axis-title, legend-label, legend-title, scope`,
    'light',
  ],
  [
    'colors around zero',
    { mark: 'point', encoding: { x: region, color: { ...orders, scale: { domainMid: 500 } } } },
    `legend-gradient: fill=rgb(241, 76, 76) to rgb(89, 164, 249) stroke=#ddd stroke-width=0 opacity=1
mark: fill=rgb(148, 73, 67) stroke-width=1.5 fill-opacity=0.75 | fill=rgb(241, 76, 76) stroke-width=1.5 fill-opacity=0.75 | fill=rgb(57, 57, 57) stroke-width=1.5 fill-opacity=0.75
axis-domain, axis-label, axis-title, legend-label, legend-title`,
  ],
  [
    'a rule, a text and ticks',
    {
      layer: [
        { mark: 'rule', encoding: { y: revenue } },
        { mark: 'text', encoding: { ...xy, text: orders } },
        { mark: 'tick', encoding: xy },
      ],
    },
    `mark: fill=#59a4f9
mark: fill=#cccccc font-size=11px text-anchor=middle
mark: stroke=#9d9d9d
axis-domain, axis-grid, axis-label, axis-title`,
  ],
  ['a map', map!, `mark: fill=#3e3e3e stroke=#1f1f1f stroke-width=0.5`],
  ['a map', map!, `mark: fill=#dcdcdc stroke=#ffffff stroke-width=0.5`, 'light'],
  ['an outline of a map', { ...map, mark: { type: 'geoshape', filled: false } }, `mark: stroke=#6d6d6d stroke-width=1`],
  [
    'an outline of a map in red',
    { ...map, mark: { type: 'geoshape', filled: false, color: 'red' } },
    `mark: stroke=red stroke-width=1`,
  ],
  [
    'a box plot',
    { mark: 'boxplot', encoding: { x: region, y: { ...revenue, aggregate: undefined } } },
    `mark: fill=#1f1f1f stroke-width=2 opacity=0.7
mark: fill=#59a4f9 fill-opacity=0.9
mark: stroke=#9d9d9d
axis-domain, axis-grid, axis-label, axis-title`,
  ],
  [
    'an error band',
    { mark: 'errorband', encoding: { x: month, y: { ...revenue, aggregate: undefined } } },
    `mark: fill=#59a4f9 fill-opacity=0.35 opacity=0.25
axis-domain, axis-grid, axis-label, axis-title`,
  ],
  [
    'facets',
    { mark: 'bar', encoding: { ...xy, column: region } },
    `mark: fill=#59a4f9
axis-domain, axis-grid, axis-label, axis-title, title-text`,
  ],
];

describe('the look of a chart', () => {
  let site: ChartSite;
  before(async () => {
    site = await openSite();
  });
  afterEach(() => site.clear());
  after(() => site.close());

  /** The different looks of the elements of each part; gradients by their colors. */
  const seen = (): Promise<string[]> =>
    site.page.evaluate(() => {
      const parts = new Map<string, Set<string>>();
      const names =
        'fill stroke stroke-width stroke-linecap stroke-linejoin stroke-opacity fill-opacity opacity font-size font-weight font-family text-anchor'.split(
          ' ',
        );
      for (const element of document.querySelectorAll('svg.marks :is(path, line, text, rect)')) {
        const part = element.closest('[class*=role-]')?.getAttribute('class') ?? '';
        const found = names.flatMap((name) => {
          const value = element.getAttribute(name);
          if (
            value === null ||
            value === '' ||
            value === 'transparent' ||
            (name === 'font-family' && value.includes('Ubuntu'))
          )
            return [];
          const id = /url\(.*#(.*)\)/.exec(value)?.[1];
          const stops = id === undefined ? [] : [...document.querySelectorAll(`[id="${id}"] stop`)];
          const shown =
            id === undefined
              ? value
              : [stops[0], stops.at(-1)].map((stop) => stop?.getAttribute('stop-color')).join(' to ');
          return [`${name}=${shown}`];
        });
        if (found.length > 0) parts.set(part, (parts.get(part) ?? new Set()).add(found.join(' ')));
      }
      const own = [...parts].map(([part, all]) => {
        const [, role = part] = /role-([\w-]+)/.exec(part) ?? [];
        return `${role}: ${[...all].sort().join(' | ')}`;
      });
      return [...new Set(own)].sort();
    });
  /** Guides look the same in all charts, so that further ones only have their names. */
  const brief = (lines: readonly string[]): string => {
    const isGuide = (line: string): boolean => /^(axis|legend-(label|title)|title|scope)/.test(line);
    const guides = lines.filter(isGuide).map((line) => line.slice(0, line.indexOf(':')));
    return [...lines.filter((line) => !isGuide(line)), guides.join(', ')].filter(Boolean).join('\n');
  };

  for (const [name, spec, expected, theme = 'dark'] of looks)
    it(`is that of VS Code for ${name} in the theme ${theme}`, async () => {
      await site.useTheme(theme);
      const drawn = await site.draw({ spec: JSON.stringify(spec), table: sales, title: '' }, true);
      assert.equal(drawn.problem, undefined);
      const found = /^bars/.test(name) ? (await seen()).join('\n') : brief(await seen());
      assert.equal(found, expected);
    });

  const bars = (rows: readonly unknown[], more: object = {}) => ({
    spec: JSON.stringify({
      mark: 'bar',
      encoding: { x: { field: 'k', type: 'nominal' }, y: { field: 'v', type: 'quantitative' }, ...more },
    }),
    table: {
      columns: ['k', 'v'].map((name) => ({ name, type: name === 'k' ? 'string' : 'number' })),
      rows: rows.map((value, at) => [`k${at}`, value]),
      totalRows: rows.length,
    },
    title: '',
  });
  const fills = () =>
    site.page.locator('.role-mark.mark-rect > path').evaluateAll((all) => all.map((bar) => bar.getAttribute('fill')));
  const setVariables = (variables: Readonly<Record<string, string>>, kind = 'vscode-dark'): Promise<void> =>
    site.page.evaluate(
      ([given, name]) => {
        const root = document.documentElement;
        root.removeAttribute('style');
        delete document.body.dataset.vscodeThemeKind;
        document.body.className = name;
        for (const [key, value] of Object.entries(given)) root.style.setProperty(`--vscode-${key}`, value);
        return window.chartPage.setTheme();
      },
      [variables, kind] as const,
    );

  it('has the colors of the theme in any notation, and those of its kind of theme for the others', async () => {
    await site.draw(bars([1]), true);
    for (const [kind, color, expected] of [
      ['vscode-dark', '#ABCDEF', '#ABCDEF'],
      ['vscode-dark', '#abc', '#aabbcc'],
      ['vscode-dark', 'red', '#ff0000'],
      ['vscode-dark', 'rgb(1 2 3)', '#010203'],
      ['vscode-dark', 'rgba(255, 0, 0, 0.5)', '#ff0000'],
      ['vscode-dark', 'transparent', '#59a4f9'],
      ['vscode-dark', 'no color', '#59a4f9'],
      ['vscode-dark', '', '#59a4f9'],
      ['vscode-high-contrast', '', '#59a4f9'],
      ['vscode-light', '', '#1a85ff'],
      ['vscode-high-contrast-light', '', '#1a85ff'],
    ] as const) {
      await setVariables({ 'charts-blue': color }, kind);
      assert.deepEqual(await fills(), [expected], `${kind} ${color}`);
    }
  });

  it('has twelve colors, the second half of them mixed with that of the text, and repeats them', async () => {
    await setVariables({});
    await site.draw(bars(Array<number>(13).fill(1), { color: { field: 'k', type: 'nominal', sort: null } }), true);
    const dark =
      '#59a4f9 #d18616 #89d185 #b180d7 #f14c4c #cca700 #8db6e5 #cfa668 #a7cfa5 #bda2d2 #e08686 #ccb85c #59a4f9';
    assert.equal((await fills()).join(' '), dark);
    await setVariables({}, 'vscode-light');
    const light =
      '#1a85ff #d18616 #388a34 #652d90 #e51400 #bf8803 #2964a7 #8e6427 #396637 #52336a #99261b #84651c #1a85ff';
    assert.equal((await fills()).join(' '), light);
    await setVariables({ foreground: '#000000', 'charts-orange': '#ffffff' }, 'vscode-light');
    assert.deepEqual([(await fills())[1], (await fills())[7]], ['#ffffff', '#8c8c8c']);
  });

  it('has the font of the theme, within limits, or that of its surroundings', async () => {
    await site.draw(bars([1]), true);
    const font = () =>
      site.page
        .locator('.role-axis-label text')
        .first()
        .evaluate((text) => `${text.getAttribute('font-size')} ${text.getAttribute('font-family')}`);
    for (const [variables, expected] of [
      [{ 'font-family': 'Georgia, serif', 'font-size': '14px' }, '12px Georgia, serif'],
      [{ 'font-size': '8px' }, '10px sans-serif'],
      [{ 'font-size': '40px' }, '16px sans-serif'],
      [{}, '11px sans-serif'],
    ] as const) {
      await setVariables(variables as Record<string, string>);
      assert.equal(await font(), expected);
    }
  });

  it('has the months, weekdays and separators of the language', async () => {
    const text = (format: string) => `timeFormat(datetime(2024, 2, 4), '${format}')`;
    const parts = ['%B', '%b', '%A', '%a', '%x', '%X', '%p'].map(text).join(" + ' ' + ");
    const spec = {
      transform: [{ calculate: `${parts} + ' ' + format(-1234567.5, ',.1f') + ' ' + format(2, '$d')`, as: 'k' }],
      ...{ mark: 'text', encoding: { text: { field: 'k' } } },
    };
    for (const [language, expected] of [
      ['en-US', 'March Mar Monday Mon 3/4/2024 12:00:00 AM AM −1,234,567.5 $2'],
      ['en', 'March Mar Monday Mon 3/4/2024 12:00:00 AM AM −1,234,567.5 $2'],
      ['de', 'März Mär Montag Mo 2024-03-04 00:00:00 AM −1.234.567,5 $2'],
      ['fr', 'mars mars lundi lun. 2024-03-04 00:00:00 AM −1\u202f234\u202f567,5 $2'],
      ['de', 'März Mär Montag Mo 2024-03-04 00:00:00 AM −1.234.567,5 $2'],
    ] as const) {
      await site.page.evaluate(
        (value) => Object.defineProperty(navigator, 'language', { value, configurable: true }),
        language,
      );
      await site.draw({ ...bars([1]), spec: JSON.stringify(spec) }, true);
      assert.equal(await site.page.locator('.role-mark.mark-text text').textContent(), expected, language);
      await site.clear();
    }
    await site.page.evaluate(() => Reflect.deleteProperty(navigator, 'language'));
  });

  const tooltip = () => site.page.locator('.chart-tooltip');
  const bar = () => site.page.locator('.role-mark.mark-rect > path').first();

  it('has a tooltip with a line for each value, beside the pointer and within the window', async () => {
    const show = async (value: unknown): Promise<string[] | undefined> => {
      await site.draw(bars([1], { tooltip: { value: { expr: JSON.stringify(value) } } }), true);
      await bar().hover();
      const lines = (await tooltip().isVisible()) ? await tooltip().locator('div').allTextContents() : undefined;
      await site.clear();
      return lines;
    };
    for (const [value, lines] of [
      ['text', ['text']],
      ['', undefined],
      [null, undefined],
      [{ title: 'Head', a: 1, b: { c: [2] }, d: null }, ['Head', 'a: 1', 'b: {"c":[2]}', 'd: null']],
      [
        Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`f${at}`, at])),
        Array.from({ length: 12 }, (_, at) => `f${at}: ${at}`),
      ],
      ['x'.repeat(200), ['x'.repeat(200)]],
      ['x'.repeat(201), [`${'x'.repeat(200)}…`]],
    ] as const)
      assert.deepEqual(await show(value), lines, JSON.stringify(value));
    await site.draw(bars([1]), true);
    await site.page.evaluate(() =>
      document.querySelectorAll<HTMLElement>('.chart-tooltip').forEach((one) =>
        Object.assign(one.style, {
          width: '100px',
          height: '50px',
          border: '0',
          padding: '0',
          pointerEvents: 'none',
        }),
      ),
    );
    for (const [place, part, spare, expected] of [
      [{ left: '0', top: '0' }, 0.1, undefined, [12, 12]],
      [{ left: '410px', top: '0' }, 0.9, undefined, [-112, 12]],
      [{ left: '0', top: '760px' }, 0.5, undefined, [12, -62]],
      // As wide or high as there is room for, and a pixel more.
      [{ left: '410px', top: '0' }, 0.5, 0, [12, 12]],
      [{ left: '410px', top: '700px' }, 0.5, -1, 'left above'],
      [{ left: '0', top: '0' }, 0.5, -1, 'in the corner'],
    ] as const) {
      await site.page
        .locator('section')
        .evaluate((section, to) => Object.assign(section.style, { position: 'fixed', width: '300px', ...to }), place);
      await site.page.waitForFunction(() => document.querySelector('svg.marks')?.getBoundingClientRect().width === 300);
      const box = (await bar().boundingBox())!;
      const [x, y] = [Math.round(box.x + box.width * part), Math.round(box.y + box.height * part)];
      const { width, height } = site.page.viewportSize()!;
      const size = spare === undefined ? [100, 50] : [width - x - 12 - spare, height - y - 12 - spare];
      await tooltip().evaluate((one, [w, h]) => Object.assign(one.style, { width: `${w}px`, height: `${h}px` }), size);
      await site.page.mouse.move(x, y);
      await tooltip().waitFor();
      const shown = (await tooltip().boundingBox())!;
      const beyond = size.map((pixels) => -12 - pixels);
      assert.deepEqual(
        [shown.x - x, shown.y - y],
        expected === 'left above' ? beyond : expected === 'in the corner' ? [-x, -y] : expected,
        JSON.stringify([place, spare]),
      );
      await site.page.mouse.move(700, 300);
      await tooltip().waitFor({ state: 'hidden' });
    }
  });

  it('hides its tooltip and its point when the pointer leaves, and leaves nothing when it is removed', async () => {
    const spec = { mark: 'line', encoding: { x: month, y: revenue } };
    await site.page.evaluate(() => document.querySelector('main')?.replaceChildren());
    await site.draw({ spec: JSON.stringify(spec), table: sales, title: '' }, true);
    await site.page.getByRole('img').waitFor();
    const container = site.page.locator('section > div');
    assert.equal(await container.locator('> [aria-hidden=true]').count(), 3, 'only its name is read');
    assert.deepEqual(await site.page.locator('section').ariaSnapshotJSON(), [
      { role: 'img', name: await container.getAttribute('aria-label') },
    ]);
    const line = (await site.page.locator('.mark-line path').boundingBox())!;
    await site.page.mouse.move(line.x + 50, line.y + 20);
    const parts = site.page.locator('.chart-tooltip, .chart-tooltip-point');
    assert.deepEqual(await Promise.all((await parts.all()).map((part) => part.isVisible())), [true, true]);
    await site.page.mouse.move(1, 1);
    assert.deepEqual(await Promise.all((await parts.all()).map((part) => part.isVisible())), [false, false]);
    await site.page.evaluate(() => window.chartPage.charts.splice(0).forEach((chart) => chart.dispose()));
    assert.equal(await container.evaluate((element) => element.outerHTML), '<div></div>');
    await site.draw({ spec: JSON.stringify(spec), table: sales, title: '' }, true);
    await site.page.evaluate(async () => {
      const [chart] = window.chartPage.charts;
      const drawing = chart!.updateTheme();
      chart!.dispose();
      await drawing;
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    });
    assert.equal(
      await container.last().evaluate((element) => element.outerHTML),
      '<div></div>',
      'while it was drawn again',
    );
  });

  it('says once what it could not draw, also if the theme changes', async () => {
    await site.draw(bars([1, 'n/a', 2]), true);
    const notices = () => site.page.evaluate(() => window.chartPage.notices);
    const expected = ['1 of 3 rows has no drawable value and is left out.'];
    assert.deepEqual(await notices(), expected);
    await site.useTheme('light');
    assert.deepEqual([await notices(), await site.page.locator('svg.marks').count()], [expected, 1]);
  });

  it('starts no timers, shows no inputs and listens to no other element', async () => {
    await site.page.evaluate(() => {
      const started: unknown[] = [];
      const { setInterval: original } = window;
      Object.assign(window, {
        started,
        setInterval: (...given: [() => void, number]) => (started.push(given[1]), original(...given)),
      });
    });
    const select = (on: string) => ({ type: 'point', on });
    for (const params of [
      [{ name: 'p', select: select('timer:10') }],
      [{ name: 'p', select: select('timer{10}') }],
      [{ name: 'p', value: 1, bind: { input: 'range', min: 0, max: 9 } }],
      [{ name: 'p', value: 1, bind: { element: 'main' } }],
    ]) {
      await site.draw(
        { ...bars([1]), spec: JSON.stringify({ ...(JSON.parse(bars([1]).spec) as object), params }) },
        true,
      );
      assert.equal(await site.page.locator('input, select, .vega-bind').count(), 0, JSON.stringify(params));
      await site.clear();
    }
    assert.deepEqual(await site.page.evaluate(() => (window as unknown as { started: unknown[] }).started), []);
  });

  it('is exported with the title of its card unless it has its own, and room around it', async () => {
    const svg = async (title: string, own?: string): Promise<string> => {
      const { spec, table } = bars([1]);
      const titled = own === undefined ? spec : JSON.stringify({ ...(JSON.parse(spec) as object), title: own });
      await site.draw({ spec: titled, table, title }, true);
      const found = await site.page.evaluate(() => window.chartPage.charts.at(-1)!.toSvg('theme'));
      const shown = await site.page.locator('.role-title-text text').allTextContents();
      await site.clear();
      return `${/role-title-text[^>]*>.*?<text[^>]*>([^<]*)/.exec(found)?.[1] ?? 'none'} | ${shown.join() || 'none'} | ${/translate\(\d+,(\d+)\)/.exec(found)?.[1]}`;
    };
    assert.match(await svg('Card'), /^Card \| none \| 4\d$/);
    assert.match(await svg('Card', 'Own'), /^Own \| Own \| 4\d$/);
    assert.match(await svg('Card', ' CARD'), /^CARD \| none \| 4\d$/);
    assert.match(await svg(''), /^none \| none \| 18$/);
  });
});
