import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loadWithEditor } from '../../../support/withEditor.ts';

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
    }>('vscode/connection/git.ts', {
      extensions: { getExtension: () => ({ activate: () => Promise.resolve({ getAPI: () => api }) }) },
      workspace: { workspaceFolders: [folder], onDidChangeWorkspaceFolders: folders.on },
    });
    const names: string[] = [];
    const watch = await watchGitBranches((_, name) => names.push(name));
    repository.state.HEAD = { name: 'dev' };
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
