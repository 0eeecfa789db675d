/**
 * The files of the data model and the agent in a workspace folder: on disk, and their versions at the merge base with the
 * main branch.
 */
import * as vscode from 'vscode';
import { versionsSince, type GitSource, type GitVersions } from '../../evals/check/gitVersions.ts';
import type { Unpushed } from '../../evals/check/plan.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { t } from '../../shared/text/l10n.ts';
import {
  ADDED,
  gitRepositoriesOf,
  unpushedCommits,
  UNTRACKED,
  type GitChange,
  type GitRepository,
} from '../host/git.ts';
import { readSettings } from '../host/settings.ts';
import { pathsIn, readModel } from '../model/modelFiles.ts';

/** The paths are relative to the folder. */
export interface ModelVersions extends Pick<GitVersions, 'before' | 'after' | 'changed'> {
  folder: vscode.WorkspaceFolder;
  branch: string;
  unpushed: Unpushed;
}

/**
 * @param main name of the main branch
 * @returns undefined if it is checked out
 * @throws Error with a message for the user
 */
export async function modelVersions(folder: vscode.WorkspaceFolder, main: string): Promise<ModelVersions | undefined> {
  const { own, inside } = await gitRepositoriesOf(folder.uri);
  const repositories = [...(own ? [own] : []), ...inside];
  if (repositories.length === 0)
    throw new Error(t('“{0}” is not in a Git repository that VS Code has opened.', folder.name));
  for (const repository of repositories) await repository.status();
  const sources = repositories.map((repository) => sourceOf(repository, folder, repositories));
  const versions = await versionsSince(sources, own !== undefined, main, readSettings(folder).agentsPath);
  const branch = versions ? versions.branch : sources.find((source) => source.branch !== undefined)?.branch;
  if (branch === undefined) throw new Error(t('No branch is checked out. Check out the branch with your change.'));
  if (branch === main) return undefined;
  if (versions === undefined || versions.unrelated.length > 0)
    throw new Error(t('Git has no branch “{0}”. Set the setting `analyticsChat.mainBranch`.', main));
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri);
  const checked = new Set([...versions.before, ...versions.after].map(({ path }) => path));
  const unsaved = pathsIn(folder, dirty).filter((path) => checked.has(path));
  return { ...versions, folder, branch, unpushed: { ...versions.unpushed, branch, unsaved } };
}

/** @param all the repositories in and around the folder; a file belongs to the innermost one */
function sourceOf(repository: GitRepository, folder: vscode.WorkspaceFolder, all: readonly GitRepository[]): GitSource {
  const { HEAD, indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [] } = repository.state;
  const local = [...indexChanges, ...workingTreeChanges, ...mergeChanges, ...untrackedChanges];
  const paths = (uris: readonly vscode.Uri[]): string[] => pathsIn(folder, uris);
  /** Absolute paths in the commit, by path in the folder. */
  const former = new Map<string, string>();
  const isOwn = (path: string): boolean => {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const roots = all.filter(({ rootUri }) => isIn(uri, rootUri));
    return (
      roots.every(({ rootUri }) => rootUri.path.length <= repository.rootUri.path.length) && roots.includes(repository)
    );
  };
  const changeOf = ({ uri, originalUri, status }: GitChange): { path: string; isNew?: boolean }[] => {
    for (const path of paths([originalUri])) former.set(path, originalUri.fsPath);
    if (status === ADDED || status === UNTRACKED) return paths([uri]).map((path) => ({ path, isNew: true }));
    const isRenamed = uri.toString() !== originalUri.toString();
    const renamed = isRenamed ? paths([uri]).map((path) => ({ path, isNew: true })) : [];
    return [...renamed, ...paths([originalUri]).map((path) => ({ path }))];
  };
  return {
    path: vscode.workspace.asRelativePath(repository.rootUri),
    branch: HEAD?.name,
    skipped: new Set(),
    upstreamOf: (branch) =>
      repository.getBranch(branch).then(
        ({ upstream }) => upstream && `${upstream.remote}/${upstream.name}`,
        () => undefined,
      ),
    mergeBase: (name) => repository.getMergeBase(name, 'HEAD').catch(() => undefined),
    changedSince: async (commit) =>
      [...(await repository.diffWith(commit)), ...local.filter(({ status }) => status === UNTRACKED)].flatMap(changeOf),
    textsAt: (commit, all) =>
      Promise.all(
        all.map(async (path): Promise<SourceFile> => ({
          path,
          text: await repository.show(commit, former.get(path) ?? vscode.Uri.joinPath(folder.uri, path).fsPath),
        })),
      ),
    read: async (all) => (await readModel(folder, all)).filter(({ path }) => isOwn(path)),
    local: async () => ({
      uncommitted: paths(local.map(({ uri }) => uri)),
      commits: await unpushedCommits(repository),
    }),
  };
}

const isIn = ({ path }: vscode.Uri, { path: root }: vscode.Uri): boolean =>
  path === root || path.startsWith(`${root}/`);
