import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import { MOST } from '../../../../src/chat/recording/write.ts';
import { emptyThread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import type { Recorder } from '../../../../src/vscode/threads/recorder.ts';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { context } from '../../chat/support/sessions.ts';

type Class = new (...of: ConstructorParameters<typeof Recorder>) => Recorder;

describe('a recording', () => {
  it('that is full is saved once, however much more is written to its chat', async () => {
    const commands: string[] = [];
    const { Recorder: Made } = await loadWithEditor<{ Recorder: Class }>('vscode/threads/recorder.ts', {
      StatusBarAlignment: {},
      commands: { executeCommand: (id: string) => commands.push(id) },
      window: { createStatusBarItem: () => ({ show: () => undefined, dispose: () => undefined }) },
    });
    const session = { thread: emptyThread('t') } as unknown as ChatSession;
    let change = (_events: readonly ThreadEvent[]): void => undefined;
    const onDidChange = (listener: (change: object) => void) => {
      change = (events) => listener({ session, events });
      return { dispose: () => undefined };
    };
    const recorder = new Made({ onDidChange } as unknown as Sessions);
    recorder.start(session);
    const id = '1700000000000-message';
    change([{ type: 'sent', id, text: 'x'.repeat(MOST), images: [], context, time: 0 }]);
    for (let more = 0; more < 3; more += 1) change([{ type: 'finished' }]);
    assert.deepEqual(
      commands.filter((each) => each !== 'setContext'),
      ['analyticsChat.saveRecording'],
    );
    assert.ok(recorder.stop()?.includes('xxx'));
    recorder.dispose();
  });
});
