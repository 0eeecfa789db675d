/** Where prompts give the focus back. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { Intent, SlashCommand } from '../../../../src/shared/protocol/chat.ts';
import { Editor, emptyThread, pairs, registered, TextDocument, TextEditor } from '../support.ts';
import type { ChatView, Pairs } from '../support.ts';

describe('the focus', () => {
  let editor: Editor;
  let two: Pairs;
  /** Titles of prompts, texts of messages, and calls of the view and of services. */
  let done: string[];
  let view: ChatView;
  /** The connection of chats. */
  let connection: object | undefined;
  const handlersOf = (area: string) => registered(area, two.services, editor.with());

  beforeEach(() => {
    connection = undefined;
    two = pairs({
      connections: { current: undefined, all: [] },
      identities: { names: () => [] },
      sessions: { connectionOf: () => connection },
    });
    ({ done } = two);
    editor = Object.assign(new Editor(), { prompts: done, messages: done });
    for (const session of [two.first, two.second]) Object.assign(session, { thread: emptyThread(session.thread.id) });
    const post = ({ type, what }: { type: string; what: string }): unknown => done.push(`${type} ${what}`);
    view = { session: two.second, reveal: () => done.push('reveal'), post } as unknown as ChatView;
  });
  const activated = 'activate second';
  const returned = ['reveal', 'focus last'];
  const noSql = 'There is no generated SQL in this chat yet.';
  const wizard = 'Analytics Chat: Chat API URL';

  for (const [name, area, shown] of [
    ['branch', 'connection', 'Analytics Chat: Switch Branch'],
    ['identity', 'connection', 'Analytics Chat: Switch Identity'],
    ['compare', 'runs', 'Analytics Chat: Compare'],
    ['sql', 'insert', noSql],
    ['export', 'threads', 'There is nothing to export in this chat yet.'],
  ] as const satisfies readonly (readonly [SlashCommand, string, string])[])
    it(`returns to the chat after the prompts of /${name}`, async () => {
      await (await handlersOf(area)).slash[name](view);
      assert.deepEqual(done, [shown, ...returned]);
    });

  for (const [area, intent, ...expected] of [
    ['connection', { type: 'connect' }, wizard, ...returned],
    ['connection', { type: 'switchBranch' }, 'Analytics Chat: Switch Branch', ...returned],
    ['connection', { type: 'switchConnection' }, activated, wizard, ...returned],
    ['connection', { type: 'switchIdentity' }, activated, 'Analytics Chat: Switch Identity', ...returned],
    ['threads', { type: 'threadAct', act: 'export', threadId: 'first' }, 'Export chat', ...returned],
    ['results', { type: 'exportResults', toolCallId: 'q' }, ...returned],
    ['results', { type: 'saveChart', toolCallId: 'q', format: 'svg', data: '<svg/>' }, ...returned],
    ['evals', { type: 'addAsTest', toolCallId: 'q' }, noSql, ...returned],
    ['evals', { type: 'certify', toolCallId: 'q' }, noSql, ...returned],
    ['conversation', { type: 'attach' }, 'Attach to the message', ...returned],
    // It stays on the page that is opened.
    ['conversation', { type: 'command', name: 'help' }, activated],
    // With an editor, the SQL is there.
    ['insert', { type: 'insertSql', toolCallId: 'q' }, activated, noSql, ...returned],
  ] as const)
    it(`${expected.join().includes('reveal') ? 'returns' : 'does not return'} to the chat after ${JSON.stringify(intent)}`, async () => {
      const intents = (await handlersOf(area)).intents as unknown as Record<string, (...of: unknown[]) => unknown>;
      await intents[intent.type]!(view, intent satisfies Intent);
      assert.deepEqual(done, expected);
    });

  it('stays in an editor into which SQL is inserted', async () => {
    editor.active = new TextEditor(new TextDocument('/shop/a.sql', ''));
    await (await handlersOf('insert')).intents.insertSql(view, { type: 'insertSql', toolCallId: 'q' });
    assert.deepEqual(done, [activated, noSql]);
  });

  it('returns to the chat after a prompt that fails', async () => {
    connection = { authentication: 'serviceToken' };
    const { intents } = await handlersOf('connection');
    await assert.rejects(async () => intents.switchIdentity(view, { type: 'switchIdentity' }), /service token/);
    assert.deepEqual(done, [activated, ...returned]);
  });
});
