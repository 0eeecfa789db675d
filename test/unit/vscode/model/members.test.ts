/** Members of the model come only from the user's own agent. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import type { Connections } from '../../../../src/vscode/connection/connections.ts';
import { Members } from '../../../../src/vscode/model/members.ts';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import { mementoOn } from '../../../support/withEditor.ts';
import { dispatch } from '../../chat/history/support/stores.ts';

const search = (cube: string): ThreadEvent => ({
  type: 'line',
  line: {
    kind: 'toolCall',
    id: 'search',
    role: 'assistant',
    content: '',
    graphPath: [],
    isDelta: false,
    isInProcess: false,
    sort: 1,
    toolCall: {
      name: 'svcMeta',
      input: { searchQuery: 'revenue' },
      result: { cubes: [{ name: cube, type: 'cube', members: [{ name: `${cube}.revenue`, type: 'measure' }] }] },
    },
  } as never,
  time: 1,
});

describe('the known model', () => {
  it('comes from searches of the agent, not from recordings', () => {
    let change: (of: { session: Pick<ChatSession, 'thread'>; events: ThreadEvent[] }) => void = () => undefined;
    const sessions = {
      onDidChange: (listener: typeof change) => {
        change = listener;
        return { dispose: () => undefined };
      },
      homeOf: () => undefined,
    } as unknown as Sessions;
    const connections = { of: () => undefined, current: undefined } as unknown as Connections;
    const kept = new Map<string, unknown>();
    const memento = mementoOn(kept);
    const members = new Members(memento, sessions, connections, (id) => id === 'recorded');
    const told = (id: string, cube: string): void => {
      const event = search(cube);
      const thread: Thread = dispatch(emptyThread(id), event);
      change({ session: { thread }, events: [event] });
    };
    told('recorded', 'invented');
    assert.deepEqual([members.definitions, kept.size], [[], 0]);
    told('asked', 'sales');
    assert.deepEqual([...members.viewNames()], ['sales']);
    members.dispose();
  });

  it('is kept for the connection of the chat, up to the latest 200 definitions', () => {
    let change: (of: { session: Pick<ChatSession, 'thread'>; events: ThreadEvent[] }) => void = () => undefined;
    const home = { origin: 'https://b.example', connection: 'B' };
    const sessions = {
      onDidChange: (listener: typeof change) => ((change = listener), { dispose: () => undefined }),
      homeOf: () => home,
    } as unknown as Sessions;
    const of = (at: unknown): object => ({ name: at === home ? 'B' : 'A' });
    const connections = { of, current: { name: 'A' } } as unknown as Connections;
    const kept = new Map<string, { name: string }[]>();
    const memento = {
      get: (_key: string, otherwise: unknown) => otherwise,
      update: (key: string, value: { name: string }[]) => Promise.resolve(void kept.set(key, value)),
    } as unknown as vscode.Memento;
    const members = new Members(memento, sessions, connections, () => false);
    for (let at = 0; at <= 200; at += 1) {
      const event = search(`cube${at}`);
      change({ session: { thread: dispatch(emptyThread('asked'), event) }, events: [event] });
    }
    assert.deepEqual([members.definitions.length, members.on('B').length], [0, 201]);
    const [[key, stored = []] = []] = kept;
    assert.deepEqual([key, stored.length, stored.at(-1)?.name], ['modelDefinitions:B', 200, 'cube200']);
    members.dispose();
  });
});
