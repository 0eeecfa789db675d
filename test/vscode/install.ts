import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDebianPackages } from './debian.ts';
import { exec, isExecutable, which } from './exec.ts';
import { withLock } from './lock.ts';
import { cacheFolder, node24, nodeHeaders } from './paths.ts';

/** The npm package that contains VS Code, and the tool that builds its two native modules. */
const packages = { 'code-server': '4.139.1', 'node-gyp': '13.1.0' };
const nativeModules = ['@vscode/spdlog', '@vscode/native-watchdog'];

export type Log = (line: string) => void;

/** The desktop VS Code set in VSCODE_EXECUTABLE, or `undefined`. */
export function desktopEditor(): string | undefined {
  const path = process.env['VSCODE_EXECUTABLE'];
  if (path === undefined || path === '') {
    return undefined;
  }
  if (!isExecutable(path)) {
    throw new Error(`VSCODE_EXECUTABLE names ${path}, which is not an executable file.`);
  }
  return path;
}

/**
 * Installs VS Code into the cache folder unless it is there; the first call takes a minute or two.
 * @returns the path of its server's main script, to be run with Node 24
 * @throws Error that names the programs missing on this machine
 */
export async function installEditor(log: Log = console.error): Promise<string> {
  const folder = join(cacheFolder, `code-server-${packages['code-server']}`);
  const serverMain = join(folder, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js');
  const isInstalled = () => existsSync(join(folder, 'complete'));
  if (!isInstalled()) {
    mkdirSync(cacheFolder, { recursive: true });
    const waiting = () => log('Waiting for another process that installs VS Code…');
    await withLock(join(cacheFolder, 'install.lock'), waiting, async () => {
      if (!isInstalled()) {
        await installInto(folder, log);
      }
    });
  }
  return serverMain;
}

async function installInto(folder: string, log: Log): Promise<void> {
  const started = Date.now();
  await ensureCompiler(log);
  // Build in a temporary folder and rename it last, so that an interrupted install is never used.
  for (const leftover of globSync(`${folder}.partial-*`)) {
    rmSync(leftover, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  }
  const partial = mkdtempSync(`${folder}.partial-`);
  try {
    writeFileSync(join(partial, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    const npmInstall = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix'];
    log('Installing VS Code into .vscode-test, once (about 800 MB, one to two minutes)…');
    log('  1/3 the editor');
    await exec('npm', [...npmInstall, partial], { cwd: partial });
    log('  2/3 its dependencies');
    const editor = join(partial, 'node_modules', 'code-server', 'lib', 'vscode');
    await exec('npm', [...npmInstall, editor, '--omit=dev'], { cwd: editor });
    log('  3/3 its native modules');
    for (const name of nativeModules) {
      await buildNativeModule(join(partial, 'node_modules', '.bin', 'node-gyp'), join(editor, 'node_modules', name));
    }
    openDevelopmentGate(join(editor, 'out', 'vs', 'code', 'browser', 'workbench', 'workbench.js'));
    writeFileSync(join(partial, 'complete'), '');
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
    log(`VS Code is installed (${Math.round((Date.now() - started) / 1000)} s).`);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

async function buildNativeModule(nodeGyp: string, folder: string): Promise<void> {
  const headers = nodeHeaders();
  const options = headers === undefined ? [] : [`--nodedir=${headers}`];
  await exec(nodeGyp, ['rebuild', ...options], { cwd: folder });
}

/**
 * Patches the installed workbench: a built VS Code loads an extension under development only with its smoke-test
 * driver, which hides all notifications. Removes that condition; everything else stays as users see it.
 */
export function openDevelopmentGate(workbenchScript: string): void {
  const gate = /this\.payload&&\(!this\.isBuilt\|\|this\.enableSmokeTestDriver\)/g;
  const source = readFileSync(workbenchScript, 'utf8');
  if (source.match(gate)?.length !== 1) {
    throw new Error(`VS Code's workbench is not as expected: ${workbenchScript}`);
  }
  writeFileSync(workbenchScript, source.replace(gate, 'this.payload'));
}

/**
 * Installs a VSIX file for a server that will be started with this data folder.
 * @param file absolute path
 */
export async function installExtension(file: string, dataDir: string): Promise<void> {
  const where = ['--server-data-dir', dataDir, '--accept-server-license-terms'];
  await exec(node24, [await installEditor(), ...where, '--install-extension', file]);
}

async function ensureCompiler(log: Log): Promise<void> {
  const missing = ['g++', 'make', 'python3'].filter((program) => which(program) === undefined);
  if (missing.length > 0 && !(await installDebianPackages(missing, log))) {
    throw new Error(
      `VS Code's native modules need ${missing.join(', ')}. On Debian: sudo apt-get install g++ make python3`,
    );
  }
}

if (import.meta.main) {
  console.log(await installEditor());
}
