import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatSession } from '../../../../src/chat/session/chatSession.ts';
import { MOST_CHARACTERS } from '../../../../src/chat/recording/write.ts';
import { emptyThread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import type { RawLine } from '../../../../src/vscode/connection/connector.ts';
import type { Recorder } from '../../../../src/vscode/threads/recorder.ts';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import { EventEmitter } from '../../../support/editorValues.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { context } from '../../chat/support/sessions.ts';

type Class = new (...of: ConstructorParameters<typeof Recorder>) => Recorder;

const sent = (text: string): ThreadEvent[] => [
  { type: 'sent', id: '1700000000000-message', text, images: [], context, time: 0 },
];

describe('a recording', () => {
  const session = { thread: emptyThread('t') } as unknown as ChatSession;
  let commands: string[];
  let change: (events: readonly ThreadEvent[], of?: ChatSession) => void;
  let lines: EventEmitter<RawLine>;

  async function start(): Promise<Recorder> {
    commands = [];
    lines = new EventEmitter();
    const { Recorder: Made } = await loadWithEditor<{ Recorder: Class }>('vscode/threads/recorder.ts', {
      commands: { executeCommand: (id: string) => commands.push(id) },
      window: { createStatusBarItem: () => ({ show: () => undefined, dispose: () => undefined }) },
    });
    const onDidChange = (listener: (change: object) => void) => {
      change = (events, of = session) => listener({ session: of, events });
      return { dispose: () => undefined };
    };
    const recorder = new Made({ onDidChange } as unknown as Sessions, { onLine: lines.event as never });
    recorder.start(session);
    return recorder;
  }

  it('contains nothing of other chats', async () => {
    const recorder = await start();
    change(sent('in this chat'));
    change(sent('in another chat'), { thread: emptyThread('other') } as unknown as ChatSession);
    const text = recorder.stop();
    assert.ok(text?.includes('in this chat') && !text.includes('in another chat'));
    recorder.dispose();
  });

  it('that is full is saved once, however much more is written to its chat', async () => {
    const recorder = await start();
    change(sent('x'.repeat(MOST_CHARACTERS)));
    for (let more = 0; more < 3; more += 1) change([{ type: 'finished' }]);
    assert.deepEqual(
      commands.filter((each) => each !== 'setContext'),
      ['analyticsChat.saveRecording'],
    );
    assert.ok(recorder.stop()?.includes('xxx'));
    recorder.dispose();
  });

  it('can be saved elsewhere if it can’t be written to the chosen file, without secrets', async () => {
    const written: [path: string, text: string][] = [];
    const messages: string[] = [];
    const targets = [{ path: '/read-only/one.ndjson' }, { path: '/two.ndjson' }];
    type SaveRecording = (services: object) => Promise<object | undefined>;
    const path = 'vscode/threads/recording.ts';
    const { saveRecording } = await loadWithEditor<{ saveRecording: SaveRecording }>(path, {
      workspace: {
        fs: {
          writeFile: (target: { path: string }, bytes: Uint8Array) => {
            if (target.path.startsWith('/read-only')) return Promise.reject(new Error('No permission.'));
            return Promise.resolve(written.push([target.path, new TextDecoder().decode(bytes)]));
          },
        },
      },
      window: {
        showSaveDialog: () => Promise.resolve(targets.shift()),
        showInformationMessage: (message: string, action: string) => {
          messages.push(message);
          return Promise.resolve(action);
        },
      },
    });
    const log = { redactDocument: (text: string) => text.replace('the-key', '[redacted]'), error: () => undefined };
    const recorder = { session: { thread: emptyThread('t') }, stop: () => '{"type":"line","text":"the-key"}\n' };
    assert.deepEqual(await saveRecording({ log, recorder, sessions: { titleOf: () => '' } }), { path: '/two.ndjson' });
    assert.deepEqual(messages, ['The recording was not saved. No permission.']);
    assert.deepEqual(written, [['/two.ndjson', '{"type":"line","text":"[redacted]"}\n']]);
  });

  it('that is the sample replaces earlier samples in the history, but not one that is open', async () => {
    const removed: string[] = [];
    const path = 'vscode/threads/recording.ts';
    const { openSample } = await loadWithEditor<{ openSample: (services: object) => Promise<void> }>(path, {
      Uri: { joinPath: () => '' },
      workspace: { fs: { stat: () => Promise.reject(new Error('enough')) } },
    });
    const history = {
      list: () => Promise.resolve(['sample-1', 'sample-2', 'own'].map((id) => ({ id }))),
      remove: (id: string) => Promise.resolve(removed.push(id)),
    };
    const services = {
      context: {},
      history: () => Promise.resolve(history),
      sessions: { get: (id: string) => (id === 'sample-2' ? {} : undefined) },
    };
    await assert.rejects(openSample(services), /enough/);
    assert.deepEqual(removed, ['sample-1']);
  });
});
