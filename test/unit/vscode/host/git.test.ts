import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Branches } from '../../../../src/vscode/connection/branches.ts';
import { becomes } from '../../../support/until.ts';
import { loadWithEditor, mementoOn } from '../../../support/withEditor.ts';

type Listener = (value: unknown) => void;

/** An event that knows its listeners. */
function event() {
  const listeners = new Set<Listener>();
  const on = (listener: Listener) => {
    listeners.add(listener);
    return { dispose: () => void listeners.delete(listener) };
  };
  return { on, listeners, fire: (value?: unknown) => listeners.forEach((listener) => listener(value)) };
}

describe('the watch of Git branches', () => {
  it('follows a repository until it is closed', async () => {
    const [opened, closed, changed, folders] = [event(), event(), event(), event()];
    const repository = { state: { HEAD: { name: 'main' }, onDidChange: changed.on } };
    const folder = { uri: 'file:///work' };
    const api = {
      repositories: [repository],
      onDidOpenRepository: opened.on,
      onDidCloseRepository: closed.on,
      getRepository: () => repository,
    };
    const { watchGitBranches } = await loadWithEditor<{
      watchGitBranches(onBranch: (folder: object, name: string) => void): Promise<{ dispose(): void }>;
    }>('vscode/host/git.ts', {
      extensions: { getExtension: () => ({ activate: () => Promise.resolve({ getAPI: () => api }) }) },
      workspace: { workspaceFolders: [folder], onDidChangeWorkspaceFolders: folders.on },
    });
    const names: string[] = [];
    const watch = await watchGitBranches((_, name) => names.push(name));
    repository.state.HEAD = { name: 'dev' };
    changed.fire();
    // Repositories change with every edit: the branch is reported once, so that the user can switch to another one.
    changed.fire();
    assert.deepEqual(names, ['main', 'dev']);
    closed.fire(repository);
    assert.equal(changed.listeners.size, 0);
    opened.fire(repository);
    watch.dispose();
    assert.deepEqual(
      [opened, closed, changed, folders].map(({ listeners }) => listeners.size),
      [0, 0, 0, 0],
    );
  });
});

describe('a workspace folder above its repositories', () => {
  const nothing = () => ({ dispose: () => undefined });
  const repository = (rootUri: string, name: string) => ({ rootUri, state: { HEAD: { name }, onDidChange: nothing } });
  const watched = async (...repositories: ReturnType<typeof repository>[]): Promise<string[]> => {
    const api = {
      ...{ repositories, onDidOpenRepository: nothing, onDidCloseRepository: nothing },
      getRepository: (uri: string) => repositories.find(({ rootUri }) => uri.startsWith(rootUri)) ?? null,
    };
    const { watchGitBranches } = await loadWithEditor<{
      watchGitBranches(onBranch: (folder: object, name: string) => void): Promise<unknown>;
    }>('vscode/host/git.ts', {
      extensions: { getExtension: () => ({ activate: () => Promise.resolve({ getAPI: () => api }) }) },
      workspace: { workspaceFolders: [{ uri: 'file:///above' }], onDidChangeWorkspaceFolders: nothing },
    });
    const names: string[] = [];
    await watchGitBranches((_, name) => names.push(name));
    return names;
  };

  it('follows the only one, and none of several', async () => {
    const [analytics, beside] = [repository('file:///above/a', 'dev'), repository('file:///above-it/b', 'other')];
    assert.deepEqual(await watched(analytics, beside), ['dev']);
    assert.deepEqual(await watched(analytics, repository('file:///above/b', 'other')), []);
    assert.deepEqual(await watched(repository('file:///above', 'own'), analytics), ['own']);
  });
});

