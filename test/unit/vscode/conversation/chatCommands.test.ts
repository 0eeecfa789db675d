/** The chats in which commands ask, and whose answers they stop. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread, type Thread } from '../../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

type Run = (services: object, argument?: unknown) => Promise<unknown>;

const sessionOf = (id: string, status: Thread['status'] = 'ready') => {
  const done: string[] = [];
  return {
    done,
    thread: { ...emptyThread(id), status },
    send: ({ text }: { text: string }) => Promise.resolve(done.push(text)),
    abort: () => Promise.resolve(done.push('stopped')),
  };
};

describe('a question of a command', () => {
  it('is asked in the active chat, or in a new one if that is recorded', async () => {
    const { askQuestion: ask } = await loadWithEditor<{ askQuestion: Run }>('vscode/conversation/chatCommands.ts', {});
    for (const isReadOnly of [false, true]) {
      const [active, created] = [sessionOf('active'), sessionOf('created')];
      const services = {
        sessions: { active, create: () => created },
        repository: { isReadOnly: () => isReadOnly },
        views: { focus: () => Promise.resolve() },
      };
      await ask(services, ' why? ');
      assert.deepEqual([active.done, created.done], isReadOnly ? [[], ['why?']] : [['why?'], []]);
    }
  });
});

describe('stopping by a command', () => {
  it('stops the active chat, else another one that is running', async () => {
    const { abort } = await loadWithEditor<{ abort: Run }>('vscode/conversation/chatCommands.ts', {});
    const replays = { showRest: () => false };
    for (const [status, expected] of [
      ['streaming', [['stopped'], []]],
      ['ready', [[], ['stopped']]],
    ] as const) {
      const [active, other] = [sessionOf('active', status), sessionOf('other', 'streaming')];
      await abort({ sessions: { active, all: [other, active] }, replays });
      assert.deepEqual([active.done, other.done], expected);
    }
  });
});
