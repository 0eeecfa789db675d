/**
 * Keyrings fail in several ways that real ones can't be made to here, so these stubs replace VS Code's SecretStorage.
 */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { Credentials } from '../../../../src/vscode/connection/credentials.ts';
import type { Connector } from '../../../../src/vscode/connection/connector.ts';
import type { TokenCommands } from '../../../../src/vscode/connection/tokenCommands.ts';
import type { Log } from '../../../../src/vscode/host/log.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

const ORIGIN = 'https://agent.example';
const key = { kind: 'apiKey' as const, value: 'secret-key-1' };

class Keyring {
  readonly kept = new Map<string, string>();
  readonly #listeners: ((event: { key: string }) => void)[] = [];
  reads = 0;
  get = (name: string): Promise<string | undefined> => {
    this.reads += 1;
    return Promise.resolve(this.kept.get(name));
  };
  store = (name: string, value: string): Promise<void> => {
    this.kept.set(name, value);
    return this.#tell(name);
  };
  delete = (name: string): Promise<void> => {
    this.kept.delete(name);
    return this.#tell(name);
  };
  onDidChange = (listener: (event: { key: string }) => void): void => void this.#listeners.push(listener);
  async #tell(key: string): Promise<void> {
    await Promise.resolve();
    for (const listener of this.#listeners) listener({ key });
  }
}

class Changes {
  readonly noted = new Map<string, number>();
  last = (slot: string): Promise<number> => Promise.resolve(this.noted.get(slot) ?? 0);
  note = (slot: string, at: number): Promise<void> => Promise.resolve(void this.noted.set(slot, at));
}

function credentialsOn(keyring: Keyring, state = new Map<string, unknown>(), changes = new Changes()) {
  const globalState = {
    get: (name: string, otherwise: unknown) => state.get(name) ?? otherwise,
    update: (name: string, value: unknown) => Promise.resolve(void state.set(name, value)),
  };
  const hidden: string[] = [];
  const errors: unknown[] = [];
  const log = { addSecret: (text: string) => hidden.push(text), error: (...all: unknown[]) => errors.push(...all) };
  const context = { secrets: keyring, globalState, subscriptions: [] } as unknown as vscode.ExtensionContext;
  return { credentials: new Credentials(context, log as unknown as Log, changes), hidden, errors, state };
}

