import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installEditor, installExtension } from './install.ts';
import { node24 } from './paths.ts';

export type Settings = Record<string, unknown>;

export interface ServerOptions {
  /** Port to listen on; a free one by default. */
  port?: number;
  /** The editor's data (settings, storage, logs). A temporary folder, removed at the end, by default. */
  dataDir?: string;
  /** User settings, beside those that keep the editor quiet. */
  settings?: Settings;
  /** Environment of the server and of the extension host, over this process's own. */
  env?: Record<string, string | undefined>;
  /** VSIX files to install first, absolute. */
  packages?: string[];
  /** `false` asks for trust as VS Code does, and starts new folders untrusted. */
  trusted?: boolean;
}

export interface EditorServer {
  /** Host and port, as in an address: `127.0.0.1:1234`. */
  readonly authority: string;
  /** The secret without which the server answers nobody; part of the address that a browser opens. */
  readonly token: string;
  readonly dataDir: string;
  /** Replaces the user settings; a page that is open takes them over. */
  writeSettings(settings: Settings): void;
  /** The end of what the server wrote, for the report of a failure. */
  output(): string;
  stop(): Promise<void>;
}

/** Settings without which a fresh editor greets, phones home and updates. */
const quiet: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  // The browser's default saves by itself; the desktop's does not.
  'files.autoSave': 'off',
  'git.openRepositoryInParentFolders': 'never',
};

const hostCheck = pathToFileURL(join(import.meta.dirname, 'hostCheck.ts')).href;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const KEPT_OUTPUT = 8_000;
/** How long an extension host outlives a page that vanished without saying so. */
const RECONNECTION_SECONDS = 10;

/**
 * Starts VS Code's server on 127.0.0.1, installing it if need be, and waits until it answers. It answers only to the
 * returned token and to its own host name: other users of this machine and pages in a browser can reach its port too.
 * @throws Error when the port is taken, and with the server's output when it does not start
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

  const token = randomBytes(24).toString('hex');
  // In a file, because other users can read a process's arguments.
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

/** The editor's server would wait in silence on a port that is taken. */
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

const tokenFile = (dataDir: string): string => join(dataDir, 'connection-token');

function serverArguments(dataDir: string, options: ServerOptions): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(options.port ?? 0)],
    ...['--connection-token-file', tokenFile(dataDir), '--accept-server-license-terms', '--disable-telemetry'],
    ...['--server-data-dir', dataDir, '--reconnection-grace-time', String(RECONNECTION_SECONDS)],
    ...(options.trusted === false ? [] : ['--disable-workspace-trust']),
  ];
}

/** Without the variables by which a surrounding VS Code or npm would leak into this one. */
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
