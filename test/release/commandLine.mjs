// @ts-check
/** Packs the npm package, which contains the command line, and computes its digest. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withCopy } from './copy.mjs';

/**
 * Packs the command line that was built; the same files give the same bytes.
 * @param {string} folder absolute path of the folder for the tarball
 * @returns {string} path of the tarball
 */
export function packCommandLine(folder) {
  const npm = process.env.npm_execpath;
  // In scripts, run npm with the Node.js of this process, whose zlib compresses the tarball.
  const [command, args] = npm?.endsWith('npm-cli.js') ? [process.execPath, [npm]] : ['npm', []];
  const output = withCopy((cwd) =>
    execFileSync(command, [...args, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      // `npm` is a batch file on Windows.
      shell: command === 'npm' && process.platform === 'win32',
    }),
  );
  const [{ filename }] = JSON.parse(output);
  return join(folder, filename);
}

/**
 * @param {string} file
 * @returns {string} its SHA-512 and name, as `sha512sum --check` reads them
 */
export const checksumLine = (file) =>
  `${createHash('sha512').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`;