describe('credentials', () => {
  afterEach(() => mock.timers.reset());

  it('are returned for their own origin only', async () => {
    const { credentials } = credentialsOn(new Keyring());
    assert.equal(await credentials.store(ORIGIN, key), 'stored');
    assert.deepEqual(await credentials.read(ORIGIN, 'apiKey'), { state: 'found', credential: key });
    assert.deepEqual(await credentials.read('https://agent.example:8443', 'apiKey'), { state: 'none' });
    assert.deepEqual(await credentials.read('https://evil.example', 'apiKey'), { state: 'none' });
  });

  it('of two kinds for one origin are separate', async () => {
    const { credentials } = credentialsOn(new Keyring());
    const token = { kind: 'serviceToken' as const, value: 'secret-token-1' };
    await credentials.store(ORIGIN, key);
    assert.deepEqual(await credentials.read(ORIGIN, 'serviceToken'), { state: 'none' });
    await credentials.store(ORIGIN, token);
    assert.deepEqual(await credentials.read(ORIGIN, 'apiKey'), { state: 'found', credential: key });
    assert.deepEqual(await credentials.read(ORIGIN, 'serviceToken'), { state: 'found', credential: token });
    await credentials.remove(ORIGIN, 'apiKey');
    assert.deepEqual(await credentials.read(ORIGIN, 'serviceToken'), { state: 'found', credential: token });
  });

  it('are not used as another kind, whatever the keyring returns', async () => {
    const keyring = new Keyring();
    const { credentials } = credentialsOn(keyring);
    await credentials.store(ORIGIN, key);
    for (const name of keyring.kept.keys())
      keyring.kept.set(name, JSON.stringify({ kind: 'serviceToken', value: 'secret-token-1', at: Date.now() }));
    assert.equal((await credentials.read(ORIGIN, 'apiKey')).state, 'lost');
  });

  it('are stored only in the keyring', async () => {
    const { credentials, state, hidden } = credentialsOn(new Keyring());
    await credentials.store(ORIGIN, key);
    assert.equal(JSON.stringify([...state]).includes(key.value), false);
    assert.ok(hidden.includes(key.value), 'the log must know what to leave out');
  });

  it('that an earlier window has stored are redacted from the log as soon as they are read', async () => {
    const keyring = new Keyring();
    await credentialsOn(keyring).credentials.store(ORIGIN, key);
    const { credentials, hidden } = credentialsOn(keyring);
    await credentials.read(ORIGIN, 'apiKey');
    assert.deepEqual(hidden, [key.value]);
  });

  it('that the keyring forgets are reported', async () => {
    const keyring = new Keyring();
    keyring.store = () => Promise.resolve();
    assert.equal(await credentialsOn(keyring).credentials.store(ORIGIN, key), 'forgotten');
  });

  it('that the keyring rejects are reported, and nothing is stored', async () => {
    const keyring = new Keyring();
    keyring.store = () => Promise.reject(new Error('locked'));
    const { credentials, errors } = credentialsOn(keyring);
    assert.equal(await credentials.store(ORIGIN, key), 'refused');
    assert.deepEqual(await credentials.read(ORIGIN, 'apiKey'), { state: 'none' });
    assert.equal(JSON.stringify(errors).includes(key.value), false);
  });

  it('that were lost are distinguished from those that were never stored', async () => {
    const keyring = new Keyring();
    const { credentials } = credentialsOn(keyring);
    await credentials.store(ORIGIN, key);
    keyring.kept.clear();
    const found = await credentials.read(ORIGIN, 'apiKey');
    assert.equal(found.state, 'lost');
  });

  it('in an unreadable keyring are reported', async () => {
    const keyring = new Keyring();
    keyring.get = () => Promise.reject(new Error('locked'));
    assert.deepEqual(await credentialsOn(keyring).credentials.read(ORIGIN, 'apiKey'), { state: 'unreadable' });
  });

  it('that were changed here are noticed without an event of VS Code', async () => {
    const keyring = new Keyring();
    keyring.onDidChange = () => undefined;
    const { credentials } = credentialsOn(keyring);
    await credentials.store(ORIGIN, key);
    assert.deepEqual(await credentials.read(ORIGIN, 'apiKey'), { state: 'found', credential: key });
    const next = { ...key, value: 'secret-key-2' };
    await credentials.store(ORIGIN, next);
    assert.deepEqual(await credentials.read(ORIGIN, 'apiKey'), { state: 'found', credential: next });
    await credentials.remove(ORIGIN, 'apiKey');
    assert.deepEqual(await credentials.read(ORIGIN, 'apiKey'), { state: 'none' });
  });

  it('are read from the keyring once, until they change here or in another window', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1000 });
    const keyring = new Keyring();
    const changes = new Changes();
    const { credentials } = credentialsOn(keyring, new Map(), changes);
    const found = async (): Promise<unknown> => {
      const state = await credentials.read(ORIGIN, 'apiKey');
      return state.state === 'found' ? state.credential.value : state.state;
    };
    await credentials.store(ORIGIN, key);
    keyring.reads = 0;
    assert.deepEqual([await found(), await found(), await found()], [key.value, key.value, key.value]);
    assert.equal(keyring.reads, 1);
    mock.timers.setTime(2000);
    await credentials.store(ORIGIN, { ...key, value: 'secret-key-2' });
    assert.equal(await found(), 'secret-key-2');
    // A window without VS Code's event relies on the record of changes.
    for (const [name, value] of keyring.kept)
      keyring.kept.set(name, value.replace('secret-key-2', 'secret-key-3').replace('"at":2000', '"at":3000'));
    changes.noted.set(ORIGIN, 3000);
    assert.equal(await found(), 'secret-key-3');
  });

  it('can be kept in memory for the session', async () => {
    const keyring = new Keyring();
    const { credentials, hidden, state } = credentialsOn(keyring);
    credentials.keepForSession(ORIGIN, key);
    assert.deepEqual(hidden, [key.value]);
    assert.deepEqual(await credentials.read(ORIGIN, 'apiKey'), { state: 'found', credential: key });
    assert.equal(keyring.kept.size, 0);
    assert.deepEqual(await credentialsOn(keyring, state).credentials.read(ORIGIN, 'apiKey'), { state: 'none' });
  });

  it('of the session are replaced by a stored one, and deleted by signing out', async () => {
    const keyring = new Keyring();
    const { credentials } = credentialsOn(keyring);
    const next = { ...key, value: 'secret-key-2' };
    credentials.keepForSession(ORIGIN, key);
    await credentials.store(ORIGIN, next);
    assert.deepEqual(await credentials.read(ORIGIN, 'apiKey'), { state: 'found', credential: next });
    credentials.keepForSession(ORIGIN, key);
    await credentials.remove(ORIGIN, 'apiKey');
    assert.deepEqual(await credentials.read(ORIGIN, 'apiKey'), { state: 'none' });
    assert.equal(keyring.kept.size, 0, 'also of the marker');
  });

  it('that the keyring does not delete are reported, and stay marked', async () => {
    const keyring = new Keyring();
    const { credentials } = credentialsOn(keyring);
    await credentials.store(ORIGIN, key);
    keyring.delete = () => Promise.reject(new Error('locked'));
    assert.equal(await credentials.remove(ORIGIN, 'apiKey'), false);
    keyring.kept.clear();
    assert.equal((await credentials.read(ORIGIN, 'apiKey')).state, 'lost');
  });

  it('that another window has changed or removed are read again', async () => {
    const keyring = new Keyring();
    const state = new Map<string, unknown>();
    const [here, there] = [credentialsOn(keyring, state).credentials, credentialsOn(keyring, state).credentials];
    await here.store(ORIGIN, key);
    assert.deepEqual(await there.read(ORIGIN, 'apiKey'), { state: 'found', credential: key });
    const next = { ...key, value: 'secret-key-2' };
    await there.store(ORIGIN, next);
    assert.deepEqual(await here.read(ORIGIN, 'apiKey'), { state: 'found', credential: next });
    await there.remove(ORIGIN, 'apiKey');
    assert.deepEqual(await here.read(ORIGIN, 'apiKey'), { state: 'none' });
  });

  it('that another window has changed or removed are not used if VS Code returns an old one', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1000 });
    const changes = new Changes();
    const [here, there] = [new Keyring(), new Keyring()];
    const window = credentialsOn(here, new Map(), changes).credentials;
    const other = credentialsOn(there, new Map(), changes).credentials;
    await window.store(ORIGIN, key);
    mock.timers.setTime(2000);
    await other.store(ORIGIN, { ...key, value: 'secret-key-2' });
    assert.deepEqual(await window.read(ORIGIN, 'apiKey'), { state: 'changed' });
    assert.equal((await other.read(ORIGIN, 'apiKey')).state, 'found');
    mock.timers.setTime(3000);
    await window.store(ORIGIN, key);
    assert.equal((await window.read(ORIGIN, 'apiKey')).state, 'found');
    mock.timers.setTime(4000);
    await other.remove(ORIGIN, 'apiKey');
    assert.deepEqual(await window.read(ORIGIN, 'apiKey'), { state: 'changed' });
  });

  it("are stored even if other windows can't be notified", async () => {
    const changes = new Changes();
    changes.note = () => Promise.reject(new Error('full'));
    const { credentials } = credentialsOn(new Keyring(), new Map(), changes);
    assert.equal(await credentials.store(ORIGIN, key), 'stored');
    assert.equal(await credentials.remove(ORIGIN, 'apiKey'), true);
  });
});

