/**
 * What commands copy from threads. Their service reuses tool call ids: each query belongs to its own thread.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import { emptyThread, type Item } from '../../../../src/shared/thread/model.ts';
import { findSql, sessionWith } from '../../../../src/shared/thread/turns.ts';
import { makeItem, makeTurn, withItems } from '../../../support/item.ts';
import type { ChatView } from '../../../../src/vscode/host/chatView.ts';
import { registered } from '../areas.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

const QUERY = 'tool-1';

const sessionOf = (id: string, sqlQuery: string): ChatSession => {
  const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery }), result: '{}' };
  return { thread: withItems(emptyThread(id), makeItem(QUERY, { toolCall })) } as unknown as ChatSession;
};
const first = sessionOf('first', 'SELECT 1');
const second = sessionOf('second', 'SELECT 2');
const sessions = {
  active: first,
  all: [first, second],
  get: (id: string) => sessions.all.find(({ thread }) => thread.id === id),
};

type CopySql = (app: object, argument?: object) => Promise<void>;

describe('the SQL of a command', () => {
  const clipboard = { writeText: (text: string) => copied.push(text) };
  const window = {
    ...{ setStatusBarMessage: () => undefined, showInformationMessage: () => undefined },
    showTextDocument: () => Promise.resolve(),
  };
  const opened: string[] = [];
  const workspace = {
    openTextDocument: ({ content }: { content: string }) => Promise.resolve(void opened.push(content)),
  };
  const editor = { env: { clipboard }, window, workspace };
  const copied: string[] = [];
  let copySql: CopySql;

  before(async () => {
    ({ copySql } = await loadWithEditor<{ copySql: CopySql }>('vscode/insert/sql.ts', editor));
  });

  it('is that of the view with the button, even if another thread was active last', async () => {
    const { intents } = await registered('insert', { sessions }, editor);
    for (const session of [second, first]) {
      await intents.copySql({ session } as ChatView, { type: 'copySql', toolCallId: QUERY });
      await intents.openSql({ session } as ChatView, { type: 'openSql', toolCallId: QUERY });
    }
    assert.deepEqual(copied.splice(0), ['SELECT 2', 'SELECT 1']);
    assert.deepEqual(opened, ['SELECT 2', 'SELECT 1']);
  });

  it('is the last one of the thread if no query is named', async () => {
    await copySql({ sessions }, { threadId: 'second' });
    await copySql({ sessions });
    assert.deepEqual(copied.splice(0), ['SELECT 2', 'SELECT 1']);
  });

  it('is found by its id in any open chat if the active one has none', async () => {
    const empty = { thread: emptyThread('empty') };
    await copySql({ sessions: { ...sessions, active: empty } }, { toolCallId: QUERY });
    assert.deepEqual(copied.splice(0), ['SELECT 1']);
  });

  it('is never that of another chat if the thread has none', async () => {
    const empty = { thread: emptyThread('empty') };
    await copySql({ sessions: { ...sessions, active: empty } });
    assert.deepEqual(copied, []);
  });

  it('has the question context of its own thread', () => {
    for (const session of sessions.all) {
      const found = findSql(session.thread, QUERY);
      assert.ok(found);
      assert.equal(sessionWith(sessions.all, found), session);
    }
  });
});

describe('a copied answer', () => {
  it('is its Markdown with secrets redacted, not the rendered text or another answer', async () => {
    const copied: string[] = [];
    const clipboard = { writeText: (text: string) => copied.push(text) };
    const window = { setStatusBarMessage: () => undefined };
    const editor = { env: { clipboard }, window };
    const answer = (id: string, content: string): Item => makeItem(id, { content, graphPath: ['final'] });
    const earlier = makeTurn({ id: 'q1' }, [answer('a1', 'Earlier.')]);
    const later = makeTurn({ id: 'q2' }, [answer('a2', '**Revenue** rose, says the-key.\n\n| a | b |\n')]);
    const thread = { ...emptyThread('one'), turns: [earlier, later] };
    const log = { redactDocument: (text: string) => text.replace('the-key', '[redacted]') };
    const { intents } = await registered('conversation', { log }, editor);
    const view = { session: { thread } } as unknown as ChatView;
    await intents.copyAnswer(view, { type: 'copyAnswer', messageId: 'a2' });
    // Clicked in the thread that the page showed before.
    await intents.copyAnswer(view, { type: 'copyAnswer', messageId: 'b1' });
    assert.deepEqual(copied, ['**Revenue** rose, says [redacted].\n\n| a | b |\n']);
  });
});

describe('a member of the data model', () => {
  it('is copied if the file of the editor can’t be changed', async () => {
    const copied: string[] = [];
    const shown: string[] = [];
    const document = {
      ...{ uri: { scheme: 'file', path: '/repo/query.sql' }, languageId: 'sql', version: 1 },
      ...{ getText: () => '', offsetAt: () => 0 },
    };
    // VS Code resolves to true for a read-only file.
    const editor = { document, selection: {}, selections: [], edit: () => Promise.resolve(true) };
    type InsertMember = (name: string) => Promise<void>;
    const { insertMember } = await loadWithEditor<{ insertMember: InsertMember }>('vscode/insert/sql.ts', {
      env: { clipboard: { writeText: (text: string) => Promise.resolve(copied.push(text)) } },
      window: { activeTextEditor: editor, showInformationMessage: (text: string) => shown.push(text) },
    });
    await insertMember('orders.count');
    assert.deepEqual(copied, ['orders.count']);
    assert.match(shown.join(), /can’t be changed/);
  });
});
