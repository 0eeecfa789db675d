import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const KEPT_OUTPUT = 4_000;

/** Variables of an outer npm that would make a nested npm use the wrong folder. */
const isNpmVariable = (name: string) => /^npm_/i.test(name) && !/registry|proxy|cafile|^npm_config_cache$/i.test(name);

/**
 * Runs a program and waits for its end, without printing its output.
 * @returns its standard output
 * @throws Error with the command and the end of its output if the exit code is not 0
 */
export async function exec(command: string, args: string[], options: { cwd?: string } = {}): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isNpmVariable(name)));
  const child = spawn(command, args, { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let tail = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    tail = (tail + text).slice(-KEPT_OUTPUT);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-KEPT_OUTPUT)));
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) {
    throw new Error(`${[command, ...args].join(' ')} ended with ${code}\n${tail}`);
  }
  return stdout;
}

/** @returns the absolute path of the first of these programs that is on the PATH */
export function which(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find(isExecutable);
}

/** @returns whether the file exists and is executable */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
