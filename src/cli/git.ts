/** The part of git that `check` needs: the changed model files, and whether they are pushed. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../shared/text/checks.ts';
import { isModelFile } from '../model/members.ts';
import type { SourceFile } from '../shared/text/sourceFile.ts';
import { UsageError } from './usage.ts';

const run = promisify(execFile);
/** Bytes of the output of git. */
const MOST_OUTPUT = 64 * 1024 * 1024;
/** Bytes of a model file. */
const LARGEST_FILE = 5_000_000;
/** Number of files that are read at once; the operating system limits the number of open files. */
const BATCH = 50;

interface ModelVersions {
  /** The model files at the merge base, and their current versions in the folder. */
  before: SourceFile[];
  after: SourceFile[];
  /** Messages about changes that the service does not have yet. */
  warnings: string[];
  /** Paths of model files that are too large to be compared. */
  skipped: string[];
}

export class Git {
  readonly root: string;
  readonly #options: readonly string[];

  private constructor(root: string, options: readonly string[]) {
    this.root = root;
    this.#options = options;
  }

  /** @throws UsageError outside of a repository */
  static async open(folder: string): Promise<Git> {
    const root = (await git(folder, 'rev-parse', '--show-toplevel')).trimEnd();
    return new Git(root, await withoutFilters(root));
  }

  /** @returns the name of the branch; undefined if HEAD is detached */
  async branch(): Promise<string | undefined> {
    return (await this.#git('branch', '--show-current')).trimEnd() || undefined;
  }

  /** @throws UsageError if git does not know the base, or, in a shallow clone, where the branch left it */
  async modelSince(base: string): Promise<ModelVersions> {
    const mergeBase = (name: string): Promise<string> => this.#git('merge-base', '--end-of-options', name, 'HEAD');
    // A checkout in CI has no local branch but its own.
    const found = await mergeBase(base)
      .catch(() => mergeBase(`origin/${base}`))
      .catch(() => {
        throw new UsageError(
          `git: ${base} and HEAD have no common commit here. Fetch the history of both, or name another base with --base.`,
        );
      });
    const fork = found.trimEnd();
    const untracked = await this.#names('ls-files', '--others', '--exclude-standard', '-z');
    const changed = new Set([
      ...(await this.#names('diff', ...OWN_DIFF, '--name-only', '-z', fork, '--')),
      ...untracked,
    ]);
    const skipped = new Set<string>();
    const current = await this.#read([...(await this.#names('ls-files', '-z')), ...untracked], skipped);
    const old = await this.#names('ls-tree', '-r', '--name-only', '--full-tree', '-z', fork);
    const former: SourceFile[] = [];
    // One after the other: a reformatted model would start hundreds of processes at once.
    for (const path of old) {
      if (!changed.has(path)) continue;
      const blob = `${fork}:${path}`;
      if (Number(await this.#git('cat-file', '-s', blob)) > LARGEST_FILE) skipped.add(path);
      else former.push({ path, text: await this.#git('cat-file', 'blob', blob) });
    }
    // A file that is skipped in one version has not been added or deleted.
    const isRead = ({ path }: SourceFile): boolean => !skipped.has(path);
    const after = current.filter(isRead);
    const before = [...former.filter(isRead), ...after.filter(({ path }) => !changed.has(path))];
    return { before, after, warnings: await this.#warnings(changed), skipped: [...skipped] };
  }

  async #warnings(changed: ReadonlySet<string>): Promise<string[]> {
    const uncommitted = (await this.#names('status', '--porcelain', '--no-renames', '--ignore-submodules=all', '-z'))
      .filter((name) => changed.has(name))
      .map((name) => `${name} is not committed`);
    const branch = await this.branch();
    if (branch === undefined) return uncommitted;
    const ahead = await this.#git('rev-list', '--count', '@{upstream}..HEAD').then(Number, () => undefined);
    const unpushed =
      ahead === undefined
        ? [`${branch} has no upstream branch`]
        : ahead > 0
          ? [`${branch} is ${ahead} ${ahead === 1 ? 'commit' : 'commits'} ahead of its upstream branch`]
          : [];
    return [...uncommitted, ...unpushed];
  }

  /** @returns the model files among NUL-separated names; `status` has three characters before each */
  async #names(...args: string[]): Promise<string[]> {
    const names = (await this.#git(...args)).split('\0');
    return names.map((name) => (args[0] === 'status' ? name.slice(3) : name)).filter(isModelFile);
  }

  /**
   * Excludes deleted files that are still in the index.
   * @param skipped collects the paths of files that are too large
   */
  async #read(paths: readonly string[], skipped: Set<string>): Promise<SourceFile[]> {
    const all = [...new Set(paths)];
    const files: SourceFile[] = [];
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH).map((path) => this.#readFile(path, skipped));
      files.push(...(await Promise.all(batch)).flat());
    }
    return files;
  }

  async #readFile(path: string, skipped: Set<string>): Promise<SourceFile[]> {
    const file = join(this.root, path);
    try {
      const info = await stat(file);
      if (info.size > LARGEST_FILE) skipped.add(path);
      // A folder is another repository.
      return info.size > LARGEST_FILE || !info.isFile() ? [] : [{ path, text: await readFile(file, 'utf8') }];
    } catch (failure) {
      if (['ENOENT', 'ENOTDIR'].includes((failure as NodeJS.ErrnoException).code ?? '')) return [];
      throw new UsageError(`Can’t read ${path}: ${messageOf(failure)}`);
    }
  }

  #git(...args: string[]): Promise<string> {
    return git(this.root, ...this.#options, ...args);
  }
}

/** Without external programs of the repository's configuration. */
const OWN_DIFF = ['--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=all'];

/** @returns options that turn off the filters in the configuration of the repository, which run programs */
async function withoutFilters(root: string): Promise<string[]> {
  const filters = /^filter\..*\.(?:clean|process|required)$/;
  const list = await git(root, 'config', '--list', '--show-scope', '--name-only', '-z');
  // Scopes and names alternate.
  const entries = list.split('\0');
  return entries.flatMap((name, at) =>
    filters.test(name) && ['local', 'worktree'].includes(entries[at - 1] ?? '') ? ['-c', `${name}=`] : [],
  );
}

/** @throws UsageError unless git is in an absolute folder of PATH: others, and on Windows none, mean the repository */
function gitProgram(): string {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (found === undefined) throw new UsageError('Git was not found. Install it, and add it to PATH.');
  return found;
}

async function git(folder: string, ...args: string[]): Promise<string> {
  const program = gitProgram();
  // `status` must not lock the index, names must not be quoted, and no program of the repository may run.
  const options = ['--no-optional-locks', '-c', 'core.quotePath=false', '-c', 'core.fsmonitor=false'];
  try {
    const { stdout } = await run(program, [...options, ...args], { cwd: folder, maxBuffer: MOST_OUTPUT });
    return stdout;
  } catch (failure) {
    const { stderr, message } = failure as { stderr?: string; message: string };
    throw new UsageError(`git: ${stderr?.trim() || message}`);
  }
}
