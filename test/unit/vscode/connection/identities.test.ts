/** The identities in the settings. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as made from '../../../../src/vscode/connection/identities.ts';
import type * as picking from '../../../../src/vscode/connection/switchContext.ts';
import { Editor, mementoOn, type ConnectionEntry } from '../support.ts';

const entry: ConnectionEntry = {
  ...{ name: '', chatApiUrl: 'https://acme.example/agent', authentication: 'apiKey', dataQueryUrl: '' },
};

let editor: Editor;
async function identitiesOf(named: object, ...others: object[]) {
  editor = Object.assign(new Editor(), { settings: { identities: named } });
  const module = await editor.load<typeof made & typeof picking>('connection/identities', 'connection/switchContext');
  const Made = module.Identities as unknown as new (...of: object[]) => made.Identities;
  const identities = new Made(mementoOn(), { current: entry }, ...others);
  const pick = (options: object = {}, current = entry): Promise<string | undefined> =>
    module.pickIdentity({ identities, connections: { current } } as never, options);
  const switchOn = (connection: object, name?: string) =>
    module.switchIdentity(
      { identities, connections: { current: entry }, sessions: { connectionOf: () => connection } } as never,
      name,
    );
  return Object.assign(identities, { pick, switchOn });
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
    const own = { ...entry, name: 'own', sessionSettings: { externalId: 'dev' } };
    assert.equal(['dev', 'europe'].map((name) => identities.settingsOf(name, own).externalId).join(), 'dev,eu');
    assert.throws(() => identities.settingsOf('default', entry), { kind: 'badRequest' });
  });

  it('are chosen for each connection', async () => {
    const identities = await identitiesOf({ europe: { externalId: 'eu' } }, { externalId: 'environment' });
    const staging = { ...entry, name: 'Staging', sessionSettings: { externalId: 'stage' } };
    let changes = 0;
    identities.onDidChange(() => (changes += 1));
    // That of the open chat, which is not the current one.
    for (const [name, pick] of [['europe'], [undefined, 'stage'], [undefined, 'europe']] as const) {
      editor.picks = [pick];
      const chosen = name ?? pick;
      assert.equal(await identities.switchOn(staging, name), chosen);
      assert.deepEqual([identities.on(staging), identities.on(entry)], [chosen, 'environment']);
    }
    assert.equal(changes, 3);
    await assert.rejects(async () => identities.switchOn(staging, 'environment'), /no identity named “environment”/);
    assert.deepEqual(identities.names({ ...staging, sessionSettings: undefined } as never), ['default', 'europe']);
  });

  it('have time zones where they are set, which are listed beside them', async () => {
    const y = { externalId: 'y', allowChatWorkspaceAuthoring: true };
    const named = {
      europe: { externalId: 'eu', timezone: 'Europe/Berlin', allowChatWorkspaceAuthoring: false },
      x: 1,
      y,
    };
    const identities = await identitiesOf(named);
    const own = { ...entry, sessionSettings: { externalId: 'dev', timezone: 'Asia/Tokyo' } };
    assert.deepEqual(identities.timeZones(own), { dev: 'Asia/Tokyo', europe: 'Europe/Berlin' });
    assert.deepEqual(identities.timeZones({ ...own, authentication: 'serviceToken' }), {});
    editor.picks = ['europe'];
    assert.equal(await identities.pick({ entry: own }), 'europe');
    const [tokyo, europe] = ['Time zone: Asia/Tokyo', 'Time zone: Europe/Berlin · Authoring not allowed'];
    assert.deepEqual(editor.detailed, [[tokyo, europe, '', 'Authoring allowed', '']]);
    assert.deepEqual(editor.described, [['current', '', '', '', '']]);
    assert.deepEqual(editor.placeholders, ['Select an identity for the next questions']);
  });

  it('can be added in the setting that lists them', async () => {
    const identities = await identitiesOf({ europe: { externalId: 'eu' } });
    editor.picks = ['Add an identity in the settings…', undefined];
    for (const _ of [1, 2]) assert.equal(await identities.pick({ except: 'default', title: 'Compare' }), undefined);
    assert.deepEqual(editor.offered[0], ['europe', 'Add an identity in the settings…']);
    assert.deepEqual(editor.prompts, ['Compare', 'Compare']);
    assert.deepEqual(editor.executed, [['workbench.action.openSettings', 'analyticsChat.identities']]);
  });

  it('are not offered with a service token, which identifies its user', async () => {
    const identities = await identitiesOf({ europe: { externalId: 'eu' } });
    const token: ConnectionEntry = { ...entry, authentication: 'serviceToken', sessionSettings: { externalId: 'dev' } };
    await identities.switchTo('europe', token);
    const found = [identities.on(token), identities.names(token), identities.usable(token)];
    assert.deepEqual(found, ['default', ['default'], []]);
    await assert.rejects(identities.pick({}, token), /^Error: A service token identifies its user/);
    assert.deepEqual(editor.offered, []);
  });
});
