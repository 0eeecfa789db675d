/** Which connection new chats use, and what is left when one is removed. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as switching from '../../../../src/vscode/connection/switchConnection.ts';
import type * as made from '../../../../src/vscode/connection/connections.ts';
import { Editor, mementoOn, pairs, type ConnectionEntry } from '../support.ts';

const entryAt = (name: string, host: string, fields: Partial<ConnectionEntry> = {}): ConnectionEntry => ({
  ...{ name, chatApiUrl: `https://${host}/agent`, authentication: 'apiKey', dataQueryUrl: '' },
  ...fields,
});
const staging = entryAt('Staging', 'staging.example');
const other = entryAt('Other', 'other.example');

/**
 * Switches connections in a chat on one of them.
 * @returns the result, and what was done: settings written, keys removed, connections switched to
 */
async function run(
  editor: Editor,
  world: { all?: ConnectionEntry[]; stuck?: boolean; entry?: object; connections?: object } = {},
  argument?: string,
): Promise<{ result: unknown; done: string[] }> {
  const { all = [staging, other], stuck = false, entry = staging, connections } = world;
  const isFromEnvironment = connections !== undefined;
  editor.settings = { connections: all, ...(all[0]?.name === '' && !isFromEnvironment && { chatApiUrl: 'https://a' }) };
  editor.written.push = (...written) => {
    const [[key, value] = ['']] = written as [string, ConnectionEntry[] | undefined][];
    return done.push([key, ...(value?.map(({ name }) => name) ?? [])].join(' '));
  };
  const { switchConnection } = await editor.load<typeof switching>('connection/switchConnection');
  const { done, services } = pairs({
    connections: {
      ...{ all, unusable: [{ label: 'Broken', problem: 'No URL.' }], current: { ...staging }, ...connections },
    },
    connector: {
      credentialFor: (origin: string) => (origin.includes('staging') ? Promise.resolve() : Promise.reject(new Error())),
    },
    credentials: { remove: (origin: string) => Promise.resolve(!stuck && done.push(`remove ${origin}`) > 0) },
    sessions: { connectionOf: () => entry },
  });
  return { result: await switchConnection(services, argument), done };
}

describe('switching connections', () => {
  const key = 'remove https://staging.example';
  const withToken = entryAt('Token', 'staging.example', { authentication: 'serviceToken' });
  const querying = { ...other, dataQueryUrl: 'https://staging.example/query' };
  for (const [what, others, expected] of [
    ['removes its key', [other], [key, 'connections Other']],
    ['keeps a key that another connection uses', [entryAt('Same', 'staging.example')], ['connections Same']],
    ['removes a key beside a token for the same service', [withToken], [key, 'connections Token']],
    ['keeps a key that another connection queries with', [querying], ['connections Other']],
  ] as const)
    it(`${what} with the button that removes one`, async () => {
      const editor = Object.assign(new Editor(), { picks: ['Remove of Staging'], answers: ['Remove'] });
      assert.deepEqual((await run(editor, { all: [staging, ...others] })).done, expected);
    });

  it('removes nothing without a confirmation, or if the key can’t be removed, and says so', async () => {
    const editor = Object.assign(new Editor(), { picks: ['Remove of Staging', 'Remove of Staging'] });
    editor.answers = [undefined, 'Remove'];
    for (const stuck of [false, true]) assert.deepEqual((await run(editor, { stuck })).done, []);
    assert.match(editor.details[0]!, /^Its chats stay in the history/);
    assert.deepEqual(
      editor.messages.slice(0, 2),
      Array(2).fill('Remove the connection the one named Staging? [Remove]'),
    );
    assert.match(editor.messages[2]!, /^The system keyring may still contain the key for https:\/\/staging\.example\./);
  });

  it('leaves no setting of the connection without a name to the next one', async () => {
    const editor = Object.assign(new Editor(), { picks: ['Remove of agent.example'], answers: ['Remove'] });
    const { done } = await run(editor, { all: [entryAt('', 'agent.example'), other] });
    const settings = ['chatApiUrl', 'authentication', 'sessionSettings', 'tokenCommand', 'dataQueryUrl'];
    assert.deepEqual(done, ['remove https://agent.example', ...settings]);
  });

  it('lists each with the state of its key, and switches new chats, while the open chat keeps its own', async () => {
    const editor = Object.assign(new Editor(), { picks: ['Other', undefined], answers: ['New chat'] });
    assert.deepEqual(await run(editor), { result: 'Other', done: ['switch to Other'] });
    const actions = ['Add connection…', 'Edit connections in the settings…'];
    assert.deepEqual(editor.offered[0], ['Staging', 'Other', 'Broken', '', ...actions]);
    assert.deepEqual(editor.described[0]?.slice(0, 2), ['current', '']);
    const address = (name: string): string => `${name}.example/agent`;
    const details = [`${address('staging')} · API key stored`, `${address('other')} · no API key`, 'No URL.'];
    assert.deepEqual(editor.detailed[0]?.slice(0, 3), details);
    assert.deepEqual(editor.messages, ['New chats use Other. The open chat keeps its connection. [New chat]']);
    assert.deepEqual(editor.executed, [['analyticsChat.newChat']]);
    assert.deepEqual(await run(editor), { result: undefined, done: [] });
    assert.deepEqual(await run(editor, { entry: other }, 'Other'), { result: 'Other', done: ['switch to Other'] });
    assert.equal(editor.messages.length, 1, 'the open chat is on that connection');
    await run(editor, {}, 'Other');
    assert.deepEqual([editor.messages.length, editor.executed.length], [2, 1]);
    await assert.rejects(run(editor, {}, 'Third'), /no connection named “Third”/);
  });
});

