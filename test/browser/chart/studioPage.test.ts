/** The chart studio in a card: what it offers for each chart, and what each choice asks of the host. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyDraft, type ViewContext } from '../../../src/shared/protocol/chat.ts';
import type { Fields } from '../../../src/shared/text/checks.ts';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import { setField, setLogarithmic, setMark, setTop, swapAxes } from '../../../webview/studio/edit.ts';
import { useHostedPage } from '../support/hostedPage.ts';
import { outline } from '../support/outline.ts';

const columns = ['city', 'year', 'n', 'm'].map((name) => ({ name, type: name === 'city' ? 'string' : 'number' }));
const rows = [
  ['Bern', 2023, 1, 5],
  ['Rome', 2024, 2, 6],
];
const [x, y] = [
  { field: 'city', type: 'nominal' },
  { field: 'n', type: 'quantitative' },
];
const bars: Fields = { mark: 'bar', encoding: { x, y } };
const full = setLogarithmic(
  setTop({ ...bars, encoding: { x, y, color: { field: 'year', type: 'ordinal' } } }, 7),
  true,
);
const table = { columns, rows, totalRows: 2 };
const shown = (spec: string): object => {
  const viewContext = {
    ...{ connected: true, connection: '', branch: 'main', mainBranch: 'main', offeredBranch: '', identity: 'ann' },
    ...{ sendKey: 'enter', showThinking: 'collapsed', readOnly: false, lifetime: 0, examples: [], guardFormulas: true },
    ...{ timeZones: {}, certified: [], chartSpecs: spec === '' ? [] : [['t2', spec]] },
  } as unknown as ViewContext;
  const toolCall = (queryTitle: string) => ({
    name: 'svcSqlApi',
    input: { sqlQuery: 'SELECT 1', queryTitle },
    result: {
      ...{ sqlQuery: 'SELECT 1', queryTitle, data: rows, totalRows: 2, vegaSpec: JSON.stringify(bars) },
      schema: columns.map(({ name, type }) => ({ name, column_type: type })),
    },
  });
  const item = (id: string, title: string) => ({
    ...{ id, content: '', thinking: '', toolCall: toolCall(title), graphPath: [], inProcess: false },
    ...{ sort: 0, time: 0, updated: 0 },
  });
  const turn = {
    ...{ id: 'q', question: { id: 'q', content: 'one?', time: 0 }, items: [item('t1', 'First'), item('t2', 'Second')] },
    outcome: { state: 'done' },
  };
  const thread = { ...emptyThread('a'), turns: [turn] };
  return { type: 'snapshot', seq: 1, thread, viewContext, draft: emptyDraft, l10n: {} };
};

describe('The chart studio of a card', () => {
  const setup = useHostedPage('main', { width: 700, height: 900 });
  const card = () => setup.page.getByRole('group', { name: 'SQL query: Second' });
  const studio = () => setup.page.getByRole('group', { name: 'Change chart' });
  const open = async (spec: Fields | string): Promise<void> => {
    await setup.post(shown(typeof spec === 'string' ? spec : JSON.stringify(spec)));
    const opener = card().getByRole('button', { name: 'Change chart' });
    if ((await studio().count()) === 0) await opener.click();
    await studio().waitFor();
    await setup.posted();
  };

  for (const [name, spec, expected] of [
    [
      'the chart of the service',
      '',
      `group "Change chart"
  "Chart type"
  combobox "Chart type"
    option "Bars" selected, option "Line", option "Area", option "Points", option "Pie", option "Heat map"
    option "Ticks", option "Box plot"
  "X axis", combobox "X axis" [option "None", option "city" selected, option "year", option "n", option "m"], "Y axis"
  combobox "Y axis" [option "None", option "city", option "year", option "n" selected, option "m"], "Color by"
  combobox "Color by" [option "None" selected, option "city", option "year", option "n", option "m"], "Show"
  combobox "Show"
    option "All rows" selected, option "Top 5", option "Top 10", option "Top 20", option "Top 50", option "Top 100"
  checkbox "Log scale", "Log scale", button "Swap axes", button "Done", button "Open in editor"`,
    ],
    [
      'colors, a logarithmic scale and a number of rows of its own',
      full,
      `group "Change chart"
  "Chart type"
  combobox "Chart type"
    option "Bars" selected, option "Line", option "Area", option "Points", option "Pie", option "Heat map"
    option "Ticks", option "Box plot"
  "X axis", combobox "X axis" [option "None", option "city" selected, option "year", option "n", option "m"], "Y axis"
  combobox "Y axis" [option "None", option "city", option "year", option "n" selected, option "m"], "Color by"
  combobox "Color by" [option "None", option "city", option "year" selected, option "n", option "m"], "Show"
  combobox "Show"
    option "All rows", option "Top 5", option "Top 7" selected, option "Top 10", option "Top 20", option "Top 50"
    option "Top 100"
  checkbox "Log scale" checked, "Log scale", button "Swap axes", button "Done", button "Open in editor"
  button "Original chart"`,
    ],
    [
      'a pie',
      setTop(setMark(bars, 'arc'), 10),
      `group "Change chart"
  "Chart type"
  combobox "Chart type"
    option "Bars", option "Line", option "Area", option "Points", option "Pie" selected, option "Heat map"
    option "Ticks", option "Box plot"
  "Slices", combobox "Slices" [option "None", option "city" selected, option "year", option "n", option "m"], "Size"
  combobox "Size" [option "None", option "city", option "year", option "n" selected, option "m"], "Show"
  combobox "Show"
    option "All rows", option "Top 5", option "Top 10" selected, option "Top 20", option "Top 50", option "Top 100"
  button "Done", button "Open in editor", button "Original chart"`,
    ],
    [
      'a mark that it does not know',
      { mark: { type: 'trail' }, encoding: { x: { field: 'lost' } } },
      `group "Change chart"
  "Chart type"
  combobox "Chart type"
    option "trail" selected, option "Bars", option "Line", option "Area", option "Points", option "Pie"
    option "Heat map", option "Ticks", option "Box plot"
  "X axis", combobox "X axis" [option "None", option "city", option "year", option "n", option "m"], "Y axis"
  combobox "Y axis" [option "None" selected, option "city", option "year", option "n", option "m"], "Color by"
  combobox "Color by" [option "None" selected, option "city", option "year", option "n", option "m"], "Show"
  combobox "Show"
    option "All rows" selected, option "Top 5", option "Top 10", option "Top 20", option "Top 50", option "Top 100"
  checkbox "Log scale", "Log scale", button "Swap axes", button "Done", button "Open in editor"
  button "Original chart"`,
    ],
    [
      'several views',
      { hconcat: [bars, bars] },
      `group "Change chart"
  paragraph (A chart with more than one view can be changed only as text.), button "Done", button "Open in editor"
  button "Original chart"`,
    ],
    [
      'a text that is no specification',
      '[',
      `group "Change chart"
  paragraph (A chart with more than one view can be changed only as text.), button "Done", button "Open in editor"
  button "Original chart"`,
    ],
  ] as const)
    it(`shows ${name}`, async () => {
      await open(spec as Fields | string);
      const found = await outline(studio());
      assert.equal(found, expected);
    });

  it('asks the host for one change of its own chart with each choice', async () => {
    const select = (label: string, option: string) => () => studio().getByLabel(label).selectOption(option);
    const click = (name: string) => () => studio().getByRole('button', { name }).click();
    const change = (spec: Fields | string) => [
      { type: 'changeChart', toolCallId: 't2', spec: typeof spec === 'string' ? spec : JSON.stringify(spec) },
    ];
    for (const [act, expected] of [
      [select('Chart type', 'Line'), change(setMark(full, 'line'))],
      [select('X axis', 'year'), change(setField(full, 'x', columns[1], table))],
      [select('Y axis', 'm'), change(setField(full, 'y', columns[3], table))],
      [select('Color by', 'city'), change(setField(full, 'color', columns[0], table))],
      [select('Color by', 'None'), change(setField(full, 'color', undefined, table))],
      [select('Show', 'Top 50'), change(setTop(full, 50))],
      [select('Show', 'All rows'), change(setTop(full, undefined))],
      [() => studio().getByLabel('Log scale').click(), change(setLogarithmic(full, false))],
      [click('Swap axes'), change(swapAxes(full))],
      [click('Open in editor'), [{ type: 'openChartSpec', toolCallId: 't2' }]],
      [click('Original chart'), change('')],
      [() => studio().getByLabel('Show').press('x'), []],
    ] as const) {
      await open(full);
      await act();
      const asked = (await setup.posted()).filter((message) => (message as { type: string }).type !== 'drawn');
      assert.deepEqual(asked, expected, String(act));
    }
    assert.equal(await studio().count(), 1, 'only Escape and the button close it');
    await studio().getByLabel('Show').press('Escape');
    assert.equal(await studio().count(), 0);
    assert.deepEqual(await setup.posted(), []);
    await open(full);
    await click('Done')();
    assert.equal(await studio().count(), 0);
  });
});
