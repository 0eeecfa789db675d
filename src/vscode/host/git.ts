/** Reads and watches Git repositories through the built-in Git extension, if it is available. */
import * as vscode from 'vscode';

/** A changed file. `status` is that of the Git extension. */
export interface GitChange {
  uri: vscode.Uri;
  /** Differs from `uri` if the file was renamed. */
  originalUri: vscode.Uri;
  status: number;
}

/** The values of `GitChange.status` that are used. */
export const ADDED = 1;
export const UNTRACKED = 7;

interface GitBranch {
  name?: string;
  commit?: string;
  /** Number of commits that are not in the upstream branch; absent without one. */
  ahead?: number;
  upstream?: { remote: string; name: string };
}

/** A repository in the API of the Git extension, with the members that are used. */
export interface GitRepository {
  rootUri: vscode.Uri;
  kind?: 'repository' | 'submodule' | 'worktree';
  state: {
    HEAD?: GitBranch;
    indexChanges: GitChange[];
    workingTreeChanges: GitChange[];
    mergeChanges: GitChange[];
    /** Set if the setting `git.untrackedChanges` lists untracked files separately. */
    untrackedChanges?: GitChange[];
    onDidChange: vscode.Event<void>;
  };
  getBranches(query: { remote: boolean }): Promise<GitBranch[]>;
  /** Rejects if there is no such branch. */
  getBranch(name: string): Promise<GitBranch>;
  /** Refreshes `state`, which the Git extension otherwise updates with a delay. */
  status(): Promise<void>;
  getMergeBase(first: string, second: string): Promise<string | undefined>;
  /** Compares the files on disk with a commit; untracked files are not included. */
  diffWith(commit: string): Promise<GitChange[]>;
  /** Text of a file in a commit. */
  show(commit: string, path: string): Promise<string>;
}
interface GitApi {
  state: 'uninitialized' | 'initialized';
  onDidChangeState: vscode.Event<'uninitialized' | 'initialized'>;
  repositories: GitRepository[];
  onDidOpenRepository: vscode.Event<GitRepository>;
  onDidCloseRepository: vscode.Event<GitRepository>;
  getRepository(uri: vscode.Uri): GitRepository | null;
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
    // Git is disabled or not installed.
    return undefined;
  }
}

interface FolderRepositories {
  /** The repository that contains the folder. */
  own: GitRepository | undefined;
  /** Those inside of it, such as submodules. */
  inside: readonly GitRepository[];
}

/** @returns the repositories of a folder, after the Git extension has searched for them */
export async function gitRepositoriesOf(folder: vscode.Uri): Promise<FolderRepositories> {
  const api = await gitApi();
  if (api?.state === 'uninitialized')
    await new Promise<void>((resolve) => {
      const listener = api.onDidChangeState(() => {
        listener.dispose();
        resolve();
      });
    });
  if (!api) return { own: undefined, inside: [] };
  const own = api.getRepository(folder) ?? undefined;
  // A worktree has another branch of the same files.
  const isOther = (each: GitRepository): boolean => each !== own && !(own && each.kind === 'worktree');
  return { own, inside: repositoriesIn(api, folder).filter(isOther) };
}

const repositoriesIn = ({ repositories }: GitApi, folder: vscode.Uri): GitRepository[] =>
  repositories.filter(({ rootUri }) => rootUri.toString().startsWith(`${folder.toString().replace(/\/$/, '')}/`));

function onlyRepositoryIn(api: GitApi, folder: vscode.Uri): GitRepository | undefined {
  const [first, second] = repositoriesIn(api, folder);
  return second ? undefined : first;
}

/** @returns the names of all local branches in the open repositories that Git can read; empty without Git */
export async function gitBranches(): Promise<string[]> {
  const repositories = (await gitApi())?.repositories ?? [];
  const found = await Promise.all(
    repositories.map((repository) => repository.getBranches({ remote: false }).catch(() => [])),
  );
  return [...new Set(found.flat().flatMap(({ name }) => name ?? []))];
}

/** @returns the number of commits that the remote lacks; undefined if it has no branch to compare with */
export async function unpushedCommits(repository: GitRepository): Promise<number | undefined> {
  const { HEAD } = repository.state;
  if (HEAD?.name === undefined || (HEAD.upstream && HEAD.ahead === 0)) return HEAD?.ahead;
  // A branch that was created from `origin/main` follows that one, and may be pushed under its own name.
  const pushed = await repository.getBranch(`${HEAD.upstream?.remote ?? 'origin'}/${HEAD.name}`).catch(() => undefined);
  const isPushed = pushed?.commit !== undefined && pushed.commit === HEAD.commit;
  return isPushed ? 0 : HEAD.upstream && HEAD.ahead;
}

export interface PushState {
  /** The checked-out branch. */
  branch: string;
  /** Whether the file has no uncommitted changes, and the branch no commits that its remote lacks. */
  isPushed: boolean;
}

/** @returns undefined if the file is in no repository with a branch */
export async function pushStateOf(uri: vscode.Uri): Promise<PushState | undefined> {
  const repository = (await gitApi())?.getRepository(uri);
  const branch = repository?.state.HEAD?.name;
  if (!repository || branch === undefined) return undefined;
  const { workingTreeChanges, indexChanges, untrackedChanges = [] } = repository.state;
  const changes = [...workingTreeChanges, ...indexChanges, ...untrackedChanges];
  const isCommitted = !changes.some((change) => change.uri.toString() === uri.toString());
  return { branch, isPushed: isCommitted && (await unpushedCommits(repository)) === 0 };
}

/**
 * Watches the checked-out branch of each workspace folder's repository, or of the only one inside the folder.
 * @param onBranch called with the branch name, initially and after each change
 */
export async function watchGitBranches(
  onBranch: (folder: vscode.WorkspaceFolder, name: string) => void,
): Promise<vscode.Disposable> {
  const api = await gitApi();
  if (!api) return { dispose: () => undefined };
  const last = new Map<string, string>();
  const report = (): void => {
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const key = folder.uri.toString();
      const repository = api.getRepository(folder.uri) ?? onlyRepositoryIn(api, folder.uri);
      const name = repository?.state.HEAD?.name;
      if (name === undefined || name === last.get(key)) continue;
      last.set(key, name);
      onBranch(folder, name);
    }
  };
  const listeners = new Map<GitRepository, vscode.Disposable>();
  const follow = (repository: GitRepository): void => {
    listeners.set(repository, repository.state.onDidChange(report));
    report();
  };
  const unfollow = (repository: GitRepository): void => {
    listeners.get(repository)?.dispose();
    listeners.delete(repository);
  };
  const subscriptions = [
    api.onDidOpenRepository(follow),
    api.onDidCloseRepository(unfollow),
    vscode.workspace.onDidChangeWorkspaceFolders(report),
  ];
  api.repositories.forEach(follow);
  return { dispose: () => [...subscriptions, ...listeners.values()].forEach((each) => void each.dispose()) };
}
