/**
 * The data model of a workspace folder: its files on disk, and their versions at the merge base with the main branch.
 */
import * as vscode from 'vscode';
import { isModelFile, membersIn } from '../../model/members.ts';
import type { Unpushed } from '../../evals/check/plan.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { t } from '../../shared/text/l10n.ts';
import { ADDED, gitRepositoryOf, UNTRACKED, type GitChange, type GitRepository } from '../host/git.ts';
import { pathsIn, readModel } from '../model/modelFiles.ts';

/** The paths are relative to the folder. */
export interface ModelVersions {
  folder: vscode.WorkspaceFolder;
  branch: string;
  before: readonly SourceFile[];
  after: readonly SourceFile[];
  /** Changed files, which may be outside of the usual folders of model files. */
  changed: readonly string[];
  unpushed: Unpushed;
}

/**
 * @param main name of the main branch
 * @throws Error with a message for the user
 */
export async function modelVersions(folder: vscode.WorkspaceFolder, main: string): Promise<ModelVersions> {
  const repository = await gitRepositoryOf(folder.uri);
  if (!repository) throw new Error(t('“{0}” is not in a Git repository that VS Code has opened.', folder.name));
  await repository.status();
  const { HEAD } = repository.state;
  const branch = HEAD?.name;
  if (HEAD === undefined || branch === undefined)
    throw new Error(t('No branch is checked out. Check out the branch with your change.'));
  if (branch === main)
    throw new Error(t('“{0}” is the main branch. Create a branch for your change, then check again.', main));
  const base = await mergeBase(repository, main);
  if (base === undefined)
    throw new Error(t('Git has no branch “{0}”. Set the setting `analyticsChat.mainBranch`.', main));

  const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [] } = repository.state;
  const local = [...indexChanges, ...workingTreeChanges, ...mergeChanges, ...untrackedChanges];
  const changes = [...(await repository.diffWith(base)), ...local.filter(({ status }) => status === UNTRACKED)];
  const isModel = ({ uri }: GitChange): boolean => isModelFile(uri.path);
  const changed = pathsIn(
    folder,
    changes.filter(isModel).flatMap(({ uri, originalUri }) => [uri, originalUri]),
  );
  const after = await readModel(folder, changed);
  const old = changes.filter((change) => isModel(change) && change.status !== ADDED && change.status !== UNTRACKED);
  const before = await Promise.all(
    old.flatMap(({ originalUri }) =>
      pathsIn(folder, [originalUri]).map(async (path) => ({
        path,
        text: await repository.show(base, originalUri.fsPath),
      })),
    ),
  );
  const models = new Set([...before, ...after].flatMap((file) => (membersIn(file).length > 0 ? [file.path] : [])));
  const unsaved = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri);
  return {
    folder,
    branch,
    before: [...before, ...after.filter(({ path }) => !changed.includes(path))],
    after,
    changed,
    unpushed: {
      branch,
      unsaved: pathsIn(folder, unsaved).filter((path) => models.has(path)),
      uncommitted: pathsIn(
        folder,
        local.map(({ uri }) => uri),
      ).filter((path) => models.has(path)),
      commits: HEAD.upstream && HEAD.ahead,
    },
  };
}

/** Prefers the upstream branch, because the service uses pushed commits. */
async function mergeBase(repository: GitRepository, main: string): Promise<string | undefined> {
  // Git would parse the name as an option.
  if (main.startsWith('-')) return undefined;
  const upstream = await repository.getBranch(main).then(
    (branch) => branch.upstream,
    () => undefined,
  );
  for (const name of [...(upstream ? [`${upstream.remote}/${upstream.name}`] : []), main, `origin/${main}`]) {
    const base = await repository.getMergeBase(name, 'HEAD');
    if (base) return base;
  }
  return undefined;
}
