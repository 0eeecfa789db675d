/** The part of git that `check` needs, in the repository of a folder and in those inside of it. */
import { readFileSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { GitSource } from '../../evals/check/gitVersions.ts';
import { isModelFile } from '../../model/members.ts';
import { messageOf } from '../../shared/text/checks.ts';
import type { SourceFile } from '../../shared/text/sourceFile.ts';
import { runGit, runGitUpTo, withoutFilters } from './gitProgram.ts';
import { UsageError } from '../usage.ts';

/** Bytes of a file. */
const LARGEST_FILE = 5_000_000;
/** Levels of folders in which repositories are searched. */
const MOST_LEVELS = 4;
const NOT_IN = /^(?:\..*|node_modules|dbt_packages|target|dist|venv)$/;
/** Without external programs of the repository's configuration. */
const OWN_DIFF = ['--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=all'];

export interface Repositories {
  /** The folder that paths are relative to. */
  root: string;
  /** The repository that contains the folder, if there is one, then those inside, such as submodules. */
  sources: Repository[];
  isInside: boolean;
}

/** @throws UsageError if the folder neither is in a repository nor contains one */
export async function openRepositories(folder: string): Promise<Repositories> {
  const own = await runGit(folder, 'rev-parse', '--show-toplevel').then(
    (path) => ({ path: path.trimEnd() }),
    (failure: unknown) => ({ failure }),
  );
  const root = 'path' in own ? own.path : folder;
  const all = await repositoriesIn(root, MOST_LEVELS);
  const inside = 'path' in own ? all.filter((path) => !isWorktree(path)) : all;
  if ('failure' in own && inside.length === 0) throw own.failure;
  const paths = 'path' in own ? [root, ...inside] : inside;
  return {
    root,
    sources: await Promise.all(paths.map((path) => Repository.open(path, root))),
    isInside: 'path' in own,
  };
}

/** @returns the repositories, worktrees and submodules in a folder, without itself */
async function repositoriesIn(folder: string, levels: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !NOT_IN.test(entry.name));
  const found: string[] = [];
  for (const { name } of folders) {
    const path = join(folder, name);
    const isRepository = await stat(join(path, '.git')).then(
      () => true,
      () => false,
    );
    if (isRepository) found.push(path);
    if (levels > 1) found.push(...(await repositoriesIn(path, levels - 1)));
  }
  return found;
}

/** Whether a repository is a worktree, which has another branch of the same files. */
function isWorktree(path: string): boolean {
  try {
    return /\/worktrees\/[^/]+$/.test(readFileSync(join(path, '.git'), 'utf8').trimEnd());
  } catch {
    // It is a folder, and not a file with the path of one.
    return false;
  }
}

class Repository implements GitSource {
  readonly path: string;
  readonly branch: string | undefined;
  /** Paths of changed files that are too large to be compared, or not UTF-8. */
  readonly skipped = new Set<string>();
  readonly #root: string;
  /** Path of the repository in the folder that paths are relative to, with a slash at the end. */
  readonly #prefix: string;
  readonly #options: readonly string[];
  #others: Promise<readonly string[]> | undefined;

  private constructor(root: string, prefix: string, options: readonly string[], branch: string | undefined) {
    this.path = relative(process.cwd(), root) || '.';
    this.#root = root;
    this.#prefix = prefix;
    this.#options = options;
    this.branch = branch;
  }

  /** @param top the folder that paths are relative to */
  static async open(root: string, top: string): Promise<Repository> {
    const [branch, options] = await Promise.all([runGit(root, 'branch', '--show-current'), withoutFilters(root)]);
    const path = relative(top, root).split(sep).join('/');
    return new Repository(root, path === '' ? '' : `${path}/`, options, branch.trimEnd() || undefined);
  }