describe('the key of a data query', () => {
  it('is that of the origin of its URL, which may be another than that of the chat', async () => {
    const { Connector: Made } = await loadWithEditor<{ Connector: new (...services: object[]) => Connector }>(
      'vscode/connection/connector.ts',
      {},
    );
    const entry = { chatApiUrl: `${ORIGIN}/chat`, dataQueryUrl: 'https://query.example/sql', authentication: 'apiKey' };
    const read = (origin: string) => Promise.resolve({ state: 'found', credential: { ...key, value: origin } });
    const identities = { on: () => 'dev', settingsOf: () => ({ externalId: 'dev' }) };
    const branches = { main: 'main', current: { name: '', isDefault: true } };
    const connector = new Made({ of: () => entry }, { read }, branches, identities, {});
    assert.equal((await connector.dataQuery(undefined)).credential.value, 'https://query.example');
  });
});

describe('a token command', () => {
  const command = [process.execPath, '-p', '"token-of-the-command"'] as const;
  const commandsIn = async (isTrusted: boolean, onToken: (token: string) => void): Promise<TokenCommands> => {
    type Module = { TokenCommands: new (onToken: (token: string) => void) => TokenCommands };
    const module = await loadWithEditor<Module>('vscode/connection/tokenCommands.ts', { workspace: { isTrusted } });
    return new module.TokenCommands(onToken);
  };

  it('is run for the origin of its chat API only, and its token is redacted from logs', async () => {
    const { Connector: Made } = await loadWithEditor<{ Connector: new (...services: object[]) => Connector }>(
      'vscode/connection/connector.ts',
      {},
    );
    const redacted: string[] = [];
    const commands = await commandsIn(true, (token) => redacted.push(token));
    const stored = { state: 'found', credential: { kind: 'serviceToken', value: 'stored' } };
    const connector = new Made({}, { read: () => Promise.resolve(stored) }, {}, {}, {}, commands);
    const entry = { name: '', chatApiUrl: `${ORIGIN}/chat`, dataQueryUrl: '', tokenCommand: command };
    const tokenAt = async (origin: string, authentication: 'apiKey' | 'serviceToken'): Promise<string> => {
      const all = { ...entry, authentication };
      const { value, renew } = await connector.credentialFor(origin, authentication, all);
      return renew ? renew() : value;
    };
    assert.equal(await tokenAt(ORIGIN, 'serviceToken'), 'token-of-the-command');
    assert.deepEqual(redacted, ['token-of-the-command']);
    assert.equal(await tokenAt('https://query.example', 'serviceToken'), 'stored');
    assert.equal(await tokenAt(ORIGIN, 'apiKey'), 'stored');
  });

  it('is not run in Restricted Mode', async () => {
    const { renew } = (await commandsIn(false, assert.fail)).at(ORIGIN, command);
    await assert.rejects(renew!(), { kind: 'auth', message: /Restricted Mode/ });
  });
});

