/** The connection wizard, with a stub of the editor. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Connections } from '../../../../src/vscode/connection/connections.ts';
import type { Connector } from '../../../../src/vscode/connection/connector.ts';
import { loadWithEditor, mementoOn } from '../../../support/withEditor.ts';
import { services } from '../../api/support/service.ts';

const { start, closeAll } = services();

interface Setup {
  connectTo(services: object, entry: object | undefined): Promise<boolean>;
}

const log = { addSecret: () => undefined, error: () => undefined, redact: (text: string) => text };

describe('the connection wizard', () => {
  afterEach(closeAll);

  const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const [kind, entered, tested, saved, zoned] of [
    ['API key', 'ana@shop.example', { internalId: 'ana@shop.example' }, []],
    ['API key', 'ben', { externalId: 'ben' }, [{ externalId: 'ben' }]],
    ['API key', 'cleo', { externalId: 'cleo' }, [{ externalId: 'cleo', timezone }], 'with the offered time zone'],
    // The service ignores session settings, but the user may need them again.
    ['Service token', undefined, undefined, []],
  ] as const)
    it(`tests and saves the identity that questions will have: ${entered ?? 'that of a service token'} ${zoned ?? ''}`, async () => {
      const service = await start(({ response }) => response.writeHead(404).end('{}'));
      const written = new Map<string, unknown>();
      const entries = [service.url, 'the-key', entered];
      const { connectTo } = await loadWithEditor<Setup>('vscode/connection/connect.ts', {
        workspace: {
          getConfiguration: () => ({
            update: (key: string, value: unknown) => Promise.resolve(void written.set(key, value)),
          }),
        },
        window: {
          showInputBox: () => Promise.resolve(entries.shift()),
          showQuickPick: (kinds: { label: string }[]) => Promise.resolve(kinds.find(({ label }) => label === kind)),
          showInformationMessage: (_text: string, offer?: string) => Promise.resolve(zoned ? offer : undefined),
        },
      });
      const entry = { name: '', chatApiUrl: '', sessionSettings: { internalId: 'ana@shop.example' } };
      const services = {
        connections: { all: [entry], several: false },
        credentials: { store: () => Promise.resolve('stored') },
        sessions: { active: {} },
        views: { focus: () => Promise.resolve() },
        guarded: (work: () => unknown) => work(),
        log,
      };
      assert.equal(await connectTo(services, entry), true);
      await new Promise(setImmediate);
      assert.deepEqual(
        service.asked.map(({ body }) => body.sessionSettings),
        [tested],
      );
      assert.deepEqual(
        [...written].filter(([key]) => key === 'sessionSettings').map(([, value]) => value),
        saved,
      );
    });
});

describe('the connection wizard for a connection with a token command', () => {
  it('asks for no token, and opens the setting instead of another one', async () => {
    const steps: string[] = [];
    const { connectTo, setApiKey } = await loadWithEditor<Setup & { setApiKey: Setup['connectTo'] }>(
      'vscode/connection/connect.ts',
      {
        workspace: { getConfiguration: () => ({ update: () => Promise.resolve() }) },
        commands: { executeCommand: (_id: string, query: string) => Promise.resolve(steps.push(query)) },
        window: {
          showInputBox: ({ title }: { title: string }) => Promise.resolve((steps.push(title), 'https://a.invalid/x')),
          showQuickPick: (kinds: { label: string }[]) =>
            Promise.resolve(kinds.find(({ label }) => label === 'Service token')),
          showErrorMessage: () => Promise.resolve(),
        },
      },
    );
    const own = { tokenCommand: ['vault', 'token'], sessionSettings: {} };
    const entry = { name: '', chatApiUrl: 'https://a.invalid/x', authentication: 'serviceToken', ...own };
    const at = (origin: string, command: unknown) => {
      steps.push(JSON.stringify([origin, command]));
      return { kind: 'serviceToken', value: '', renew: () => Promise.reject(new Error('failed')) };
    };
    const services = { connections: { several: false }, tokenCommands: { at }, log };
    await connectTo(services, entry);
    await setApiKey(services, entry);
    await setApiKey(services, { ...entry, name: 'Sales' });
    assert.deepEqual(steps, [
      'Analytics Chat: Chat API URL',
      '["https://a.invalid",["vault","token"]]',
      'analyticsChat.tokenCommand',
      'analyticsChat.connections',
    ]);
  });
});

describe('the connection wizard for the URL of a deployment', () => {
  it('says that only service tokens are accepted, and asks for another URL instead of a key', async () => {
    const steps: string[] = [];
    const entries = ['https://agent.example/deployments/1', 'https://agent.example/agents/1'];
    const { connectTo, setApiKey } = await loadWithEditor<Setup & { setApiKey: Setup['connectTo'] }>(
      'vscode/connection/connect.ts',
      {
        window: {
          showInputBox: ({ title }: { title: string }) => Promise.resolve((steps.push(title), entries.shift())),
          showQuickPick: (kinds: { label: string; detail: string }[]) => {
            const key = kinds.find(({ label }) => label === 'API key');
            return Promise.resolve((steps.push(key?.detail ?? ''), key));
          },
        },
      },
    );
    const entry = { name: '', chatApiUrl: 'https://agent.example/deployments/1', authentication: 'apiKey' };
    const expected = [
      'Analytics Chat: Chat API URL',
      'URLs with /deployments/ accept only service tokens. Select this to enter another URL.',
      'Analytics Chat: Chat API URL',
      'Session settings define your identity.',
      'Analytics Chat: API key',
    ];
    await connectTo({}, entry);
    assert.deepEqual(steps.splice(0), expected);
    await setApiKey({}, entry);
    assert.deepEqual(steps, [expected[0]]);
  });
});

describe('the connection wizard for a chat whose connection was removed', () => {
  it('adds a connection instead of replacing that of the setting for one agent', async () => {
    const titles: string[] = [];
    const { connectTo } = await loadWithEditor<Setup>('vscode/connection/connect.ts', {
      window: { showInputBox: ({ title }: { title: string }) => Promise.resolve(void titles.push(title)) },
    });
    const current = { name: '', chatApiUrl: 'https://agent.example', authentication: 'apiKey', dataQueryUrl: '' };
    const services = { connections: { current, all: [current], unusable: [] } };
    assert.equal(await connectTo(services, undefined), false);
    assert.deepEqual(titles, ['Analytics Chat: Connection name']);
    const first = { connections: { current: undefined, all: [], unusable: [] } };
    assert.equal(await connectTo(first, undefined), false);
    assert.equal(titles[1], 'Analytics Chat: Chat API URL');
  });
});

describe('a key that no header can contain', () => {
  it('is rejected where it is entered, which does not show it', async () => {
    const problems: (string | undefined)[] = [];
    const { askSecret } = await loadWithEditor<{ askSecret: (...of: string[]) => Promise<string> }>(
      'vscode/connection/wizardSteps.ts',
      {
        window: {
          showInputBox: ({
            validateInput,
            password,
          }: {
            validateInput: (text: string) => string | undefined;
            password: boolean;
          }) => {
            assert.equal(password, true);
            problems.push(...['', 'Api-Key abc', 'clé', ' abc '].map(validateInput));
            return Promise.resolve('abc');
          },
        },
      },
    );
    await askSecret('', 'apiKey', 'https://agent.example');
    const invalid = 'The key or token is empty or contains spaces or other invalid characters.';
    assert.deepEqual(problems, ['Enter the key or token.', invalid, invalid, undefined]);
  });
});

describe('a key that the keyring rejects', () => {
  afterEach(closeAll);

  it('leaves the settings as they are, unless the user wants to use it for this session', async () => {
    const service = await start(({ response }) => response.writeHead(404).end('{}'));
    const entries = [service.url, 'the-key', 'ben'];
    const { connectTo } = await loadWithEditor<Setup>('vscode/connection/connect.ts', {
      workspace: { getConfiguration: () => ({ update: assert.fail }) },
      window: {
        showInputBox: () => Promise.resolve(entries.shift()),
        showQuickPick: ([first]: object[]) => Promise.resolve(first),
      },
    });
    const services = { credentials: { store: () => Promise.resolve('refused') }, log };
    assert.equal(
      await connectTo(services, { name: '', chatApiUrl: '', sessionSettings: { externalId: 'ben' } }),
      false,
    );
  });
});

describe('a key that fails its test', () => {
  afterEach(closeAll);

  for (const [choice, kept, proposals] of [
    // The message was dismissed.
    [undefined, [], 1],
    ['Connect again', [], 2],
    ['Save anyway', ['stored', 'chatApiUrl', 'authentication', 'sessionSettings'], 1],
  ] as const)
    it(`replaces a working connection only if the user saves it anyway: ${choice ?? 'dismissed'}`, async () => {
      const service = await start(({ response }) => response.writeHead(401).end('{}'));
      const changed: string[] = [];
      const urls: (string | undefined)[] = [];
      const entries = [service.url, 'another-key', 'ben'];
      const done = Promise.withResolvers<unknown>();
      const { connectTo } = await loadWithEditor<Setup>('vscode/connection/connect.ts', {
        workspace: { getConfiguration: () => ({ update: (key: string) => Promise.resolve(void changed.push(key)) }) },
        window: {
          showInputBox: ({ title, value }: { title: string; value?: string }) => {
            if (title.endsWith('URL')) urls.push(value);
            return Promise.resolve(entries.shift());
          },
          showQuickPick: ([first]: object[]) => Promise.resolve(first),
          showErrorMessage: (_message: string, ...buttons: string[]) => {
            assert.deepEqual(buttons, ['Connect again', 'Save anyway', 'Show log']);
            if (choice === undefined) done.resolve(undefined);
            return Promise.resolve(choice);
          },
        },
      });
      const entry = { name: '', chatApiUrl: 'https://agent.example', sessionSettings: { externalId: 'ana' } };
      const services = {
        connections: { all: [entry], several: false },
        credentials: { store: () => Promise.resolve(changed.push('stored') && 'stored') },
        guarded: (work: () => Promise<unknown>) => done.resolve(work()),
        log,
      };
      assert.equal(await connectTo(services, entry), false);
      await done.promise;
      assert.deepEqual(changed, kept);
      assert.deepEqual(urls, ['https://agent.example', service.url].slice(0, proposals));
    });
});

describe('setting a key', () => {
  const data = 'https://data.example';
  const chat = 'https://chat.example';
  const entry = {
    ...{ name: '', chatApiUrl: `${chat}/agent`, authentication: 'apiKey', dataQueryUrl: `${data}/{branch}` },
  };

  /** @returns the origins that the entered key is stored for */
  async function stored(keys: readonly string[], argument?: object): Promise<string[]> {
    const origins: string[] = [];
    const { setApiKeyOf } = await loadWithEditor<{
      setApiKeyOf: (services: object, argument?: object) => Promise<boolean>;
    }>('vscode/connection/connect.ts', {
      window: {
        showInputBox: () => Promise.resolve('the-key'),
        showQuickPick: (items: { label: string }[]) => Promise.resolve(items.at(-1)),
      },
    });
    const store = (origin: string): Promise<string> => Promise.resolve((origins.push(origin), 'stored'));
    await setApiKeyOf(
      {
        credentials: { store },
        connector: {
          credentialFor: (origin: string) => (keys.includes(origin) ? Promise.resolve() : Promise.reject(new Error())),
        },
        sessions: { active: {}, get: (id: string) => (id === '' ? undefined : {}), connectionOf: () => entry },
      },
      argument,
    );
    return origins;
  }

  it('asks for that of the data query API if only that is missing, and lets the user choose if none is', async () => {
    assert.deepEqual(await stored([chat]), [data]);
    assert.deepEqual(await stored([data]), [chat]);
    assert.deepEqual(await stored([chat, data]), [data]);
  });

  it('asks for that of the chat API after a question in a chat', async () => {
    assert.deepEqual(await stored([chat], { threadId: 'a' }), [chat]);
  });
});

