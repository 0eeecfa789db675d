/** The status bar shows the connection, branch and identity of new questions. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { becomes } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

interface Item {
  text: string;
  tooltip: string;
  command: string;
  accessibilityInformation?: { label: string };
  shown: boolean;
}

describe('the status bar', () => {
  const items = new Map<string, Item>();
  const nothing = { dispose: () => undefined };
  const editor = {
    Disposable: { from: () => nothing },
    window: {
      createStatusBarItem: (id: string) => {
        const item: Item & { show(): void; hide(): void } = {
          ...{ text: '', tooltip: '', command: '', shown: false },
          show: () => void (item.shown = true),
          hide: () => void (item.shown = false),
        };
        items.set(id, item);
        return item;
      },
    },
    workspace: { onDidChangeConfiguration: () => nothing },
  };
  const shown = (): string[] => [...items.values()].filter((item) => item.shown).map(({ text }) => text);

  it('shows connection and branch if there is a connection, and an identity that is not its own', async () => {
    const { showStatus } = await loadWithEditor<{ showStatus: (services: object) => void }>(
      'vscode/connection/statusBar.ts',
      editor,
    );
    let changed = (): void => undefined;
    const connections = {
      current: { name: '', chatApiUrl: 'https://acme.example/chat' } as object | undefined,
      described: () => 'https://acme.example',
      onDidChange: (listener: () => void) => {
        changed = listener;
        return nothing;
      },
    };
    const identities = { current: 'ana', names: () => ['ana', 'europe'], onDidChange: connections.onDidChange };
    showStatus({ connections, branches: { label: 'main', onDidChange: () => nothing }, identities });
    await becomes(shown, ['$(plug) acme.example', '$(analytics-chat) main']);
    identities.current = 'europe';
    changed();
    assert.deepEqual(shown(), ['$(plug) acme.example', '$(analytics-chat) main', '$(account) europe']);
    const said = [...items.values()].map((item) => [item.command, item.tooltip, item.accessibilityInformation?.label]);
    assert.deepEqual(said, [
      [
        'analyticsChat.switchConnection',
        'Analytics Chat: New chats use https://acme.example. Click to switch.',
        'Analytics Chat connection: acme.example',
      ],
      [
        'analyticsChat.switchBranch',
        'Analytics Chat: Queries run on branch main. Click to switch.',
        'Analytics Chat branch: main',
      ],
      [
        'analyticsChat.switchIdentity',
        'Analytics Chat: Questions are asked as europe. Click to switch.',
        'Analytics Chat identity: europe',
      ],
    ]);
    connections.current = undefined;
    changed();
    assert.deepEqual(shown(), []);
    connections.current = { name: '', chatApiUrl: 'https://other.example/chat' };
    changed();
    identities.current = 'ana';
    changed();
    assert.deepEqual(shown(), ['$(plug) other.example', '$(analytics-chat) main']);
  });
});

describe('the context keys', () => {
  it('say that an answer is running in any chat, because a command can stop it, and follow changes', async () => {
    const keys = new Map<string, unknown>();
    let changed = (): void => undefined;
    const nothing = { dispose: () => undefined };
    const { keepContextKeys } = await loadWithEditor<{ keepContextKeys: (services: object) => void }>(
      'vscode/connection/statusBar.ts',
      {
        Disposable: class {
          static from = () => nothing;
        },
        commands: { executeCommand: (_id: string, key: string, value: unknown) => keys.set(key, value) },
        workspace: { onDidChangeConfiguration: () => nothing },
      },
    );
    const current = { thread: emptyThread('shown') };
    const running = { thread: { ...emptyThread('hidden'), status: 'streaming' } };
    let isRecorded = false;
    keepContextKeys({
      connections: { current: undefined },
      repository: { isReadOnly: () => isRecorded },
      sessions: {
        ...{ current, all: [current, running], onDidChangeActive: () => nothing },
        onDidChange: (listener: () => void) => ((changed = listener), nothing),
      },
    });
    changed();
    await becomes(
      () => [...keys],
      [
        ['analyticsChat.chat', 'empty'],
        ['analyticsChat.sql', 'none'],
        ['analyticsChat.connection', 'none'],
        ['analyticsChat.running', true],
      ],
    );
    isRecorded = true;
    changed();
    await becomes(() => [keys.get('analyticsChat.chat')], ['recorded']);
  });
});
