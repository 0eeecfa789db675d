/** A comparison updates whenever one of its answers changes. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { ChatSession } from '../../../src/chat/session/chatSession.ts';
import type { ToCompare } from '../../../src/shared/protocol/compare.ts';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import { makeItem, withItems } from '../../support/item.ts';
import { until } from '../../support/until.ts';
import { loadWithEditor } from '../../support/withEditor.ts';
import { context } from '../chat/support/sessions.ts';

interface Opened {
  /** Replaces the query of a side and notifies the comparison. */
  write(side: number, sqlQuery: string): void;
  /** The SQL lines of the last posted comparison. */
  shown(): string[];
}

type Class = new (app: object, panel: object, question: string, sides: object) => object;

const nothing = (): { dispose: () => undefined } => ({ dispose: () => undefined });

describe('a comparison', () => {
  let Tab: Class;

  before(async () => {
    const editor = {
      env: { language: 'en' },
      l10n: {},
      Uri: { joinPath: () => '' },
      workspace: { getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }) },
    };
    ({ CompareTab: Tab } = await loadWithEditor<{ CompareTab: Class }>('vscode/compare/compareTab.ts', editor));
  });

  function open(): Opened {
    const posted: ToCompare[] = [];
    const listeners: ((message: unknown) => void)[] = [];
    const changes: ((change: object) => void)[] = [];
    const sides = ['left', 'right'].map((id) => ({ session: { thread: emptyThread(id) } as ChatSession, context }));
    const app = {
      context: {},
      branches: { main: 'main' },
      guarded: async (work: () => unknown) => work(),
      sessions: {
        pin: nothing,
        onDidChange: (listener: (typeof changes)[number]) => {
          changes.push(listener);
          return nothing();
        },
      },
      views: { include: nothing, host: {} },
    };
    const webview = {
      asWebviewUri: String,
      postMessage: (message: ToCompare) => posted.push(message),
      onDidReceiveMessage: (listener: (typeof listeners)[number]) => {
        listeners.push(listener);
        return nothing();
      },
    };
    const panel = { webview, visible: true, onDidChangeViewState: nothing, onDidDispose: nothing };
    new Tab(app, panel, 'revenue?', { left: sides[0], right: sides[1] });
    for (const listener of listeners) listener({ type: 'ready' });
    return {
      write(side, sqlQuery) {
        const { session } = sides[side] ?? assert.fail();
        const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery }), result: '{}' };
        Object.assign(session, { thread: withItems({ ...session.thread, turns: [] }, makeItem('q', { toolCall })) });
        for (const change of changes) change({ session, events: [] });
      },
      shown() {
        const last = posted.findLast((message) => message.type === 'compared');
        return last?.queries.flatMap(({ sql }) => sql.map(({ text }) => text)) ?? [];
      },
    };
  }

  it('includes changes that arrived before it was shown', async () => {
    for (let moment = 0; moment < 20; moment += 1) {
      const tab = open();
      tab.write(0, 'SELECT 1');
      tab.write(1, 'SELECT 2');
      await until(() => tab.shown().includes('SELECT 2'));
      tab.write(1, 'SELECT 3');
      for (let at = 0; at < moment; at += 1) await Promise.resolve();
      tab.write(1, 'SELECT 4');
      await until(
        () => tab.shown().includes('SELECT 4'),
        () => `Lost at moment ${moment}.`,
      );
    }
  });
});