describe('signing out', () => {
  it('removes the keys of the chat API and of the data query API', async () => {
    const removed: string[] = [];
    const { signOut } = await loadWithEditor<{ signOut(services: object): Promise<void> }>(
      'vscode/connection/connect.ts',
      { window: { showInformationMessage: () => Promise.resolve() } },
    );
    const current = {
      ...{
        name: '',
        chatApiUrl: 'https://chat.example',
        authentication: 'apiKey',
        dataQueryUrl: 'https://data.example',
      },
    };
    const connections = { current, all: [current], described: () => '' };
    const credentials = { remove: (origin: string) => Promise.resolve(removed.push(origin) > 0) };
    await signOut({ connections, credentials });
    assert.deepEqual(removed, ['https://chat.example', 'https://data.example']);
  });
});

describe('removing the connection of the settings for one agent', () => {
  it('leaves no setting of it to the next one, and changes only settings of the user', async () => {
    const settings = new Map(
      ['chatApiUrl', 'authentication', 'sessionSettings', 'dataQueryUrl'].map((key): [string, unknown] => [key, 'x']),
    );
    type Remove = (name: string) => Promise<void>;
    const path = 'vscode/connection/connections.ts';
    const { removeConnection } = await loadWithEditor<{ removeConnection: Remove }>(path, {
      workspace: {
        getConfiguration: () => ({
          update: (key: string, value: unknown, target: number) => {
            assert.equal(target, 1);
            return Promise.resolve(void settings.set(key, value));
          },
        }),
      },
    });
    await removeConnection('');
    assert.deepEqual(new Set(settings.values()), new Set([undefined]));
  });
});

