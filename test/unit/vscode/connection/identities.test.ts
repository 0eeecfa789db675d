/** The identities in the settings. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConnectionEntry } from '../../../../src/chat/connection/connectionList.ts';
import type { Connector } from '../../../../src/vscode/connection/connector.ts';
import type { Identities } from '../../../../src/vscode/connection/identities.ts';
import { EventEmitter } from '../../../support/editorValues.ts';
import { loadWithEditor, mementoOn, withSettings } from '../../../support/withEditor.ts';

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
      workspace: withSettings({ identities: named }),
    },
  );
  const memento = mementoOn(stored);
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

  it('have time zones where they are set, which are listed beside them', async () => {
    const named = { europe: { externalId: 'eu', timezone: 'Europe/Berlin', allowChatWorkspaceAuthoring: false }, x: 1 };
    const identities = await identitiesOf(named);
    const own = { ...entry, sessionSettings: { externalId: 'dev', timezone: 'Asia/Tokyo' } };
    assert.deepEqual(identities.timeZones(own), { dev: 'Asia/Tokyo', europe: 'Europe/Berlin' });
    assert.deepEqual(identities.timeZones({ ...own, authentication: 'serviceToken' }), {});
    let details: unknown[] = [];
    type Pick = (services: object, options: object) => Promise<unknown>;
    const { pickIdentity } = await loadWithEditor<{ pickIdentity: Pick }>('vscode/connection/switchContext.ts', {
      window: {
        showQuickPick: (items: { detail?: string }[]) => ((details = items.map(({ detail }) => detail)), undefined),
      },
    });
    await pickIdentity({ identities, connections: {} }, { entry: own });
    const europe = 'Time zone: Europe/Berlin · Authoring not allowed';
    assert.deepEqual(details, ['Time zone: Asia/Tokyo', europe, undefined, undefined]);
  });

  it('can be added in the setting that lists them', async () => {
    const identities = await identitiesOf({ europe: { externalId: 'eu' } });
    const opened: unknown[] = [];
    type Pick = (services: object, options: object) => Promise<unknown>;
    const { pickIdentity } = await loadWithEditor<{ pickIdentity: Pick }>('vscode/connection/switchContext.ts', {
      commands: { executeCommand: (...command: unknown[]) => Promise.resolve(opened.push(command)) },
      window: { showQuickPick: (items: object[]) => Promise.resolve(items.at(-1)) },
    });
    assert.equal(await pickIdentity({ identities, connections: { current: entry } }, { title: '' }), undefined);
    assert.deepEqual(opened, [['workbench.action.openSettings', 'analyticsChat.identities']]);
  });

  it('are not offered with a service token, which identifies its user', async () => {
    const identities = await identitiesOf({ europe: { externalId: 'eu' } });
    const token = { ...entry, authentication: 'serviceToken' as const, sessionSettings: { externalId: 'dev' } };
    await identities.switchTo('europe', token);
    assert.deepEqual(
      [identities.on(token), identities.names(token), identities.usable(token)],
      ['default', ['default'], []],
    );
  });
});

describe('a question on a connection with a service token', () => {
  it('is asked only as the user of the token', async () => {
    const { Connector: Loaded } = await loadWithEditor<{ Connector: new (...services: unknown[]) => Connector }>(
      'vscode/connection/connector.ts',
      { EventEmitter, workspace: { getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }) } },
    );
    const token = { ...entry, authentication: 'serviceToken', dataQueryUrl: 'https://acme.example/query' };
    const connector = new Loaded(
      { of: () => token },
      {
        read: (origin: string, kind: string) => {
          assert.deepEqual([origin, kind], ['https://acme.example', 'serviceToken']);
          return Promise.resolve({ state: 'found', credential: { kind: 'serviceToken', value: 't' } });
        },
      },
      { main: 'main', current: { name: '', isDefault: true } },
      { on: () => 'default' },
      {},
    );
    const home = { origin: 'https://acme.example', connection: '' };
    const context = { branch: '', isDefaultBranch: true, identity: 'europe' };
    const refusal = { kind: 'badRequest', message: /^A service token identifies its user/ };
    await assert.rejects(connector.connect(home, context), refusal);
    await assert.rejects(connector.dataQuery(home, context), refusal);
    assert.equal((await connector.connect(home)).context.identity, 'default');
    const { switchIdentity } = await loadWithEditor<{ switchIdentity: (services: object) => Promise<unknown> }>(
      'vscode/connection/switchContext.ts',
      {},
    );
    const services = { sessions: { active: {}, connectionOf: () => token } };
    await assert.rejects(switchIdentity(services), { message: refusal.message });
  });
});
