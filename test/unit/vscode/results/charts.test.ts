import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { specDocument } from '../../../../src/shared/chart/json.ts';
import type * as results from '../../../../src/vscode/results/charts.ts';
import { Editor, pairs, withQuery, type Pairs } from '../support.ts';

const [spec, line, point] = ['bar', 'line', 'point'].map((mark) => `{"mark":"${mark}"}`) as [string, string, string];

describe('The chart document of a tool call', () => {
  let editor: Editor;
  let module: typeof results;
  let charts: results.Charts;
  let two: Pairs;
  class TabInputWebview {}

  beforeEach(async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [editor, two] = [new Editor(), pairs()];
    for (const session of [two.first, two.second])
      for (const id of ['t8', 't9']) withQuery(session, id, { sqlQuery: 'SELECT 1', vegaSpec: spec });
    editor.more = { TabInputWebview };
    module = await editor.load('results/charts');
    charts = new module.Charts();
  });
  afterEach(() => {
    charts.dispose();
    mock.timers.reset();
  });

  it('has the specification of the service or of the user, is opened once, and beside the chat if that is a tab', async () => {
    for (const _ of [1, 2]) await charts.open(two.first, 't9');
    assert.deepEqual(editor.shown.splice(0), Array(2).fill(specDocument(spec)));
    const [document] = editor.documents;
    assert.deepEqual([editor.documents.length, document?.languageId], [1, 'json']);
    await charts.change(two.first, 't9', line);
    await charts.change(two.first, 't8', point);
    assert.deepEqual(charts.of(two.first), Object.entries({ t9: specDocument(line), t8: specDocument(point) }));
    editor.fire('onDidCloseTextDocument', document);
    editor.activeTab = { input: new TabInputWebview() };
    await charts.open(two.first, 't9');
    assert.deepEqual([editor.shown, editor.documents.length], [[specDocument(line)], 2]);
    assert.deepEqual(editor.columns, [-1, -1, -2]);
  });

  it('changes with its chart, and its chart with it a while after the last edit; no other one does', async () => {
    const changed: object[] = [];
    charts.onDidChange((session) => changed.push(session));
    for (const session of [two.first, two.second]) for (const id of ['t8', 't9']) await charts.open(session, id);
    const texts = (): string[] => editor.documents.map(({ text }) => text);
    const original = specDocument(spec);
    await charts.change(two.second, 't8', line);
    assert.deepEqual(texts(), [original, original, specDocument(line), original]);
    await charts.change(two.second, 't8', line);
    assert.equal(editor.writes, 1);
    await charts.change(two.second, 't8', '');
    assert.deepEqual([texts(), charts.of(two.second)], [Array(4).fill(original), []]);
    assert.deepEqual(changed.splice(0), [two.second, two.second]);
    const [, document] = editor.documents;
    for (const text of ['{', point]) {
      document!.text = text;
      editor.fire('onDidChangeTextDocument', { document });
      mock.timers.tick(249);
      assert.deepEqual(changed, []);
    }
    mock.timers.tick(1);
    assert.deepEqual([changed, charts.of(two.first), charts.of(two.second)], [[two.first], [['t9', point]], []]);
    document!.text = '{}';
    editor.fire('onDidChangeTextDocument', { document });
    charts.dispose();
    mock.timers.tick(1000);
    assert.equal(changed.length, 1);
  });

  it('is saved as an image in its format, under the title of its query', async () => {
    withQuery(two.second, 'named', { sqlQuery: 'SELECT 1', queryTitle: 'Sales' });
    for (const [id, format, data, name, text] of [
      ['named', 'svg', '<svg/>', '/shop/Sales.svg', '<svg/>'],
      ['t9', 'png', btoa('PNG'), '/shop/Chart.png', 'PNG'],
    ] as const) {
      editor.targets = ['/shop/chart', undefined];
      for (let times = 0; times < 2; times += 1) await module.saveChart(two.second, id, format, data);
      assert.deepEqual([editor.names.splice(0), editor.files.get('/shop/chart')], [[name, name], text]);
      assert.deepEqual(editor.statuses.splice(0), ['Chart saved']);
      assert.deepEqual(editor.filters.pop(), { [format.toUpperCase()]: [format] });
    }
    await module.saveChart(two.second, 't9', 'png', '');
    assert.deepEqual(editor.messages, ['Can’t convert the chart to PNG. Save it as SVG instead.']);
    assert.deepEqual([editor.names, new Set(editor.dialogs)], [[], new Set(['Save chart'])]);
  });
});
