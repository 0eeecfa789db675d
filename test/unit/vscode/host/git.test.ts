/** The branches that Git has checked out in the folders of the workspace, and whether a file is pushed. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as git from '../../../../src/vscode/host/git.ts';
import type * as branching from '../../../../src/vscode/connection/branches.ts';
import { becomes, Editor, EventEmitter, mementoOn, settled, TextDocument, TextEditor, Uri } from '../support.ts';

const repository = (path: string, name: string) => {
  const changed = new EventEmitter<void>();
  return { rootUri: Uri.file(path), changed, state: { HEAD: { name } as object, onDidChange: changed.event } };
};
type Repository = ReturnType<typeof repository>;

let editor: Editor;
let opened: EventEmitter<Repository>;
let closed: EventEmitter<Repository>;
let module: typeof git & typeof branching;
beforeEach(async () => {
  [editor, opened, closed] = [new Editor(), new EventEmitter(), new EventEmitter()];
  module = await editor.load('host/git', 'connection/branches');
});

function useGit(repositories: readonly Repository[], ...folders: string[]): void {
  const getRepository = ({ path }: Uri): object | null =>
    repositories.find(({ rootUri }) => path === rootUri.path || path.startsWith(`${rootUri.path}/`)) ?? null;
  editor.git = { repositories, getRepository, onDidOpenRepository: opened.event, onDidCloseRepository: closed.event };
  editor.folders = folders.map((path, index) => ({ name: path.slice(1), uri: Uri.file(path), index }));
}

describe('the watch of Git branches', () => {
  it('follows a repository until it is closed, and reports each branch once, as the user may switch to another', async () => {
    const one = repository('/shop', 'main');
    useGit([one], '/shop');
    const names: string[] = [];
    const watch = await module.watchGitBranches(({ name: folder }, name) => names.push(`${folder} ${name}`));
    const checkOut = (name: string): void => {
      one.state.HEAD = { name };
      for (const _ of [1, 2]) one.changed.fire();
    };
    checkOut('dev');
    editor.folders = ['/shop', '/shop/inside'].map((path, index) => ({ name: path, uri: Uri.file(path), index }));
    editor.fire('onDidChangeWorkspaceFolders');
    closed.fire(one);
    checkOut('unseen');
    one.state.HEAD = { name: 'opened' };
    opened.fire(one);
    watch.dispose();
    checkOut('late');
    opened.fire(one);
    editor.fire('onDidChangeWorkspaceFolders');
    assert.deepEqual(names, ['shop main', 'shop dev', '/shop/inside dev', '/shop opened', '/shop/inside opened']);
  });

  it('follows the only repository inside of a folder, and none of several', async () => {
    const inside = repository('/above/a', 'dev');
    for (const [repositories, expected] of [
      [[inside, repository('/above-it/b', 'other')], 'dev'],
      [[inside, repository('/above/b', 'other')], ''],
      [[repository('/above', 'own'), inside], 'own'],
    ] as const) {
      useGit(repositories, '/above');
      const names: string[] = [];
      await module.watchGitBranches((_, name) => names.push(name));
      assert.equal(names.join(), expected);
    }
  });
});

it('the repositories of a folder are its own and those inside, once Git has found them', async () => {
  const paths = ['/above', '/above/a', '/above-it', '/above/tree'];
  const [changed, repositories] = [new EventEmitter<void>(), paths.map((path) => repository(path, ''))];
  Object.assign(repositories[3]!, { kind: 'worktree' });
  useGit(repositories, '/above');
  Object.assign(editor.git!, { state: 'uninitialized', onDidChangeState: changed.event, repositories: [] });
  for (const folder of ['/above', '/above/']) {
    const found = module.gitRepositoriesOf(Uri.file(folder) as never);
    await settled();
    Object.assign(editor.git!, { repositories });
    changed.fire();
    const { own, inside } = await found;
    const paths = [own, ...inside].map((each) => each?.rootUri.path);
    assert.deepEqual([paths, changed.size], [['/above', '/above/a'], 0]);
  }
});

describe('following the branch of Git', () => {
  it('switches the branch of each folder whose setting is on, whichever folder is in use', async () => {
    const repositories = ['used', 'on', 'off'].map((name) => repository(`/${name}`, `branch of ${name}`));
    useGit(repositories, '/used', '/on', '/off', '/without');
    const [used, on, off] = editor.folders as never as [never, never, never];
    editor.settings = {
      ...{ 'used followGitBranch': true, 'on followGitBranch': true, 'on branches': ['offered in on'] },
      ...{ 'on mainBranch': 'branch of on', 'off mainBranch': 'branch of off' },
    };
    editor.active = new TextEditor(new TextDocument('/on/a.sql', ''));
    const branches = new module.Branches(mementoOn() as never);
    let changes = 0;
    branches.onDidChange(() => (changes += 1));
    const following = module.followGit(branches);
    const all = [used, on, off];
    const names = (): string[] => all.map((folder) => branches.currentIn(folder).name);
    await becomes(names, ['branch of used', 'branch of on', '']);
    const areDefault = all.map((folder) => branches.currentIn(folder).isDefault);
    assert.deepEqual(areDefault, [false, true, true], 'each folder has its own main branch');
    assert.deepEqual([branches.label, branches.offered, changes], ['branch of on', ['offered in on'], 3]);
    // Another branch than that of a folder whose setting is off is offered, until the user has chosen one.
    const activate = (path: string): void =>
      editor.fire('onDidChangeActiveTextEditor', new TextEditor(new TextDocument(path, '')));
    activate('/off/a.sql');
    const [main, own] = ['main', 'branch of off'].map((name) => branches.contextOn(name));
    assert.deepEqual([main?.isDefaultBranch, own?.isDefaultBranch], [false, true]);
    const offers = ['branch of off', 'another', 'third', 'another'].map((name) => {
      branches.checkOut(off, name);
      return branches.offeredByGit;
    });
    assert.deepEqual([offers, changes], [['', 'another', 'third', 'another'], 8]);
    await branches.declineOffer();
    assert.deepEqual([branches.offeredByGit, changes], ['', 9]);
    branches.checkOut(off, 'third');
    await branches.switchTo('mine');
    assert.equal(branches.offeredByGit, '');
    branches.checkOut(off, 'another');
    assert.equal(branches.offeredByGit, '', 'once for each branch');
    branches.checkOut(off, 'branch of off');
    await branches.switchTo('mine', on);
    assert.equal(branches.offeredByGit, 'branch of off', 'not of the other folder');
    editor.settings['followGitBranch'] = true;
    for (const key of ['mainBranch', 'followGitBranch'])
      editor.fire('onDidChangeConfiguration', { affectsConfiguration: (each: string) => each.endsWith(key) });
    await becomes(names, ['branch of used', 'branch of on', 'branch of off']);
    activate('/on/a.sql');
    assert.equal(branches.label, 'branch of on');
    // A file outside of all folders, such as the settings.
    activate('/elsewhere/a.json');
    assert.equal(branches.label, 'branch of on');
    changes = 0;
    for (const [folders, label, count] of [
      [[used, on], 'branch of on', 0],
      [[used], 'branch of used', 1],
    ] as const) {
      editor.folders = folders;
      editor.fire('onDidChangeWorkspaceFolders');
      assert.deepEqual([branches.label, changes], [label, count]);
    }
    editor.folders = all;
    editor.settings['followGitBranch'] = false;
    for (let at = 0; at <= 100; at += 1) {
      branches.checkOut(off, `branch ${at}`);
      await branches.declineOffer(off);
    }
    activate('/off/a.sql');
    assert.equal(branches.offeredByGit, '', 'the last of many answers');
    following.dispose();
    branches.dispose();
    await settled();
    assert.equal(editor.listening, 0);
    repositories[0]!.state.HEAD = { name: 'late' };
    repositories[0]!.changed.fire();
    assert.equal(branches.currentIn(used).name, 'branch of used');
  });
});

describe('the state of a file in Git', () => {
  const change = (path: string) => ({ uri: Uri.file(path) });
  const pushed = { name: 'dev', ahead: 0, upstream: { remote: 'origin', name: 'dev' } };
  const followsMain = { name: 'dev', ahead: 1, upstream: { remote: 'origin', name: 'main' } };
  const followsFork = { ...followsMain, upstream: { remote: 'fork', name: 'main' } };
  const commits: Record<string, string> = { 'origin/dev': '2', 'fork/dev': '3' };
  for (const [what, state, isPushed] of [
    ['pushed', {}, true],
    ['pushed, beside another that is not', { workingTreeChanges: [change('/b')] }, true],
    ['changed', { workingTreeChanges: [change('/b'), change('/a')] }, false],
    ['staged', { indexChanges: [change('/a')] }, false],
    ['untracked', { untrackedChanges: [change('/a')] }, false],
    ['committed', { HEAD: { ...pushed, ahead: 1 } }, false],
    ['on a branch that was never pushed', { HEAD: { name: 'dev', commit: '1' } }, false],
    ['pushed on a branch that follows no other', { HEAD: { name: 'dev', commit: '2' } }, true],
    ['pushed on a branch that follows another one', { HEAD: { ...followsMain, commit: '2' } }, true],
    ['committed on a branch that follows another one', { HEAD: { ...followsMain, commit: '3' } }, false],
    ['pushed to another remote', { HEAD: { ...followsFork, commit: '3' } }, true],
    ['of a remote that is gone', { HEAD: { ...followsMain, upstream: { remote: 'gone', name: 'dev' } } }, false],
    ['on no branch', { HEAD: {} }, undefined],
  ] as const)
    it(`is ${what}`, async () => {
      editor.git = {
        getRepository: () => ({
          state: { HEAD: pushed, workingTreeChanges: [], indexChanges: [], ...state },
          getBranch: (name: string) =>
            commits[name] ? Promise.resolve({ name, commit: commits[name] }) : Promise.reject(new Error('No branch')),
        }),
      };
      const expected = isPushed === undefined ? undefined : { branch: 'dev', isPushed };
      assert.deepEqual(await module.pushStateOf(Uri.file('/a') as never), expected);
    });
});
