/** The part of git that `check` needs: the changed model files, and whether they are pushed. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isModelFile } from '../model/members.ts';
import type { SourceFile } from '../shared/text/sourceFile.ts';
import { UsageError } from './usage.ts';

const run = promisify(execFile);
const MOST_BYTES = 64 * 1024 * 1024;

interface ModelVersions {
  /** The model files at the merge base, and their current versions in the folder. */
  before: SourceFile[];
  after: SourceFile[];
  /** Messages about changes that the service does not have yet. */
  warnings: string[];
}

export class Git {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** @throws UsageError outside of a repository */
  static async open(folder: string): Promise<Git> {
    return new Git((await git(folder, 'rev-parse', '--show-toplevel')).trimEnd());
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
      ...(await this.#names('diff', '--name-only', '--no-renames', '-z', fork, '--')),
      ...untracked,
    ]);
    const after = await this.#read([...(await this.#names('ls-files', '-z')), ...untracked]);
    const old = await this.#names('ls-tree', '-r', '--name-only', '--full-tree', '-z', fork);
    const before: SourceFile[] = [];
    // One after the other: a reformatted model would start hundreds of processes at once.
    for (const path of old)
      if (changed.has(path)) before.push({ path, text: await this.#git('show', `${fork}:${path}`) });
    const unchanged = after.filter(({ path }) => !changed.has(path));
    return { before: [...before, ...unchanged], after, warnings: await this.#warnings(changed) };
  }

  async #warnings(changed: ReadonlySet<string>): Promise<string[]> {
    const uncommitted = (await this.#names('status', '--porcelain', '--no-renames', '-z'))
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

  /** Excludes deleted files that are still in the index. */
  async #read(paths: readonly string[]): Promise<SourceFile[]> {
    const files = await Promise.all(
      [...new Set(paths)].map(async (path) => {
        const text = await readFile(join(this.root, path), 'utf8').catch(() => undefined);
        return text === undefined ? [] : [{ path, text }];
      }),
    );
    return files.flat();
  }

  #git(...args: string[]): Promise<string> {
    return git(this.root, ...args);
  }
}

async function git(folder: string, ...args: string[]): Promise<string> {
  try {
    // `status` must not lock the index, and names must not be quoted.
    const { stdout } = await run('git', ['--no-optional-locks', '-c', 'core.quotePath=false', ...args], {
      cwd: folder,
      maxBuffer: MOST_BYTES,
    });
    return stdout;
  } catch (failure) {
    const { code, stderr, message } = failure as { code?: unknown; stderr?: string; message: string };
    if (code === 'ENOENT') throw new UsageError('Git was not found. Install it, and add it to PATH.');
    throw new UsageError(`git: ${stderr?.trim() || message}`);
  }
}
