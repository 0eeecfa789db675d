/** The identities in the settings. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConnectionEntry } from '../../../../src/chat/connection/connectionList.ts';
import type { Identities } from '../../../../src/vscode/connection/identities.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

const entry: ConnectionEntry = {
  name: '',
  chatApiUrl: 'https://acme.example/agent',
  authentication: 'apiKey',
  dataQueryUrl: '',
};

async function identitiesOf(named: object, stored = new Map<string, unknown>()): Promise<Identities> {
  const { Identities: Loaded } = await loadWithEditor<{ Identities: new (...services: object[]) => Identities }>(
    'vscode/connection/identities.ts',
    {
      EventEmitter: class {
        fire = (): undefined => undefined;
      },
      workspace: {
        getConfiguration: () => ({
          get: () => undefined,
          inspect: (key: string) => ({ globalValue: key === 'identities' ? named : undefined }),
        }),
      },
    },
  );
  const memento = {
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
  return new Loaded(memento, { current: entry });
}

describe('identities', () => {
  it('are listed once, also if the settings name the identity of the connection', async () => {
    const identities = await identitiesOf({ europe: { externalId: 'eu' }, dev: { externalId: 'dev' } });
    const own = { ...entry, sessionSettings: { externalId: 'dev' } };
    assert.deepEqual(identities.names(own), ['dev', 'europe']);
    assert.deepEqual(identities.usable(own), ['dev', 'europe']);
  });

  it('can be used only with session settings', async () => {
    const identities = await identitiesOf({ europe: { externalId: 'eu' } });
    assert.deepEqual(identities.names(), ['default', 'europe']);
    assert.deepEqual(identities.usable(), ['europe']);
  });

  it('are chosen for each connection', async () => {
    const identities = await identitiesOf({ europe: { externalId: 'eu' } });
    const staging = { ...entry, name: 'Staging' };
    await identities.switchTo('europe', staging);
    assert.deepEqual([identities.on(staging), identities.on(entry)], ['europe', 'default']);
  });
});