describe('following the branch of Git', () => {
  it('switches the branch of each folder whose setting is on, whichever folder is in use', async () => {
    let follows = (name: string): boolean => name !== 'off';
    let change = (_: object): void => undefined;
    let activate = (_: object): void => undefined;
    const folders = ['used', 'on', 'off'].map((name) => ({ name, uri: `file:///${name}` }));
    const mainBranches: Record<string, string> = { on: 'branch of on', off: 'branch of off' };
    const nothing = (): object => ({ dispose: () => undefined });
    const foldersChanged = event();
    const api = {
      repositories: [{ state: { onDidChange: nothing } }],
      onDidOpenRepository: nothing,
      onDidCloseRepository: nothing,
      getRepository: (uri: string) => ({ state: { HEAD: { name: `branch of ${uri.slice(8)}` } } }),
    };
    const { Branches: Made, followGit } = await loadWithEditor<{
      Branches: new (memento: object) => Branches;
      followGit(branches: Branches): object;
    }>('vscode/connection/branches.ts', {
      Disposable: { from: nothing },
      extensions: { getExtension: () => ({ activate: () => Promise.resolve({ getAPI: () => api }) }) },
      window: { onDidChangeActiveTextEditor: (listener: typeof activate) => ((activate = listener), nothing()) },
      workspace: {
        workspaceFolders: folders,
        getWorkspaceFolder: (uri?: string) => folders.find((folder) => folder.uri === uri),
        getConfiguration: (_section: string, { name }: { name: string }) => ({
          get: (key: string) =>
            key === 'followGitBranch' ? follows(name) : key === 'mainBranch' ? mainBranches[name] : undefined,
        }),
        onDidChangeConfiguration: (listener: typeof change) => ((change = listener), nothing()),
        onDidChangeWorkspaceFolders: foldersChanged.on,
      },
    });
    const branches = new Made(mementoOn());
    followGit(branches);
    const names = (): string[] => folders.map((folder) => branches.currentIn(folder as never).name);
    await becomes(names, ['branch of used', 'branch of on', '']);
    const areDefault = folders.map((folder) => branches.currentIn(folder as never).isDefault);
    assert.deepEqual(areDefault, [false, true, true], 'each folder has its own main branch');
    // Another branch than that of a folder whose setting is off is offered, until the user has chosen one.
    activate({ document: { uri: 'file:///off' } });
    const off = folders[2] as never;
    const offers = ['branch of off', 'another', 'third', 'another'].map((name) => {
      branches.checkOut(off, name);
      return branches.offeredByGit;
    });
    assert.deepEqual(offers, ['', 'another', 'third', 'another']);
    await branches.declineOffer();
    assert.equal(branches.offeredByGit, '');
    branches.checkOut(off, 'third');
    await branches.switchTo('mine');
    assert.equal(branches.offeredByGit, '');
    branches.checkOut(off, 'another');
    assert.equal(branches.offeredByGit, '', 'once for each branch');
    branches.checkOut(off, 'branch of off');
    assert.equal(branches.offeredByGit, 'branch of off');
    follows = () => true;
    change({ affectsConfiguration: () => true });
    await becomes(names, ['branch of used', 'branch of on', 'branch of off']);
    activate({ document: { uri: 'file:///on' } });
    assert.equal(branches.label, 'branch of on');
    // A file outside of all folders, such as the settings.
    activate({ document: { uri: 'file:///elsewhere' } });
    assert.equal(branches.label, 'branch of on');
    let changes = 0;
    branches.onDidChange(() => (changes += 1));
    folders.splice(2, 1);
    foldersChanged.fire();
    assert.deepEqual([branches.label, changes], ['branch of on', 0]);
    folders.splice(1, 1);
    foldersChanged.fire();
    assert.deepEqual([branches.label, changes], ['branch of used', 1], 'the folder in use was removed');
  });
});

describe('the state of a file in Git', () => {
  const change = (uri: string) => ({ uri: { toString: () => uri } });
  const pushed = { name: 'dev', ahead: 0, upstream: { remote: 'origin', name: 'dev' } };
  for (const [what, state, expected] of [
    ['pushed', {}, { branch: 'dev', isPushed: true }],
    ['pushed, beside another that is not', { workingTreeChanges: [change('b')] }, { branch: 'dev', isPushed: true }],
    ['changed', { workingTreeChanges: [change('b'), change('a')] }, { branch: 'dev', isPushed: false }],
    ['staged', { indexChanges: [change('a')] }, { branch: 'dev', isPushed: false }],
    ['untracked', { untrackedChanges: [change('a')] }, { branch: 'dev', isPushed: false }],
    ['committed', { HEAD: { ...pushed, ahead: 1 } }, { branch: 'dev', isPushed: false }],
    ['on a branch that was never pushed', { HEAD: { name: 'dev' } }, { branch: 'dev', isPushed: false }],
    ['on no branch', { HEAD: {} }, undefined],
  ] as const)
    it(`is ${what}`, async () => {
      const usual = { HEAD: pushed, workingTreeChanges: [], indexChanges: [] };
      const api = { getRepository: () => ({ state: { ...usual, ...state } }) };
      const { pushStateOf } = await loadWithEditor<{ pushStateOf(uri: object): Promise<object | undefined> }>(
        'vscode/host/git.ts',
        { extensions: { getExtension: () => ({ activate: () => Promise.resolve({ getAPI: () => api }) }) } },
      );
      assert.deepEqual(await pushStateOf({ toString: () => 'a' }), expected);
    });
});
