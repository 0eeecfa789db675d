/** Asking the questions of a workspace folder. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { contextsIn, editorAsking } from '../../../../src/vscode/runs/askContext.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { questionNamed } from '../../evals/support.ts';

describe('the queries of a question test', () => {
  it('run on the main branch of their folder if no branch is chosen, whichever editor is active', async () => {
    const requested: string[] = [];
    const folder = { name: 'shop' } as vscode.WorkspaceFolder;
    const dataQueryUrl = 'https://data.example/{branch}';
    const services = {
      branches: { mainOf: () => 'production', currentIn: () => ({ name: '', isDefault: true }) },
      connections: { current: { name: '', chatApiUrl: 'https://acme.example/agent', dataQueryUrl } },
      identities: { current: 'me' },
      connector: {
        dataQuery: () =>
          Promise.resolve({
            ...{ dataQueryUrl, mainBranch: 'main', credential: { kind: 'apiKey', value: 'the-key' } },
            fetch: (url: URL | string) => {
              requested.push(String(url));
              return Promise.resolve(new Response(JSON.stringify({ schema: [{ name: 'n' }], data: [[1]] })));
            },
          }),
      },
    } as unknown as Parameters<typeof contextsIn>[0] & Parameters<typeof editorAsking>[0];
    const { signal } = new AbortController();
    await editorAsking(services).runSql?.('SELECT n', questionNamed('count'), contextsIn(services, folder)(), signal);
    assert.deepEqual(requested, ['https://data.example/production']);
    const [onCurrent, onMain, onBranch] = [undefined, 'production', 'dev'].map((branch) =>
      contextsIn(services, folder, branch)('ana'),
    );
    assert.deepEqual(
      [onCurrent, onMain, onBranch].map((context) => [context?.label, context?.sent]),
      [
        ['production', { branch: '', isDefaultBranch: true, identity: 'ana' }],
        ['production', { branch: 'production', isDefaultBranch: true, identity: 'ana' }],
        ['dev', { branch: 'dev', isDefaultBranch: false, identity: 'ana' }],
      ],
    );
    assert.equal(contextsIn(services, folder)().identity, 'me');
  });
});

describe('comparing answers across branches', () => {
  it('asks nothing in an untrusted workspace', async () => {
    type Compare = (services: object) => Promise<void>;
    const path = 'vscode/runs/compareAnswers.ts';
    const { compareAnswers } = await loadWithEditor<{ compareAnswers: Compare }>(path, {
      workspace: { isTrusted: false },
    });
    await assert.rejects(compareAnswers({ questionFiles: { load: assert.fail } }), /Restricted Mode/);
  });
});
