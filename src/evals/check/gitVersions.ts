/** Decides which versions of which files a check compares; git itself is behind `GitSource`. */
import { isModelFile, membersIn } from '../../model/members.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { isAgentFile } from './agentChanges.ts';
import type { Unpushed } from './plan.ts';

/** One repository. All paths are relative to the folder that is checked, with `/`. */
export interface GitSource {
  /** Path of the repository, to show. */
  path: string;
  /** The checked-out branch; undefined if HEAD is detached. */
  branch: string | undefined;
  /** @returns the remote branch that a local branch follows, such as `origin/main` */
  upstreamOf(branch: string): Promise<string | undefined>;
  /** @returns the newest commit that HEAD and a branch have in common; undefined if git knows none */
  mergeBase(name: string): Promise<string | undefined>;
  /** @returns the tracked files that differ from a commit on disk, and the untracked ones; `isNew` if not in the commit */
  changedSince(commit: string): Promise<readonly { path: string; isNew?: boolean }[]>;
  /** @returns the text of files in a commit */
  textsAt(commit: string, paths: readonly string[]): Promise<readonly SourceFile[]>;
  /** @returns all files on disk that may define members, and these */
  read(paths: readonly string[]): Promise<readonly SourceFile[]>;
  /** Paths of files that are too large to be compared or not UTF-8, and therefore left out of one of the versions. */
  readonly skipped: ReadonlySet<string>;
  /** @returns the files that differ from the last commit, and the number of commits that are not pushed */
  local(): Promise<{ uncommitted: readonly string[]; commits: number | undefined }>;
}

export interface GitVersions {
  branch: string | undefined;
  before: readonly SourceFile[];
  after: readonly SourceFile[];
  /** Changed files, which may be outside of the usual folders of model files. */
  changed: readonly string[];
  /** Paths of files that are too large to be compared, or not UTF-8. */
  skipped: readonly string[];
  /** Paths of repositories inside that have files of the data model, but no version to compare with. */
  unrelated: readonly string[];
  /** What the service does not have yet of the files that define members or steer the agent. */
  unpushed: Omit<Unpushed, 'branch' | 'unsaved'>;
}

/** Whether a changed file may concern answers. */
const isChecked = (path: string, agentsPath: string | undefined): boolean =>
  isModelFile(path) || isAgentFile(path, agentsPath) || /\.(?:py|json)$/i.test(path);

/**
 * @returns the names to compare with, best first: what the service has is on the remote, and a local branch may be older.
 * A name such as `origin/main` means that branch.
 */
export const baseNames = (base: string, upstream: string | undefined): string[] =>
  // Git would parse the name as an option.
  base.startsWith('-') ? [] : [...new Set([...(upstream === undefined ? [] : [upstream]), `origin/${base}`, base])];

/**
 * Combines the repository of the folder with those inside of it, such as submodules, that have files of the data model.
 * @param sources the repositories
 * @param isInside whether the first one contains the folder
 * @param agentsPath the folder of the platform's files
 * @returns undefined if git knows no version to compare with
 */
export async function versionsSince(
  sources: readonly GitSource[],
  isInside: boolean,
  base: string,
  agentsPath?: string,
): Promise<GitVersions | undefined> {
  const used: Omit<GitVersions, 'unrelated'>[] = [];
  const unrelated: string[] = [];
  const [branches, otherBranches]: [string[], string[]] = [[], []];
  for (const [index, source] of sources.entries()) {
    const versions = await versionsOf(source, base, agentsPath);
    const files = versions ? [...versions.after, ...versions.before] : await source.read([]);
    const hasModel = files.some((file) => membersIn(file).length > 0);
    if (versions === undefined && (hasModel || sources.length === 1)) unrelated.push(source.path);
    if (source.branch !== undefined) (versions && hasModel ? branches : otherBranches).push(source.branch);
    if (versions && (hasModel || (isInside && index === 0))) used.push(versions);
  }
  if (used.length === 0 && unrelated.length > 0) return undefined;
  const commits = used.map(({ unpushed }) => unpushed.commits);
  return {
    // A submodule may have none.
    branch: [...branches, ...otherBranches][0],
    before: used.flatMap(({ before }) => before),
    after: used.flatMap(({ after }) => after),
    changed: used.flatMap(({ changed }) => changed),
    skipped: used.flatMap(({ skipped }) => skipped),
    unrelated,
    unpushed: {
      uncommitted: used.flatMap(({ unpushed }) => unpushed.uncommitted),
      commits: commits.includes(undefined) ? undefined : commits.reduce<number>((sum, each) => sum + (each ?? 0), 0),
    },
  };
}

async function versionsOf(
  source: GitSource,
  base: string,
  agentsPath: string | undefined,
): Promise<Omit<GitVersions, 'unrelated'> | undefined> {
  const commit = await commonCommit(source, base);
  if (commit === undefined) return undefined;
  const all = await source.changedSince(commit);
  const changes = all.filter(({ path }) => isChecked(path, agentsPath));
  const changed = changes.map(({ path }) => path);
  const old = changes.flatMap(({ path, isNew }) => (isNew ? [] : [path]));
  const [after, before, { uncommitted, commits }] = await Promise.all([
    source.read(changed),
    source.textsAt(commit, old),
    source.local(),
  ]);
  const { skipped } = source;
  // A file that is skipped in one version has not been added or deleted.
  const isRead = ({ path }: SourceFile): boolean => !skipped.has(path);
  const isChanged = new Set(changed);
  const versions = [...before, ...after].filter(({ path }) => isChanged.has(path));
  const shown = new Set(versions.filter((file) => membersIn(file).length > 0).map(({ path }) => path));
  const isShown = (path: string): boolean => isChanged.has(path) && (shown.has(path) || isAgentFile(path, agentsPath));
  return {
    branch: source.branch,
    before: [...before, ...after.filter(({ path }) => !isChanged.has(path))].filter(isRead),
    after: after.filter(isRead),
    changed,
    skipped: [...skipped],
    unpushed: { uncommitted: uncommitted.filter(isShown), commits },
  };
}

async function commonCommit(source: GitSource, base: string): Promise<string | undefined> {
  const names = baseNames(base, await source.upstreamOf(base));
  const commits = await Promise.all(names.map((name) => source.mergeBase(name)));
  return commits.find((commit) => commit !== undefined);
}
