/** Hover, completion and Go to Definition, with a stub of the editor. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type * as vscode from 'vscode';
import type { Connections } from '../../../../src/vscode/connection/connections.ts';
import { Members } from '../../../../src/vscode/model/members.ts';
import type { Sessions } from '../../../../src/vscode/threads/sessions.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

interface Providers {
  hover: { provideHover(document: object, position: number): Promise<{ contents: { value: string } } | undefined> };
  completion: { provideCompletionItems(document: object, position: number): Promise<{ label: string }[]> };
  definition: { provideDefinition(document: object, position: number): Promise<{ uri: { path: string } }[]> };
}

const nothing = { dispose: () => undefined };
const FILE = { path: '/model/cubes/orders.yml' };
const document = {
  uri: { path: '/shop/queries/a.sql' },
  getText: () => 'SELECT orders.revenue',
  offsetAt: (position: number) => position,
  positionAt: (offset: number) => offset,
};
/** Stored by an earlier window. */
const stored = [
  { name: 'orders', type: 'cube', members: [{ name: 'orders.revenue', type: 'measure', title: 'Money' }] },
];

describe('the providers of model names', () => {
  const providers = {} as Providers;
  let reads = 0;
  let changed: (uri: object) => void = () => assert.fail('no files are watched');
  let foldersChanged: () => void = () => assert.fail('no folders are watched');

  before(async () => {
    const register = (kind: keyof Providers) => (_: unknown, provider: never) => {
      providers[kind] = provider;
      return nothing;
    };
    const editor = {
      languages: {
        registerCompletionItemProvider: register('completion'),
        registerHoverProvider: register('hover'),
        registerDefinitionProvider: register('definition'),
      },
      workspace: {
        findFiles: (pattern: string) => Promise.resolve(pattern.includes('model') ? [FILE] : []),
        fs: {
          readFile: () => {
            reads += 1;
            return Promise.resolve(new TextEncoder().encode('cubes:\n  - name: orders\n'));
          },
        },
        createFileSystemWatcher: () => ({
          ...nothing,
          onDidCreate: () => nothing,
          onDidDelete: () => nothing,
          onDidChange: (listener: (uri: object) => void) => {
            changed = listener;
            return nothing;
          },
        }),
        onDidChangeWorkspaceFolders: (listener: () => void) => {
          foldersChanged = listener;
          return nothing;
        },
      },
      CompletionItemKind: {},
      CompletionItem: class {
        readonly label: string;
        constructor(label: string) {
          this.label = label;
        }
      },
      Hover: class {
        readonly contents: object;
        constructor(contents: object) {
          this.contents = contents;
        }
      },
      Location: class {
        readonly uri: object;
        constructor(uri: object) {
          this.uri = uri;
        }
      },
    };
    const { provideMembers } = await loadWithEditor<{ provideMembers(members: Members, files: object): void }>(
      'vscode/model/memberProviders.ts',
      editor,
    );
    const { ModelFiles } = await loadWithEditor<{ ModelFiles: new () => object }>('vscode/model/modelFiles.ts', editor);
    const memento = { get: () => stored } as unknown as vscode.Memento;
    // After a restart no thread is open yet.
    const sessions = { onDidChange: () => nothing } as unknown as Sessions;
    const connections = { current: undefined } as unknown as Connections;
    provideMembers(new Members(memento, sessions, connections, () => false), new ModelFiles());
  });
  beforeEach(() => {
    reads = 0;
  });

  it('know the model after a restart, before a chat is opened', async () => {
    const hover = await providers.hover.provideHover(document, 'SELECT orders.rev'.length);
    assert.match(hover?.contents.value ?? '', /Money/);
    const items = await providers.completion.provideCompletionItems(document, 'SELECT orders.rev'.length);
    assert.deepEqual(
      items.map(({ label }) => label),
      ['orders.revenue'],
    );
  });

  it('read the model files for the first definition, and again only after one or the folders have changed', async () => {
    const find = (): Promise<object[]> => providers.definition.provideDefinition(document, 'SELECT ord'.length);
    assert.equal((await find()).length, 1);
    await find();
    assert.equal(reads, 1);
    changed(FILE);
    await find();
    assert.equal(reads, 2);
    foldersChanged();
    await find();
    assert.equal(reads, 3);
  });
});