describe('removing a connection', () => {
  const entryAt = (name: string, host: string) => ({
    ...{ name, chatApiUrl: `https://${host}/agent`, authentication: 'apiKey', dataQueryUrl: '' },
  });
  const messages: string[] = [];

  /** Removes the connection *Staging*. @returns the connections that are left, and the origins of removed keys */
  async function remove(
    others: object[],
    choice: string | undefined,
    keyring: (origin: string) => boolean = () => true,
  ): Promise<[left: number, removed: string[]]> {
    const staging = entryAt('Staging', 'staging.example');
    const connections = { all: [staging, ...others], unusable: [], current: staging, described: () => 'Staging' };
    const removed: string[] = [];
    messages.length = 0;
    let press = (_event: object): void => undefined;
    const pick = {
      ...{ items: [] as { buttons: object[] }[], activeItems: [], hide: () => undefined, dispose: () => undefined },
      onDidTriggerItemButton: (listener: typeof press) => (press = listener),
      onDidAccept: () => undefined,
      onDidHide: (listener: () => undefined) => Object.assign(pick, { hide: listener }),
      show(): void {
        const [item] = pick.items;
        press({ item, button: item?.buttons[1] });
      },
    };
    const { switchConnection } = await loadWithEditor<{ switchConnection: (services: object) => Promise<unknown> }>(
      'vscode/connection/switchConnection.ts',
      {
        ...{ ThemeIcon: class {} },
        workspace: {
          getConfiguration: () => ({
            ...{ get: () => undefined, inspect: () => ({ globalValue: [staging] }) },
            update: () => Promise.resolve(connections.all.shift()),
          }),
        },
        window: {
          createQuickPick: () => pick,
          showWarningMessage: (message: string) => Promise.resolve(messages.push(message) === 1 ? choice : undefined),
        },
      },
    );
    const result = switchConnection({
      connections,
      connector: { credentialFor: () => Promise.resolve() },
      credentials: {
        remove: (origin: string) => Promise.resolve(keyring(origin) && removed.push(origin) > 0),
      },
    });
    const button = (await result) as { act?: () => Promise<void> } | undefined;
    await button?.act?.();
    return [connections.all.length, removed];
  }

  it('removes its key, unless another connection uses it', async () => {
    const other = entryAt('Other', 'other.example');
    assert.deepEqual(await remove([other], 'Remove'), [1, ['https://staging.example']]);
    assert.deepEqual(await remove([other, entryAt('Same', 'staging.example')], 'Remove'), [2, []]);
    const withToken = { ...entryAt('Token', 'staging.example'), authentication: 'serviceToken' };
    assert.deepEqual(await remove([withToken], 'Remove'), [1, ['https://staging.example']]);
    const querying = { ...other, dataQueryUrl: 'https://staging.example/query' };
    assert.deepEqual(await remove([querying], 'Remove'), [1, []]);
  });

  it('changes nothing if the user does not confirm it', async () => {
    assert.deepEqual(await remove([], undefined), [1, []]);
  });

  it('leaves the connection and says so if its key can’t be removed', async () => {
    assert.deepEqual(await remove([], 'Remove', () => false), [1, []]);
    assert.match(messages[1] ?? '', /^The system keyring may still contain the key for https:\/\/staging\.example\./);
  });
});

