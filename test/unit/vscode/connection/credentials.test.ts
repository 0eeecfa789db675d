/**
 * Keyrings fail in several ways that real ones can't be made to here, so these stubs replace VS Code's SecretStorage.
 */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Credentials } from '../../../../src/vscode/connection/credentials.ts';
import type * as changing from '../../../../src/vscode/connection/credentialChanges.ts';
import { Editor, EventEmitter, mementoOn, Uri } from '../support.ts';

const ORIGIN = 'https://agent.example';
const key = { kind: 'apiKey' as const, value: 'secret-key-1' };
const next = { ...key, value: 'secret-key-2' };
const token = { kind: 'serviceToken' as const, value: 'secret-token-1' };

class Keyring {
  readonly kept = new Map<string, string>();
  readonly #changed = new EventEmitter<{ key: string }>();
  /** Whether VS Code fires its event. */
  isTelling = true;
  reads = 0;
  onDidChange = this.#changed.event;
  get = (name: string): Promise<string | undefined> => {
    this.reads += 1;
    return Promise.resolve(this.kept.get(name));
  };
  store = (name: string, value: string): Promise<void> => this.#tell(name, this.kept.set(name, value));
  delete = (name: string): Promise<void> => this.#tell(name, this.kept.delete(name));
  async #tell(key: string, _changed: unknown): Promise<void> {
    await Promise.resolve();
    if (this.isTelling) this.#changed.fire({ key });
  }
}

it('changes of credentials are known in other windows, by origin and kind, in files without their names', async () => {
  const editor = new Editor();
  const { CredentialChanges } = await editor.load<typeof changing>('connection/credentialChanges');
  const windows = [1, 2].map(() => new CredentialChanges(new Uri('vscode-userdata', '', '/storage') as never));
  for (const [at, slot] of ['https://a.example', 'https://a.example serviceToken'].entries()) {
    await windows[0]!.note(slot, 5 + at);
    assert.deepEqual([await windows[1]!.last(slot), await windows[1]!.last('https://b.example')], [5 + at, 0]);
  }
  assert.equal(editor.files.size, 2);
  for (const path of editor.files.keys()) assert.match(path, /^\/storage\/credentials\/[0-9a-f]{64}$/);
});

