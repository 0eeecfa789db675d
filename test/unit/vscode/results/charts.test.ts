import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { specDocument } from '../../../../src/shared/chart/json.ts';
import type { Charts } from '../../../../src/vscode/results/charts.ts';
import { makeItem, withItems } from '../../../support/item.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

type MakeCharts = new () => Charts;

const spec = '{"mark":"bar"}';
const line = '{"mark":"line"}';

/** A thread with one chart, in a tool call with this id. */
const sessionOf = (id: string): ChatSession => {
  const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery: 'SELECT 1', vegaSpec: spec }), result: '{}' };
  return { thread: withItems(emptyThread('t'), makeItem(id, { toolCall })) } as unknown as ChatSession;
};

describe('The chart document of a tool call', () => {
  const nothing = { dispose: () => undefined };
  const opened: string[] = [];
  const shown: object[] = [];
  let charts: Charts;
  let close: (document: object) => void;

  before(async () => {
    const { Charts: Made } = await loadWithEditor<{ Charts: MakeCharts }>('vscode/results/charts.ts', {
      window: { tabGroups: { activeTabGroup: {} }, showTextDocument: (document: object) => shown.push(document) },
      workspace: {
        onDidChangeTextDocument: () => nothing,
        onDidCloseTextDocument: (listener: typeof close) => ((close = listener), nothing),
        openTextDocument: ({ content }: { content: string }) => {
          opened.push(content);
          return Promise.resolve({});
        },
      },
    });
    charts = new Made();
  });

  for (const id of ['constructor', '__proto__', 'toString', 'tool-1'])
    it(`has the specification of the service or of the user if its id is “${id}”`, async () => {
      await charts.open(sessionOf(id), id);
      assert.equal(opened.pop(), specDocument(spec));
      const session = sessionOf(id);
      await charts.change(session, id, line);
      assert.deepEqual(charts.of(session), [[id, specDocument(line)]]);
      await charts.open(session, id);
      assert.equal(opened.pop(), specDocument(line));
    });

  it('is shown again while it is open, and opened anew after it was closed', async () => {
    const session = sessionOf('tool-1');
    for (let presses = 1; presses <= 2; presses += 1) await charts.open(session, 'tool-1');
    const [first, again] = shown.slice(-2);
    assert.equal(first, again);
    close(first!);
    await charts.open(session, 'tool-1');
    assert.notEqual(shown.at(-1), first);
  });
});
