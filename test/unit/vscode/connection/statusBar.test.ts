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
let current: object | undefined;
beforeEach(async () => {
  [editor, changed, current] = [new Editor(), new EventEmitter(), sales];
  module = await editor.load('connection/statusBar');
});
afterEach(() => mock.timers.reset());
const connections = {
  get current() {
    return current;
  },
  described: ({ name }: { name: string }) => `the one named ${name}`,
};

it('the status bar shows connection and branch if there is a connection, and an identity that is not its own', () => {
  const [branches, identities] = [{ label: 'dev' }, { current: 'me', names: () => ['me', 'ben'] }];
  for (const source of ['connections', 'branches', 'identities', 'settings'] as const) {
    const change = (): void => (source === 'settings' ? editor.fire('onDidChangeConfiguration') : changed.fire());
    const { services } = pairs({ connections, branches, identities });
    for (const name of ['connections', 'branches', 'identities'] as const)
      Object.assign(services[name], { onDidChange: name === source ? changed.event : new EventEmitter().event });
    const items = () => [...editor.statusItems.values()].sort((left, right) => right.priority - left.priority);
    const shown = (): string[] => items().flatMap((item) => (item.shown ? [item.text] : []));
    const status = module.showStatus(services);
    assert.deepEqual(shown(), ['$(plug) sales', '$(analytics-chat) dev']);
    Object.assign(services.identities, { current: 'ben' });
    change();
    assert.deepEqual(shown(), ['$(plug) sales', '$(analytics-chat) dev', '$(account) ben']);
    const said = items().map(({ name, command, tooltip, accessibilityInformation }) =>
      [`${name}: ${command}`, tooltip, accessibilityInformation?.label].join('\n'),
    );
    assert.deepEqual(said, [
      `Analytics Chat: Connection: analyticsChat.switchConnection
Analytics Chat: New chats use the one named sales. Click to switch.
Analytics Chat connection: sales`,
      `Analytics Chat: Branch: analyticsChat.switchBranch
Analytics Chat: Queries run on branch dev. Click to switch.
Analytics Chat branch: dev`,
      `Analytics Chat: Identity: analyticsChat.switchIdentity
Analytics Chat: Questions are asked as ben. Click to switch.
Analytics Chat identity: ben`,
    ]);
    current = undefined;
    change();
    assert.deepEqual(shown(), ['$(account) ben'].slice(1));
    current = finance;
    Object.assign(services.identities, { current: 'me' });
    change();
    assert.deepEqual(shown(), ['$(plug) finance', '$(analytics-chat) dev']);
    current = sales;
    status.dispose();
    assert.equal(editor.statusItems.size, 0);
  }
});

it('context keys say what the active chat has, and that an answer is running in any chat, which a command can stop', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let isRecorded = false;
  const activated = new EventEmitter<void>();
  const two = pairs({
    connections,
    repository: { isReadOnly: (id: string) => isRecorded && id === 'first' },
    sessions: { onDidChange: changed.event, onDidChangeActive: activated.event },
  });
  const { first, second, services } = two;
  const shown = module.keepContextKeys(services);
  for (const [change, ...expected] of [
    // No thread is active yet.
    [() => changed.fire()],
    [
      () => [Object.assign(services.sessions, { current: first }), changed.fire()],
      ...['chat begun', 'sql some', 'connection set', 'running false'],
    ],
    [() => [(isRecorded = true), activated.fire()], 'chat recorded'],
    [() => [(current = undefined), editor.fire('onDidChangeConfiguration')], 'connection none'],
    [() => [Object.assign(second.thread, { status: 'streaming' }), changed.fire()], 'running true'],
    [
      () => [(isRecorded = false), Object.assign(first.thread, { turns: [] }), changed.fire()],
      ...['chat empty', 'sql none'],
    ],
    [() => changed.fire()],
    [() => [(current = sales), changed.fire(), shown.dispose()]],
  ] as const) {
    change();
    mock.timers.tick(100);
    assert.deepEqual(
      editor.executed.splice(0).map((command) => command.join(' ')),
      expected.map((key) => `setContext analyticsChat.${key}`),
    );
  }
});
