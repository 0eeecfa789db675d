// @ts-check
/** Builds the VSIX reproducibly: node test/release/package.mjs [file] */
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
/** Seconds; 1 January 1980, the earliest date in a ZIP file. */
const FIRST_ZIP_DAY = '315532800';
/** Sets everything else that affects the archive or the order of its files. */
const env = { ...process.env, SOURCE_DATE_EPOCH: FIRST_ZIP_DAY, TZ: 'UTC', LC_ALL: 'C' };

/** @param {string[]} args */
const run = (...args) => execFileSync(process.execPath, [vsce, ...args], { cwd: root, env, encoding: 'utf8' });

/**
 * Packages the output of `npm run build`.
 * @param {string} [file] absolute path of the VSIX; defaults to a file in the repository that is named after the
 * version
 * @returns {string} output of the packaging tool
 */
export function packageVsix(file) {
  // The archive contains file modes, which depend on the umask at checkout.
  for (const name of run('ls', '--no-dependencies').split('\n')) if (name !== '') chmodSync(join(root, name), 0o644);
  const out = file === undefined ? [] : ['--out', file];
  return run('package', '--no-dependencies', '--no-rewrite-relative-links', ...out);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(packageVsix(process.argv[2]));