describe('the key of the environment', () => {
  it('is sent only to the URL of the environment', async () => {
    const { Connector: Made } = await loadWithEditor<{ Connector: new (...services: object[]) => Connector }>(
      'vscode/connection/connector.ts',
      {},
    );
    const development = { chatApiUrl: `${ORIGIN}/chat`, apiKey: 'secret-key-1' };
    const connector = new Made({}, { read: () => Promise.resolve({ state: 'none' }) }, {}, {}, development);
    assert.deepEqual(await connector.credentialFor(ORIGIN, 'apiKey'), key);
    await assert.rejects(connector.credentialFor('https://evil.example', 'apiKey'), /no key for https:\/\/evil/);
  });

  it('has no effect in production', async () => {
    type Read = (mode: number) => object;
    const path = 'vscode/connection/development.ts';
    const ExtensionMode = { Production: 1, Development: 2 };
    const { developmentConnection } = await loadWithEditor<{ developmentConnection: Read }>(path, { ExtensionMode });
    const variables = { ANALYTICS_CHAT_API_URL: ORIGIN, ANALYTICS_CHAT_API_KEY: key.value };
    const before = { ...process.env };
    Object.assign(process.env, variables);
    try {
      assert.deepEqual(developmentConnection(ExtensionMode.Production), {});
      assert.deepEqual(developmentConnection(ExtensionMode.Development), { chatApiUrl: ORIGIN, apiKey: key.value });
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });
});