type MakeConnections = new (context: object, standIn: undefined) => Connections;
/** @param names names of the connections in the settings */
async function connectionsWith(names: () => readonly string[]): Promise<MakeConnections> {
  const entryOf = (name: string): object => ({ name, chatApiUrl: `https://${name.toLowerCase()}.example/agent` });
  const inspect = (key: string) => ({ globalValue: key === 'connections' ? names().map(entryOf) : undefined });
  const { Connections: Made } = await loadWithEditor<{ Connections: MakeConnections }>(
    'vscode/connection/connections.ts',
    { workspace: { getConfiguration: () => ({ get: () => undefined, inspect }) } },
  );
  return Made;
}

describe('the connection of new chats', () => {
  it('becomes that of the workspace with the first question in a new chat, not with one in an older chat', async () => {
    type Make = new (...of: object[]) => Connector;
    const { Connector: Made } = await loadWithEditor<{ Connector: Make }>('vscode/connection/connector.ts', {});
    const entry = { name: 'A', chatApiUrl: 'https://a.example/agent', authentication: 'apiKey' };
    const settled: unknown[] = [];
    const connector = new Made(
      { of: () => entry, settle: (one: object) => Promise.resolve(settled.push(one)) },
      { read: () => Promise.resolve({ state: 'found', credential: { kind: 'apiKey', value: 'k' } }) },
      { main: 'main', current: { name: '', isDefault: true } },
      { on: () => 'dev', settingsOf: () => ({ externalId: 'dev' }) },
      {},
    );
    await connector.connect({ origin: 'https://a.example', connection: 'A' });
    assert.deepEqual(settled, []);
    await connector.connect(undefined);
    assert.deepEqual(settled, [entry]);
  });

  it('is the last choice of any window when the window was opened, until the workspace has its own', async () => {
    const Made = await connectionsWith(() => ['A', 'B', 'C']);
    const memento = (): object => {
      return mementoOn();
    };
    const globalState = memento();
    const workspaceState = memento();
    const one = new Made({ workspaceState: memento(), globalState }, undefined);
    await one.switchTo({ name: 'B' });
    const two = new Made({ workspaceState, globalState }, undefined);
    assert.equal(two.current?.name, 'B');
    // The other window shows the connection that it asks on.
    await one.switchTo({ name: 'C' });
    assert.deepEqual([one.current?.name, two.current.name], ['C', 'B']);
    await two.settle(two.current);
    // A question in a chat of another connection.
    await two.settle(one.current!);
    assert.equal(new Made({ workspaceState, globalState }, undefined).current?.name, 'B');
  });

  it('is named beside a chat only if there are several, and the chat has one', async () => {
    let names = ['A', 'B'];
    const Made = await connectionsWith(() => names);
    const memento = { get: () => undefined };
    const connections = new Made({ workspaceState: memento, globalState: memento }, undefined);
    const home = { origin: 'https://a.example', connection: 'A' };
    const labels = (): string[] => [home, { ...home, origin: '' }].map((at) => connections.label(at));
    assert.deepEqual(labels(), ['A', '']);
    names = ['A'];
    assert.deepEqual(labels(), ['', '']);
    // The connection of the chat was removed.
    names = ['B'];
    assert.deepEqual(labels(), ['A', '']);
  });
});
