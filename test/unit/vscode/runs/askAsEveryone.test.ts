/** The *Ask as Everyone…* command with a stub of the editor; its asking fails, which shows where was asked. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread, type Home } from '../../../../src/shared/thread/model.ts';
import { until } from '../../../support/until.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

const nothing = { dispose: () => undefined };
const staging = {
  ...{ name: 'Staging', chatApiUrl: 'https://staging.example/agent', authentication: 'apiKey', dataQueryUrl: '' },
};

describe('asking as everyone in a new chat', () => {
  it('asks all identities on the connection that is current when it starts', async () => {
    const named = { europe: { externalId: 'eu' }, guest: { externalId: 'guest' } };
    const webview = { onDidReceiveMessage: () => nothing, asWebviewUri: (uri: string) => uri, cspSource: '' };
    const { askAsEveryone } = await loadWithEditor<{
      askAsEveryone(services: object, argument: object): Promise<void>;
    }>('vscode/runs/askAsEveryone.ts', {
      ...{ env: { language: 'en' }, l10n: {}, ViewColumn: {}, Uri: { joinPath: () => '' } },
      workspace: {
        getConfiguration: () => ({
          get: () => undefined,
          inspect: (key: string) => ({ globalValue: key === 'identities' ? named : undefined }),
        }),
      },
      window: {
        createWebviewPanel: () => ({ webview, onDidChangeViewState: () => nothing, onDidDispose: () => nothing }),
      },
    });
    const asked: (Home | undefined)[] = [];
    await askAsEveryone(
      {
        context: { extensionUri: '' },
        guarded: (work: () => unknown) => work(),
        branches: { current: { name: 'dev', isDefault: false }, label: 'dev', main: 'main' },
        connections: { current: undefined },
        connector: {
          connect: (home: Home | undefined) => {
            asked.push(home);
            return Promise.reject(new Error('no connection'));
          },
        },
        identities: { usable: () => Object.keys(named) },
        questionFiles: { load: () => Promise.resolve([]) },
        sessions: { active: { thread: emptyThread('a') }, connectionOf: () => staging },
      },
      { question: 'Revenue?' },
    );
    await until(() => asked.length === 2);
    const home = { origin: 'https://staging.example', connection: 'Staging' };
    assert.deepEqual(asked, [home, home]);
  });
});

describe('asking as everyone with a service token', () => {
  it('is refused, because the token identifies its user', async () => {
    type Ask = (services: object, argument: object) => Promise<void>;
    const path = 'vscode/runs/askAsEveryone.ts';
    const { askAsEveryone } = await loadWithEditor<{ askAsEveryone: Ask }>(path, {});
    const services = {
      sessions: {
        active: { thread: emptyThread('a') },
        connectionOf: () => ({ ...staging, authentication: 'serviceToken' }),
      },
    };
    await assert.rejects(askAsEveryone(services, { question: 'Revenue?' }), /Connect with an API key/);
  });
});
