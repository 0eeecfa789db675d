/** Branch names out of the built-in git extension, where there is one. */
import * as vscode from 'vscode';

/** The part of the git extension's API that is used. */
interface GitRepository {
  state: { HEAD?: { name?: string }; onDidChange: vscode.Event<void> };
  getBranches?(query: { remote?: boolean }): Promise<{ name?: string }[]>;
}
interface GitApi {
  repositories: GitRepository[];
  onDidOpenRepository: vscode.Event<GitRepository>;
}
interface GitExtension {
  getAPI(version: 1): GitApi;
}

async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) return undefined;
  try {
    return (await extension.activate()).getAPI(1);
  } catch {
    // Git is switched off, or not installed.
    return undefined;
  }
}

/** @returns the names of all local branches of the workspace's repositories; empty without git */
export async function gitBranches(): Promise<string[]> {
  const repositories = (await gitApi())?.repositories ?? [];
  const found = await Promise.all(repositories.map((repository) => repository.getBranches?.({ remote: false }) ?? []));
  return [...new Set(found.flat().flatMap(({ name }) => name ?? []))];
}

/**
 * Watches which branch is checked out in the workspace's first repository.
 * @param onBranch called with its name now and at each change
 */
export async function watchGitBranch(onBranch: (name: string) => void): Promise<vscode.Disposable> {
  const api = await gitApi();
  if (!api) return { dispose: () => undefined };
  const subscriptions: vscode.Disposable[] = [];
  let last: string | undefined;
  const follow = (repository: GitRepository): void => {
    const look = (): void => {
      const name = repository.state.HEAD?.name;
      if (name !== undefined && name !== last) onBranch((last = name));
    };
    subscriptions.push(repository.state.onDidChange(look));
    look();
  };
  const [first] = api.repositories;
  if (first) follow(first);
  else {
    const opened = api.onDidOpenRepository((repository) => {
      opened.dispose();
      follow(repository);
    });
    subscriptions.push(opened);
  }
  return { dispose: () => subscriptions.forEach((subscription) => subscription.dispose()) };
}
