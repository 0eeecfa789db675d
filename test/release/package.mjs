// @ts-check
/** Makes the VSIX, the same bytes from the same commit: node test/release/package.mjs [file] */
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
/** In seconds: 1 January 1980, the first day that a ZIP file knows. */
const FIRST_ZIP_DAY = '315532800';
/** With what else would get into the archive, or into the order of its files. */
const env = { ...process.env, SOURCE_DATE_EPOCH: FIRST_ZIP_DAY, TZ: 'UTC', LC_ALL: 'C' };

/** @param {string[]} args */
const run = (...args) => execFileSync(process.execPath, [vsce, ...args], { cwd: root, env, encoding: 'utf8' });

/**
 * Packages what `npm run build` has made.
 * @param {string} [file] where the VSIX goes, absolute; in the repository, named after its version, when left out
 * @returns {string} what the packaging tool said
 */
export function packageVsix(file) {
  // The modes of files get into the archive, and depend on who checked them out.
  for (const name of run('ls', '--no-dependencies').split('\n')) if (name !== '') chmodSync(join(root, name), 0o644);
  const out = file === undefined ? [] : ['--out', file];
  return run('package', '--no-dependencies', '--no-rewrite-relative-links', ...out);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(packageVsix(process.argv[2]));
