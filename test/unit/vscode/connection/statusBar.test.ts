/** What the status bar and the context keys say. */
import assert from 'node:assert/strict';
import { beforeEach, it } from 'mocha';
import type * as statusBar from '../../../../src/vscode/connection/statusBar.ts';
import { EventEmitter } from '../../../support/editorValues.ts';
import { becomes } from '../../../support/until.ts';
import { Editor } from '../editor.ts';
import { finance, pairs, sales } from '../pairs.ts';

let editor: Editor;
let module: typeof statusBar;
/** Changes of connections, branches and identities, or of sessions. */
let changed: EventEmitter<void>;
let current: object | undefined;
beforeEach(async () => {
  [editor, changed, current] = [new Editor(), new EventEmitter(), sales];
  module = await editor.load('connection/statusBar');
});
const connections = {
  get current() {
    return current;
  },
  described: ({ name }: { name: string }) => `the one named ${name}`,
};

it('the status bar shows connection and branch if there is a connection, and an identity that is not its own', () => {
  const [branches, identities] = [{ label: 'dev' }, { current: 'me', names: () => ['me', 'ben'] }];
  const onDidChange = (): { dispose: () => void } => ({ dispose: () => undefined });
  for (const [at, change] of [
    () => changed.fire(),
    () => changed.fire(),
    () => changed.fire(),
    () => editor.fire('onDidChangeConfiguration'),
  ].entries()) {
    const events = [0, 1, 2].map((each) => ({ onDidChange: each === at ? changed.event : onDidChange }));
    const { services } = pairs({ connections, branches, identities } as never);
    Object.assign(services.connections, events[0]);
    Object.assign(services.branches, events[1]);
    Object.assign(services.identities, events[2]);
    const shown = (): string[] => [...editor.statusItems.values()].flatMap((item) => (item.shown ? [item.text] : []));
    const status = module.showStatus(services);
    assert.deepEqual(shown(), ['$(plug) sales', '$(analytics-chat) dev']);
    Object.assign(services.identities, { current: 'ben' });
    change();
    assert.deepEqual(shown(), ['$(plug) sales', '$(analytics-chat) dev', '$(account) ben']);
    const said = [...editor.statusItems.values()].map(({ command, tooltip, accessibilityInformation }) =>
      [command, tooltip, accessibilityInformation?.label].join('\n'),
    );
    assert.deepEqual(said, [
      `analyticsChat.switchConnection
Analytics Chat: New chats use the one named sales. Click to switch.
Analytics Chat connection: sales`,
      `analyticsChat.switchBranch
Analytics Chat: Queries run on branch dev. Click to switch.
Analytics Chat branch: dev`,
      `analyticsChat.switchIdentity
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

it('context keys say what the active chat has, and that an answer is running in any chat, which a command can stop', async () => {
  const keys = (): unknown => Object.fromEntries(editor.executed.map(([, key, value]) => [key, value]));
  let isRecorded = false;
  const activated = new EventEmitter<void>();
  const two = pairs({
    connections,
    repository: { isReadOnly: (id: string) => isRecorded && id === 'first' },
    sessions: { onDidChange: changed.event, onDidChangeActive: activated.event },
  });
  const shown = module.keepContextKeys(two.services);
  changed.fire();
  for (const [change, expected] of [
    [() => [(isRecorded = true), activated.fire()], ['begun', 'some', 'set', false]],
    [() => [(current = undefined), editor.fire('onDidChangeConfiguration')], ['recorded', 'some', 'set', false]],
    [() => undefined, ['recorded', 'some', 'none', false]],
    [() => Object.assign(two.second, { thread: { ...two.second.thread, status: 'streaming' } }), undefined],
    [() => [(isRecorded = false), Object.assign(two.first, { thread: { ...two.first.thread, turns: [] } })], undefined],
    [() => shown.dispose(), ['empty', 'none', 'none', true]],
    [() => undefined, undefined],
  ] as const) {
    Object.assign(two.services.sessions, { current: two.first });
    if (expected) {
      const [chat, sql, connection, running] = expected;
      const all = { chat, sql, connection, running };
      const named = Object.entries(all).map(([name, value]) => [`analyticsChat.${name}`, value]);
      await becomes(() => [keys()], [Object.fromEntries(named)]);
    }
    change();
    if (!expected) changed.fire();
  }
  const before = editor.executed.length;
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(editor.executed.length, before, 'each key is set only when it changes');
});