  async upstreamOf(branch: string): Promise<string | undefined> {
    const args = ['rev-parse', '--abbrev-ref', '--verify', '--quiet', `${branch}@{upstream}`];
    return this.#git(...args).then(
      (name) => name.trimEnd() || undefined,
      () => undefined,
    );
  }

  async mergeBase(name: string): Promise<string | undefined> {
    return this.#git('merge-base', '--end-of-options', name, 'HEAD').then(
      (commit) => commit.trimEnd(),
      () => undefined,
    );
  }

  async changedSince(commit: string): Promise<{ path: string; isNew?: boolean }[]> {
    const [tracked, others] = await Promise.all([
      this.#names('diff', ...OWN_DIFF, '--name-status', '-z', commit, '--'),
      this.#untracked(),
    ]);
    const changes: { path: string; isNew?: boolean }[] = [];
    // States and names alternate.
    for (let at = 0; at + 1 < tracked.length; at += 2)
      changes.push({ path: this.#prefix + tracked[at + 1]!, ...(tracked[at] === 'A' ? { isNew: true } : {}) });
    const known = new Set(changes.map(({ path }) => path));
    const untracked = others.filter((path) => !known.has(path));
    return [...changes, ...untracked.map((path) => ({ path, isNew: true }))];
  }

  async textsAt(commit: string, paths: readonly string[]): Promise<SourceFile[]> {
    const files: SourceFile[] = [];
    // One after the other: a reformatted model would start hundreds of processes at once.
    for (const path of paths) {
      const args = ['cat-file', 'blob', `${commit}:${path.slice(this.#prefix.length)}`];
      const text = await runGitUpTo(LARGEST_FILE, this.#root, ...this.#options, ...args);
      if (text === undefined) this.skipped.add(path);
      else files.push(...this.#fileOf(path, text));
    }
    return files;
  }

  /** Excludes deleted files that are still in the index. */
  async read(paths: readonly string[]): Promise<SourceFile[]> {
    const tracked = (await this.#names('ls-files', '-z')).map((path) => this.#prefix + path);
    const all = [...new Set([...[...tracked, ...(await this.#untracked())].filter(isModelFile), ...paths])];
    return all.flatMap((path) => this.#readFile(path));
  }

  async local(): Promise<{ uncommitted: string[]; commits: number | undefined }> {
    const args = ['--no-renames', '--ignore-submodules=all', '--untracked-files=all', '-z'];
    // Two letters and a space come before each name.
    const uncommitted = (await this.#names('status', '--porcelain', ...args)).map(
      (line) => this.#prefix + line.slice(3),
    );
    // A branch that was created from `origin/main` follows that one, and may be pushed under its own name.
    const pushed = ['@{upstream}', ...(this.branch === undefined ? [] : [`refs/remotes/origin/${this.branch}`])];
    const counts = await Promise.all(
      pushed.map((name) => this.#git('rev-list', '--count', `${name}..HEAD`).then(Number, () => Infinity)),
    );
    const commits = Math.min(...counts);
    return { uncommitted, commits: commits === Infinity ? undefined : commits };
  }

  /** Read once, because git searches all folders for them. */
  #untracked(): Promise<readonly string[]> {
    this.#others ??= this.#names('ls-files', '--others', '--exclude-standard', '-z').then((paths) =>
      paths.map((path) => this.#prefix + path),
    );
    return this.#others;
  }

  /** Reads synchronously, which for thousands of small files takes a third of the time, and opens one at a time. */
  #readFile(path: string): SourceFile[] {
    const file = join(this.#root, path.slice(this.#prefix.length));
    try {
      const info = statSync(file);
      if (info.size > LARGEST_FILE) this.skipped.add(path);
      // A folder is another repository.
      return info.size > LARGEST_FILE || !info.isFile() ? [] : this.#fileOf(path, readFileSync(file, 'utf8'));
    } catch (failure) {
      if (['ENOENT', 'ENOTDIR'].includes((failure as NodeJS.ErrnoException).code ?? '')) return [];
      throw new UsageError(`Can’t read ${path}: ${messageOf(failure)}`);
    }
  }

  /** @returns no file for UTF-16, which has a NUL in each letter */
  #fileOf(path: string, text: string): SourceFile[] {
    if (!text.includes('\0')) return [{ path, text }];
    this.skipped.add(path);
    return [];
  }

  async #names(...args: string[]): Promise<string[]> {
    return (await this.#git(...args)).split('\0').filter((name) => name !== '');
  }

  #git(...args: string[]): Promise<string> {
    return runGit(this.#root, ...this.#options, ...args);
  }
}
