/** Threads whose service reuses tool call ids: each query belongs to its own thread. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { ChatSession } from '../../../src/chat/session/chatSession.ts';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import { findSql, sessionWith } from '../../../src/shared/thread/turns.ts';
import { makeItem, withItems } from '../../support/item.ts';
import { loadWithEditor } from '../../support/withEditor.ts';

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
type HandleIntent = (app: object, view: object, message: object) => Promise<void>;

describe('the SQL of a command', () => {
  const clipboard = { writeText: (text: string) => copied.push(text) };
  const window = { setStatusBarMessage: () => undefined, showInformationMessage: () => undefined };
  const editor = { env: { clipboard }, window };
  const copied: string[] = [];
  let copySql: CopySql;
  let handleIntent: HandleIntent;

  before(async () => {
    ({ copySql } = await loadWithEditor<{ copySql: CopySql }>('vscode/commands/sql.ts', editor));
    ({ handleIntent } = await loadWithEditor<{ handleIntent: HandleIntent }>('vscode/views/intents.ts', editor));
  });

  it('is that of the view with the button, even if another thread was active last', async () => {
    for (const session of [second, first])
      await handleIntent({ sessions }, { session }, { type: 'copySql', toolCallId: QUERY });
    assert.deepEqual(copied.splice(0), ['SELECT 2', 'SELECT 1']);
  });

  it('is the last one of the thread if no query is named', async () => {
    await copySql({ sessions }, { threadId: 'second' });
    await copySql({ sessions });
    assert.deepEqual(copied.splice(0), ['SELECT 2', 'SELECT 1']);
  });

  it('has the question context of its own thread', () => {
    for (const session of sessions.all) {
      const found = findSql(session.thread, QUERY);
      assert.ok(found);
      assert.equal(sessionWith(sessions.all, found), session);
    }
  });
});
