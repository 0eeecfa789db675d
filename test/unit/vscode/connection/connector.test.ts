/** The connection of a request: its credential, its settings and its place, with two connections. */
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { beforeEach, describe, it } from 'mocha';
import type * as connecting from '../../../../src/vscode/connection/connector.ts';
import type * as development from '../../../../src/vscode/connection/development.ts';
import type * as commands from '../../../../src/vscode/connection/tokenCommands.ts';
import { Editor, finance, homeOf, loadWithEditor, onDev, pairs, sales } from '../support.ts';
import type { ConnectionEntry, Home, QuestionContext } from '../support.ts';

const command = [process.execPath, '-p', '"token-of-the-command"'] as const;
const refusal = { kind: 'badRequest', message: /^A service token identifies its user/ };
const now = { branch: 'now', isDefaultBranch: false, identity: 'me' };

describe('a connection for a request', () => {
  let editor: Editor;
  let entries: ConnectionEntry[];
  /** Connections that have become that of the workspace. */
  let chosen: string[];
  /** Origins and kinds of credentials that were read, and those that are stored. */
  let read: string[];
  let stored: Record<string, string>;
  /** Session settings of the identities. */
  let settings: Record<string, object>;
  let variables: object;
  let redacted: string[];
  let connector: connecting.Connector;

  beforeEach(async () => {
    [editor, entries, chosen, read, redacted] = [new Editor(), [sales, finance], [], [], []];
    [stored, settings, variables] = [{}, { me: { externalId: 'me' }, ana: { externalId: 'ana' } }, {}];
    for (const origin of ['https://sales.example', 'https://finance.example']) stored[origin] = `key of ${origin}`;
    await make();
  });
  async function make(): Promise<void> {
    type Modules = typeof connecting & typeof commands;
    const module = await editor.load<Modules>('connection/connector', 'connection/tokenCommands');
    const { services } = pairs({
      connections: {
        get current() {
          return entries[0];
        },
        of: (home?: Home) => (home ? entries.find(({ name }) => name === home.connection) : entries[0]),
        settle: ({ name }: ConnectionEntry) => Promise.resolve(chosen.push(name)),
      },
      credentials: {
        read: (origin: string, kind: string) => {
          read.push(`${kind} ${origin}`);
          const value = stored[origin];
          return Promise.resolve(value ? { state: 'found', credential: { kind, value } } : { state: 'lost' });
        },
      },
      identities: { settingsOf: (name: string) => settings[name] },
    });
    const { connections, credentials, branches, identities } = services;
    const tokens = new module.TokenCommands((token) => redacted.push(token));
    connector = new module.Connector(connections, credentials, branches, identities, variables, tokens);
  }

  it('is that of its chat with the context of its question, or the current one, which becomes that of the workspace', async () => {
    settings = { ...settings, ben: { externalId: 'ben' } };
    for (const [home, context, expected, identity] of [
      [homeOf(finance), onDev, onDev, 'ana'],
      [homeOf(finance), undefined, { ...now, identity: 'ben' }, 'ben'],
      [undefined, undefined, now, 'me'],
    ] as const) {
      const { client, home: own, ...found } = await connector.connect(home, context);
      assert.deepEqual(own, home ?? homeOf(sales));
      assert.deepEqual([found.context, found.sessionSettings], [expected, { externalId: identity }]);
      assert.equal(new URL(client.addresses.stream).origin, own.origin);
      assert.equal(read.pop(), `apiKey ${own.origin}`);
      assert.deepEqual(chosen, home ? [] : ['sales']);
      assert.deepEqual(connector.context(home), { ...now, identity: home ? 'ben' : 'me' });
    }
  });

  it('waits for the next line as long as the setting says', async () => {
    editor.settings = { stallTimeout: 9 };
    assert.equal((await connector.connect(undefined)).stallTimeout, 9000);
  });

  it('is missing if there is none, or the chat belongs to another one, which is named', async () => {
    const gone = { origin: 'https://gone.example', connection: 'Gone' };
    await assert.rejects(connector.connect(gone), /to Gone \(https:\/\/gone\.example\), which has no connection/);
    await assert.rejects(connector.connect({ ...gone, connection: '' }), /belongs to https:\/\/gone\.example, /);
    assert.equal(connector.context(gone), undefined);
    entries = [];
    const none = { kind: 'badRequest', code: 'NOT_CONNECTED', message: /^There is no connection yet/ };
    for (const home of [gone, undefined]) await assert.rejects(connector.dataQuery(home), none);
    [stored, entries] = [{}, [sales]];
    const lost = { kind: 'auth', code: 'NO_KEY', message: /no longer returns it/ };
    await assert.rejects(connector.connect(undefined), lost);
  });

  it('has authoring off for tests and tools, in chats by a setting, and otherwise as the session settings say', async () => {
    settings['ana'] = { externalId: 'ana', allowChatWorkspaceAuthoring: true };
    const may = async (identity: string, mayAuthor?: boolean) => {
      const { sessionSettings } = await connector.connect(undefined, { ...now, identity }, mayAuthor);
      return sessionSettings?.allowChatWorkspaceAuthoring;
    };
    assert.deepEqual([await may('me'), await may('me', false)], [undefined, false]);
    editor.settings = { allowAuthoring: false };
    assert.deepEqual([await may('me'), await may('ana'), await may('ana', false)], [false, true, true]);
  });

  it('for a data query has the credential of its own URL and the context of the question', async () => {
    stored['https://query.example'] = 'another key';
    settings['ben'] = { externalId: 'ben' };
    entries = [sales, { ...finance, dataQueryUrl: 'https://query.example/{branch}' }];
    for (const context of [undefined, onDev]) {
      // The current connection is another one.
      const { credential, mainBranch, ...found } = await connector.dataQuery(homeOf(finance), context);
      assert.deepEqual([credential.value, mainBranch], ['another key', 'main']);
      assert.equal(read.pop(), 'apiKey https://query.example');
      const expected = context ? ['dev', { externalId: 'ana' }] : ['now', { externalId: 'ben' }];
      assert.deepEqual([found.activeBranchName, found.sessionSettings], expected);
    }
  });

  it('with a service token is one of its user only, who has no session settings', async () => {
    entries = [{ ...sales, authentication: 'serviceToken' }, finance];
    const context: QuestionContext = { ...now, identity: 'ana' };
    await assert.rejects(connector.connect(homeOf(sales), context), refusal);
    await assert.rejects(connector.dataQuery(homeOf(sales), context), refusal);
    const { context: asked, sessionSettings } = await connector.connect(homeOf(sales));
    assert.deepEqual([asked.identity, sessionSettings], ['me', undefined]);
  });

  it('runs a token command for the origin of its chat API only, not in Restricted Mode, and redacts its token', async () => {
    const tokenAt = async (origin: string, authentication: 'apiKey' | 'serviceToken'): Promise<string> => {
      const all = { ...sales, authentication, tokenCommand: command };
      const { value, renew } = await connector.credentialFor(origin, authentication, all);
      return renew ? renew() : value;
    };
    editor.isTrusted = false;
    const restricted = { kind: 'auth', message: /Restricted Mode/ };
    await assert.rejects(tokenAt('https://sales.example', 'serviceToken'), restricted);
    editor.isTrusted = true;
    assert.equal(await tokenAt('https://sales.example', 'serviceToken'), 'token-of-the-command');
    assert.deepEqual(redacted, ['token-of-the-command']);
    // It runs again only for another origin, or if it is another command.
    const { TokenCommands } = await editor.load<typeof commands>('connection/tokenCommands');
    const tokens = new TokenCommands((token) => redacted.push(token));
    const second = [process.execPath, '-p', '"second"'] as const;
    const [a, b, other] = [tokens.at('a', command), tokens.at('b', command), tokens.at('a', second)];
    for (const each of [a, tokens.at('a', command), b, other]) await each.renew!();
    assert.deepEqual(redacted.slice(1), ['token-of-the-command', 'token-of-the-command', 'second']);
    assert.equal(await tokens.at('a', [process.execPath, '-p', 'process.cwd()']).renew!(), homedir());
    const { process: own } = globalThis;
    Object.assign(globalThis, { process: undefined });
    const onWeb = tokens.at('c', command).renew!();
    Object.assign(globalThis, { process: own });
    await assert.rejects(onWeb, /doesn’t run in the browser/);
    assert.equal(await tokenAt('https://finance.example', 'serviceToken'), 'key of https://finance.example');
    assert.equal(await tokenAt('https://sales.example', 'apiKey'), 'key of https://sales.example');
  });

  it('has the key of the environment only at the URL of the environment, and not in production', async () => {
    const all = { ANALYTICS_CHAT_API_URL: 'https://dev.example/chat', ANALYTICS_CHAT_API_KEY: 'key-of-dev' };
    const { developmentConnection } = await loadWithEditor<typeof development>('vscode/connection/development.ts', {});
    const before = { ...process.env };
    Object.assign(process.env, all);
    try {
      assert.deepEqual(developmentConnection(1), {});
      for (const mode of [2, 3]) variables = developmentConnection(mode);
    } finally {
      for (const name of Object.keys(all)) delete process.env[name];
      Object.assign(process.env, before);
    }
    await make();
    const key = { kind: 'apiKey', value: 'key-of-dev' };
    assert.deepEqual(await connector.credentialFor('https://dev.example', 'apiKey'), key);
    await assert.rejects(connector.credentialFor('https://evil.example', 'apiKey'), /key for https:\/\/evil/);
  });
});
