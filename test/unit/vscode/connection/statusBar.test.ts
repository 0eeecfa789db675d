/** What the status bar and the context keys say. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'mocha';
import { mock } from 'node:test';
import type * as statusBar from '../../../../src/vscode/connection/statusBar.ts';
import { Editor, EventEmitter, finance, pairs, sales } from '../support.ts';

let editor: Editor;
let module: typeof statusBar;
/** Changes of connections, branches and identities, or of sessions. */
let changed: EventEmitter<void>;
beforeEach(async () => {
  [editor, changed] = [new Editor(), new EventEmitter()];
  module = await editor.load('connection/statusBar');
});
afterEach(() => mock.timers.reset());

it('the status bar shows connection and branch if there is a connection, and an identity that is not its own', () => {
  const [branches, identities] = [{ label: 'dev' }, { current: 'me', names: () => ['me', 'ben'] }];
  for (const source of ['connections', 'branches', 'identities', 'settings'] as const) {
    const change = (): void => (source === 'settings' ? editor.fire('onDidChangeConfiguration') : changed.fire());
    const { services } = pairs({ branches, identities });
    for (const name of ['connections', 'branches', 'identities'] as const)
      Object.assign(services[name], { onDidChange: name === source ? changed.event : new EventEmitter().event });
    const items = () => [...editor.statusItems.values()].sort((left, right) => right.priority - left.priority);
    const shown = (): string[] => items().flatMap((item) => (item.shown ? [item.text] : []));
    const status = module.showStatus(services);
    assert.deepEqual(shown(), ['$(plug) sales', '$(analytics-chat) dev']);
    Object.assign(services.identities, { current: 'ben' });
    change();
    assert.deepEqual(shown(), ['$(plug) sales', '$(analytics-chat) dev', '$(account) ben']);
    for (const [at, [what, text, value]] of [
      ['Connection', 'New chats use the one named sales', 'sales'],
      ['Branch', 'Queries run on branch dev', 'dev'],
      ['Identity', 'Questions are asked as ben', 'ben'],
    ].entries()) {
      const { name, command, tooltip, accessibilityInformation } = items()[at]!;
      assert.deepEqual([name, command], [`Analytics Chat: ${what}`, `analyticsChat.switch${what}`]);
      assert.equal(tooltip, `Analytics Chat: ${text}. Click to switch.`);
      assert.equal(accessibilityInformation?.label, `Analytics Chat ${what!.toLowerCase()}: ${value}`);
    }
    Object.assign(services.connections, { current: undefined });
    change();
    assert.deepEqual(shown(), []);
    Object.assign(services.connections, { current: finance });
    Object.assign(services.identities, { current: 'me' });
    change();
    assert.deepEqual(shown(), ['$(plug) finance', '$(analytics-chat) dev']);
    status.dispose();
    assert.equal(editor.statusItems.size, 0);
  }
});

it('context keys say what the active chat has, and that an answer is running in any chat, which a command can stop', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let isRecorded = false;
  const activated = new EventEmitter<void>();
  const two = pairs({
    repository: { isReadOnly: (id: string) => isRecorded && id === 'first' },
    sessions: { onDidChange: changed.event, onDidChangeActive: activated.event },
  });
  const { first, second, services } = two;
  const connect = (current: object | undefined): unknown => Object.assign(services.connections, { current });
  const shown = module.keepContextKeys(services);
  for (const [change, ...expected] of [
    // No thread is active yet.
    [() => changed.fire()],
    [
      () => [Object.assign(services.sessions, { current: first }), changed.fire()],
      ...['chat begun', 'sql some', 'connection set', 'running false'],
    ],
    [() => [(isRecorded = true), activated.fire()], 'chat recorded'],
    [() => [connect(undefined), editor.fire('onDidChangeConfiguration')], 'connection none'],
    [() => [Object.assign(second.thread, { status: 'streaming' }), changed.fire()], 'running true'],
    [
      () => [(isRecorded = false), Object.assign(first.thread, { turns: [] }), changed.fire()],
      ...['chat empty', 'sql none'],
    ],
    [() => changed.fire()],
    [() => [connect(sales), changed.fire(), shown.dispose()]],
  ] as const) {
    change();
    mock.timers.tick(100);
    const keys = editor.executed.splice(0).map((command) => command.join(' ').replace('setContext analyticsChat.', ''));
    assert.deepEqual(keys, expected);
  }
});
