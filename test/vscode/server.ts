import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installEditor, installExtension } from './install.ts';
import { node24 } from './paths.ts';

export type Settings = Record<string, unknown>;

export interface ServerOptions {
  /** Port to listen on; defaults to a free one. */
  port?: number;
  /** Folder for the editor's settings, storage and logs; defaults to a temporary folder that is removed on stop. */
  dataDir?: string;
  /** User settings, merged over the defaults that suppress prompts and network access. */
  settings?: Settings;
  /** Environment variables of the server and the extension host, merged over those of this process. */
  env?: Record<string, string | undefined>;
  /** Absolute paths of VSIX files to install first. */
  packages?: string[];
  /** `false` enables workspace trust: new folders start untrusted. */
  trusted?: boolean;
  /** Folder names of built-in extensions to leave out. */
  without?: readonly string[];
}

export interface EditorServer {
  /** Host and port, such as `127.0.0.1:1234`. */
  readonly authority: string;
  /** The connection token that the server requires; part of the URL that a browser opens. */
  readonly token: string;
  readonly dataDir: string;
  /** Replaces the user settings; open pages apply them. */
  writeSettings(settings: Settings): void;
  /** @returns the end of the server's output, for error reports */
  output(): string;
  stop(): Promise<void>;
}

/** Disables the welcome page, telemetry, experiments and updates. */
const quiet: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  // Auto save is on by default in the browser, unlike on the desktop.
  'files.autoSave': 'off',
  'git.openRepositoryInParentFolders': 'never',
};

const hostCheck = pathToFileURL(join(import.meta.dirname, 'hostCheck.ts')).href;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const KEPT_OUTPUT = 8_000;
/** Seconds for which an extension host outlives a page that disconnected unexpectedly. */
const RECONNECTION_SECONDS = 10;

/**
 * Starts VS Code's server on 127.0.0.1, installs it if necessary, and waits until it is ready. The server requires the
 * returned token and checks the `Host` header, because other users of this machine and web pages can reach its port.
 * @throws Error if the port is in use, or with the server's output if it does not start
 */
export async function startServer(options: ServerOptions = {}): Promise<EditorServer> {
  const serverMain = await installEditor();
  await checkPort(options.port ?? 0);
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'vscode-data-'));
  const writeSettings = (settings: Settings) => {
    const folder = join(dataDir, 'data', 'User');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...quiet, ...settings }, null, 2));
  };
  writeSettings(options.settings ?? {});
  for (const file of options.packages ?? []) await installExtension(file, dataDir);
  if (options.without)
    linkBuiltins(join(serverMain, '..', '..', 'extensions'), options.without, builtinsFolder(dataDir));

  const token = randomBytes(24).toString('hex');
  // Pass the token in a file, because other users can read a process's arguments.
  writeFileSync(tokenFile(dataDir), token, { mode: 0o600 });
  const child = spawn(node24, ['--import', hostCheck, serverMain, ...serverArguments(dataDir, options)], {
    env: serverEnvironment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killOnExit = () => child.kill('SIGKILL');
  process.once('exit', killOnExit);
  let output = '';
  const stop = async () => {
    process.off('exit', killOnExit);
    await end(child);
    rmSync(builtinsFolder(dataDir), { recursive: true, force: true });
    if (options.dataDir === undefined) {
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  };
  try {
    const authority = await new Promise<string>((resolve, reject) => {
      const fail = (reason: string) => reject(new Error(`VS Code's server ${reason}\n${output}`));
      const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MS);
      const onText = (text: string) => {
        output = (output + text).slice(-KEPT_OUTPUT);
        const port = /Extension host agent listening on (\d+)/.exec(output)?.[1];
        if (port !== undefined) {
          clearTimeout(timer);
          resolve(`127.0.0.1:${port}`);
        }
      };
      child.stdout.setEncoding('utf8').on('data', onText);
      child.stderr.setEncoding('utf8').on('data', onText);
      child.on('error', reject);
      child.on('exit', (code) => {
        clearTimeout(timer);
        fail(`ended with ${code}`);
      });
    });
    return { authority, token, dataDir, writeSettings, output: () => output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Rejects if the port is in use; the server itself would hang without a message. */
async function checkPort(port: number): Promise<void> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw new Error(`Port ${port} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  probe.close();
  await once(probe, 'close');
}

function linkBuiltins(from: string, without: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true }))
    if (entry.isDirectory() && !without.includes(entry.name))
      symlinkSync(join(from, entry.name), join(folder, entry.name), 'junction');
}

/** Beside the data folder, which a test searches whole. */
const builtinsFolder = (dataDir: string): string => `${dataDir}-builtins`;

const tokenFile = (dataDir: string): string => join(dataDir, 'connection-token');

function serverArguments(dataDir: string, options: ServerOptions): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(options.port ?? 0)],
    ...['--connection-token-file', tokenFile(dataDir), '--accept-server-license-terms', '--disable-telemetry'],
    ...['--server-data-dir', dataDir, '--reconnection-grace-time', String(RECONNECTION_SECONDS)],
    // Otherwise it starts a login shell for each window, to read the user's environment.
    '--force-disable-user-env',
    ...(options.without === undefined ? [] : ['--builtin-extensions-dir', builtinsFolder(dataDir)]),
    ...(options.trusted === false ? [] : ['--disable-workspace-trust']),
  ];
}

/** Removes the variables of a surrounding VS Code or npm. */
function serverEnvironment(extra: ServerOptions['env'] = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|npm_)/.test(name));
  return { ...Object.fromEntries(own), ...extra };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
    return;
  }
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(timer);
}