describe('the list of connections', () => {
  const token = { authentication: 'serviceToken' } as const;
  const command = { ...token, tokenCommand: ['x'] } as const;
  const entries = [staging, { ...staging, ...token }, { ...other, ...token }, { ...other, ...command }];
  const numbered = entries.map((entry, at) => ({ ...entry, name: `${entry.name} ${at}` }));
  const all = [entryAt('', 'dev.example'), ...numbered];
  for (const [pick, prompts, executed] of [
    ['Edit of Other 2', ['Analytics Chat: Chat API URL (Other 2)'], []],
    ['Add connection…', ['Analytics Chat: Connection name'], []],
    ['Edit connections in the settings…', [], ['analyticsChat.connections']],
    ['Broken', [], ['analyticsChat.connections']],
    // That of the environment is in no settings.
    ['Remove of dev.example', [], []],
  ] as const)
    it(`focuses the current one, says which have a key, and has ${pick}`, async () => {
      const editor = Object.assign(new Editor(), { picks: [pick] });
      let focused: object[] = [];
      editor.onType = ({ activeItems }) => (focused = activeItems);
      const { done } = await run(editor, { all, connections: { current: { ...all[1]! } } });
      assert.deepEqual([editor.prompts.slice(1), editor.executed.map(([, query]) => query)], [prompts, executed]);
      assert.deepEqual([editor.messages, done], [[], []]);
      assert.deepEqual([focused.length, (focused[0] as { entry?: object }).entry], [1, all[1]]);
      const keys = editor.detailed[0]?.slice(0, 5).map((detail) => detail.split(' · ')[1]);
      const tokens = ['service token stored', 'no service token', 'service token from a command'];
      assert.deepEqual(keys, ['no API key', 'API key stored', ...tokens]);
    });

  it('is shown without a current one too, if some are invalid, and otherwise asks for the first one', async () => {
    const editor = new Editor();
    for (const unusable of [[{ label: 'Broken', problem: 'No URL.' }], []])
      await run(editor, { all: [], connections: { unusable, current: undefined } });
    assert.deepEqual(editor.prompts, ['Analytics Chat: Switch Connection', 'Analytics Chat: Chat API URL']);
  });
});

describe('the connection of new chats', () => {
  let editor: Editor;
  let windowOn: (workspaceState?: object, globalState?: object, standIn?: string) => made.Connections;
  const configure = (...names: string[]): void =>
    void (editor.settings = { connections: names.map((name) => entryAt(name, `${name.toLowerCase()}.example`)) });

  beforeEach(async () => {
    editor = new Editor();
    const { Connections: Made } = await editor.load<typeof made>('connection/connections');
    windowOn = (workspaceState = mementoOn(), globalState = mementoOn(), standIn) =>
      new Made({ workspaceState, globalState } as never, standIn);
  });

  it('is the last choice of any window when the window was opened, until the workspace has its own', async () => {
    configure('A', 'B', 'C');
    const [globalState, workspaceState] = [mementoOn(), mementoOn()];
    const one = windowOn(mementoOn(), globalState);
    let changes = 0;
    one.onDidChange(() => (changes += 1));
    await one.switchTo({ name: 'B' });
    assert.equal(changes, 1);
    const two = windowOn(workspaceState, globalState);
    assert.equal(two.current?.name, 'B');
    // The other window shows the connection that it asks on.
    await one.switchTo({ name: 'C' });
    assert.deepEqual([one.current?.name, two.current.name], ['C', 'B']);
    await two.settle(two.current);
    // A question in a chat of another connection.
    await two.settle(one.current!);
    assert.equal(windowOn(workspaceState, globalState).current?.name, 'B');
  });

  it('comes first with the settings of its own, before those with names', async () => {
    const authentication = 'serviceToken';
    const own = {
      ...{ chatApiUrl: 'https://own.example/agent', dataQueryUrl: 'https://own.example/q', authentication },
      ...{ tokenCommand: ['vault', 'token'], sessionSettings: { externalId: 'dev' } },
    };
    editor.settings = { ...own, connections: [staging, other] };
    for (const standIn of [undefined, 'https://dev.example/agent']) {
      const { all } = windowOn(mementoOn(), mementoOn(), standIn);
      assert.deepEqual(all, [{ name: '', ...own }, staging, other]);
    }
    editor.settings = {};
    assert.deepEqual(windowOn(mementoOn(), mementoOn(), 'https://dev.example/agent').all, [entryAt('', 'dev.example')]);
  });

  it('is named beside a chat only if there are several, and the chat has one', async () => {
    const connections = windowOn();
    const home = { origin: 'https://a.example', connection: 'A' };
    // The last one is that after the connection of the chat was removed.
    for (const [configured, expected, described] of [
      [['A', 'B'], ['A', '', 'gone.example'], 'A (https://a.example)'],
      [['A'], ['', '', 'gone.example'], 'https://a.example'],
      [['B'], ['A', '', 'gone.example'], 'https://a.example'],
    ] as const) {
      configure(...configured);
      const homes = [home, { ...home, origin: '' }, { origin: 'https://gone.example', connection: '' }];
      const labels = homes.map((at) => connections.label(at));
      assert.deepEqual(labels, expected);
      assert.equal(connections.described(entryAt('A', 'a.example')), described);
    }
    assert.equal(connections.described({ ...staging, chatApiUrl: 'invalid' }), 'invalid');
    editor.settings = { chatApiUrl: 'https://own.example/agent', connections: [staging] };
    assert.equal(connections.described(entryAt('', 'own.example')), 'https://own.example');
  });
});
