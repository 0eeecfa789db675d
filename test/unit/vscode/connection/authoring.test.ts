import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Connector } from '../../../../src/vscode/connection/connector.ts';
import { loadWithEditor, withSettings } from '../../../support/withEditor.ts';

type Make = new (...of: object[]) => Connector;

describe('authoring', () => {
  it('is off for tests and tools, in chats by a setting, and otherwise as the session settings say', async () => {
    let isAllowed = true;
    const own: Record<string, object> = {
      ana: { externalId: 'ana' },
      ben: { externalId: 'ben', allowChatWorkspaceAuthoring: true },
    };
    const { Connector: Made } = await loadWithEditor<{ Connector: Make }>('vscode/connection/connector.ts', {
      workspace: withSettings({
        get allowAuthoring() {
          return isAllowed;
        },
      }),
    });
    const entry = { name: '', chatApiUrl: 'https://agent.example/chat', authentication: 'apiKey' };
    const connector = new Made(
      { of: () => entry, settle: () => undefined },
      { read: () => Promise.resolve({ state: 'found', credential: { kind: 'apiKey', value: 'k' } }) },
      {},
      { settingsOf: (name: string) => own[name] },
      {},
    );
    const authoring = async (identity: string, mayAuthor?: boolean) => {
      const context = { branch: '', isDefaultBranch: true, identity };
      return (await connector.connect(undefined, context, mayAuthor)).sessionSettings?.allowChatWorkspaceAuthoring;
    };
    assert.deepEqual([await authoring('ana'), await authoring('ana', false)], [undefined, false]);
    isAllowed = false;
    assert.deepEqual(
      [await authoring('ana'), await authoring('ben'), await authoring('ben', false)],
      [false, true, true],
    );
  });
});