describe('credentials', () => {
  let keyring: Keyring;
  let state: Map<string, unknown>;
  /** When each was changed, for other windows. */
  let noted: Map<string, number>;
  let note: () => Promise<void>;
  let hidden: string[];
  let errors: unknown[];
  let credentials: Credentials;

  const window = (on = keyring, own = state): Credentials => {
    const log = { addSecret: (text: string) => hidden.push(text), error: (...all: unknown[]) => errors.push(...all) };
    const context = { secrets: on, globalState: mementoOn(own), subscriptions: [] };
    return new Credentials(context as never, log as never, {
      last: (slot) => Promise.resolve(noted.get(slot) ?? 0),
      note: async (slot, at) => (await note(), void noted.set(slot, at)),
    });
  };
  beforeEach(() => {
    [keyring, state, noted, hidden, errors] = [new Keyring(), new Map(), new Map(), [], []];
    note = () => Promise.resolve();
    credentials = window();
  });
  afterEach(() => mock.timers.reset());

  /** @returns the value, or the state without one */
  const found = async (of = credentials, kind: 'apiKey' | 'serviceToken' = 'apiKey', origin = ORIGIN) => {
    const result = await of.read(origin, kind);
    if (result.state !== 'found') return result.state;
    assert.equal(result.credential.kind, kind);
    return result.credential.value;
  };
  const locked = (): Promise<never> => Promise.reject(new Error('locked'));

  it('are returned for their own origin and kind only', async () => {
    assert.equal(await credentials.store(ORIGIN, key), 'stored');
    for (const origin of ['https://agent.example:8443', 'https://evil.example'])
      assert.equal(await found(credentials, 'apiKey', origin), 'none');
    assert.equal(await found(credentials, 'serviceToken'), 'none');
    await credentials.store(ORIGIN, token);
    assert.deepEqual([await found(), await found(credentials, 'serviceToken')], [key.value, token.value]);
    await credentials.remove(ORIGIN, 'apiKey');
    assert.deepEqual([await found(), await found(credentials, 'serviceToken')], ['none', token.value]);
    keyring.kept.clear();
    assert.deepEqual([await found(window()), await found(window(), 'serviceToken')], ['none', 'lost']);
  });

  it('are not used as another kind, nor if they can’t be parsed, whatever the keyring returns', async () => {
    await credentials.store(ORIGIN, key);
    for (const text of [JSON.stringify({ ...token, at: Date.now() }), '{', '{"kind":"apiKey"}']) {
      for (const name of keyring.kept.keys()) keyring.kept.set(name, text);
      assert.equal(await found(window()), 'lost');
    }
  });

  it('are stored only in the keyring, and redacted from the log as soon as they are stored or read', async () => {
    await credentials.store(ORIGIN, key);
    assert.equal(JSON.stringify([...state]).includes(key.value), false);
    assert.deepEqual(hidden.splice(0), [key.value]);
    await window().read(ORIGIN, 'apiKey');
    assert.deepEqual(hidden, [key.value]);
  });

  it('that the keyring forgets, rejects or can’t read are reported, and never logged', async () => {
    keyring.store = () => Promise.resolve();
    assert.deepEqual([await credentials.store(ORIGIN, key), await found()], ['forgotten', 'none']);
    keyring.store = locked;
    assert.deepEqual([await credentials.store(ORIGIN, key), await found()], ['refused', 'none']);
    keyring.get = locked;
    assert.equal(await found(), 'unreadable');
    assert.equal(errors.length, 4);
    assert.equal(JSON.stringify(errors).includes(key.value), false);
  });

  it('are read from the keyring once, until they change here or in another window', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1000 });
    await credentials.store(ORIGIN, key);
    keyring.reads = 0;
    assert.deepEqual([await found(), await found(), await found()], Array(3).fill(key.value));
    assert.equal(keyring.reads, 1);
    mock.timers.setTime(2000);
    await credentials.store(ORIGIN, next);
    assert.equal(await found(), next.value);
    // A window without VS Code's event relies on the record of changes.
    for (const name of keyring.kept.keys())
      keyring.kept.set(name, JSON.stringify({ ...key, value: 'secret-key-3', at: 3000 }));
    noted.set(ORIGIN, 3000);
    assert.equal(await found(), 'secret-key-3');
  });

  it('can be kept in memory for the session, until another is stored or they are removed', async () => {
    credentials.keepForSession(ORIGIN, key);
    assert.deepEqual([hidden, await found(), keyring.kept.size], [[key.value], key.value, 0]);
    assert.equal(await found(window()), 'none');
    await credentials.store(ORIGIN, next);
    assert.equal(await found(), next.value);
    credentials.keepForSession(ORIGIN, key);
    await credentials.remove(ORIGIN, 'apiKey');
    assert.deepEqual([await found(), keyring.kept.size], ['none', 0]);
  });

  it('that the keyring does not delete are reported, and stay marked', async () => {
    for (const each of [key, token]) await credentials.store(ORIGIN, each);
    keyring.delete = locked;
    assert.equal(await credentials.remove(ORIGIN, 'apiKey'), false);
    keyring.kept.clear();
    assert.deepEqual([await found(), await found(credentials, 'serviceToken')], ['lost', 'lost']);
  });

  for (const isTelling of [true, false])
    it(`that ${isTelling ? 'another' : 'this'} window has changed or removed are read again`, async () => {
      // VS Code may not fire its event in the window that made the change.
      keyring.isTelling = isTelling;
      const there = isTelling ? window() : credentials;
      for (const each of [key, next]) {
        await there.store(ORIGIN, each);
        assert.equal(await found(), each.value);
      }
      await there.remove(ORIGIN, 'apiKey');
      assert.equal(await found(), 'none');
    });

  it('that another window has changed or removed are not used if VS Code returns an old one', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1000 });
    const other = window(new Keyring(), new Map());
    await credentials.store(ORIGIN, key);
    mock.timers.setTime(2000);
    await other.store(ORIGIN, next);
    assert.deepEqual([await found(), await found(other)], ['changed', next.value]);
    mock.timers.setTime(3000);
    await credentials.store(ORIGIN, key);
    assert.equal(await found(), key.value);
    mock.timers.setTime(4000);
    await other.remove(ORIGIN, 'apiKey');
    assert.equal(await found(), 'changed');
  });

  it('are stored even if other windows can’t be notified', async () => {
    note = locked;
    assert.equal(await credentials.store(ORIGIN, key), 'stored');
    assert.equal(await credentials.remove(ORIGIN, 'apiKey'), true);
    assert.equal(errors.length, 4);
  });
});
