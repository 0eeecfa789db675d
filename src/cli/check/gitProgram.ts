/** Runs git without the programs that the configuration of a repository names. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../usage.ts';

const run = promisify(execFile);
/** Bytes of the output of git. */
const MOST_OUTPUT = 64 * 1024 * 1024;

/** @returns options that turn off the filters in the configuration of the repository, which run programs */
export async function withoutFilters(root: string): Promise<string[]> {
  const filters = /^filter\..*\.(?:clean|process|required)$/;
  const list = await runGit(root, 'config', '--list', '--show-scope', '--name-only', '-z');
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

export async function runGit(folder: string, ...args: string[]): Promise<string> {
  const output = await runGitUpTo(MOST_OUTPUT, folder, ...args);
  if (output === undefined) throw new UsageError(`git: more output than ${MOST_OUTPUT} bytes`);
  return output;
}

/** @returns the output; undefined if it has more bytes than `most` */
export async function runGitUpTo(most: number, folder: string, ...args: string[]): Promise<string | undefined> {
  const program = gitProgram();
  // `status` must not lock the index, names must not be quoted, and no program of the repository may run.
  const options = ['--no-optional-locks', '-c', 'core.quotePath=false', '-c', 'core.fsmonitor=false'];
  try {
    const { stdout } = await run(program, [...options, ...args], { cwd: folder, maxBuffer: most });
    return stdout;
  } catch (failure) {
    const { code, stderr, message } = failure as { code?: unknown; stderr?: string; message: string };
    if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return undefined;
    throw new UsageError(`git: ${stderr?.trim() || message}`);
  }
}
