/** Runs the command line: its bundle in a process, like a user, or faster without one. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { commandLine } from '../../../esbuild.mjs';
import { Output } from '../../../src/cli/output.ts';
import { run } from '../../../src/cli/program.ts';
import { useBundle } from '../../../src/shared/text/l10n.ts';
import { LANE_NAME } from '../../lanes/results.ts';
import { repoRoot } from '../../vscode/paths.ts';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  pid: number;
  ended: Promise<Ended>;
  /** Resolves once the text is on stderr. */
  saidOnStderr: (text: string) => Promise<void>;
  kill: (signal: NodeJS.Signals) => void;
  /** Closes stdout and stderr, as `head` does. */
  closePipes: () => void;
}

/** What Node.js 20, the oldest version that runs the command line, doesn't have. */
const missing = [
  ...['Array.fromAsync', 'Map.groupBy', 'Object.groupBy', 'Promise.try', 'Promise.withResolvers', 'RegExp.escape'],
  ...['difference', 'intersection', 'isDisjointFrom', 'isSubsetOf', 'isSupersetOf', 'union'].map(
    (name) => `Set.prototype.${name}`,
  ),
  ...['drop', 'every', 'filter', 'find', 'flatMap', 'map', 'reduce', 'some', 'take', 'toArray'].map(
    (name) => `Iterator.prototype.${name}`,
  ),
];
/** A lane has just built the bundle, which its processes share. */
const isBuilt = process.env[LANE_NAME] !== undefined;

/** A folder with the files of a test. */
export class Cli {
  readonly folder = mkdtempSync(join(tmpdir(), 'cli-'));
  readonly file = isBuilt ? join(repoRoot, 'dist', 'cli.js') : join(this.folder, 'cli.js');
  readonly #node20 = join(this.folder, 'node20.cjs');

  async build(): Promise<void> {
    writeFileSync(this.#node20, missing.map((name) => `delete ${name};\n`).join(''));
    if (isBuilt) return;
    const { entryPoints: _, outdir: __, ...options } = commandLine;
    await build({
      ...options,
      entryPoints: [join(repoRoot, 'src', 'cli', 'main.ts')],
      outfile: this.file,
      absWorkingDir: repoRoot,
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  /** Starts the bundle in a process. */
  start(args: readonly string[], env: Readonly<Record<string, string>>, cwd = this.folder): Running {
    const child = spawn(process.execPath, ['--require', this.#node20, this.file, ...args], {
      cwd,
      // Node.js compiles the bundle once for all processes.
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(this.folder, 'compiled'),
        ...env,
      },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
    const saidOnStderr = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!stderr.includes(text)) return;
          child.stderr.off('data', look);
          resolve();
        };
        child.stderr.on('data', look);
        look();
      });
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const closePipes = (): void => void [child.stdout, child.stderr].map((pipe) => pipe.destroy());
    return { pid: child.pid ?? 0, ended, saidOnStderr, kill: (signal) => void child.kill(signal), closePipes };
  }

  /** Runs a command in this process; one at a time, as they share its environment variables and its working directory. */
  async run(args: readonly string[], env: Readonly<Record<string, string>>, cwd = this.folder): Promise<Ended> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const said = Promise.all([text(stdout), text(stderr)]);
    const before = { env: process.env, cwd: process.cwd() };
    process.env = { PATH: before.env['PATH'], ...env };
    process.chdir(cwd);
    try {
      const code = await run(args, {
        output: new Output({ stdout, stderr }),
        version: '1.2.3',
        interruption: () => new AbortController().signal,
      });
      for (const stream of [stdout, stderr]) stream.end();
      const [out, error] = await said;
      return { code, stdout: out, stderr: error };
    } finally {
      process.env = before.env;
      process.chdir(before.cwd);
      useBundle({}, 'en');
    }
  }
}
