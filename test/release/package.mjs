// @ts-check
/** Builds the VSIX reproducibly: node test/release/package.mjs [file] */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, withCopy } from './copy.mjs';

const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
/** Seconds; 1 January 1980, the earliest date in a ZIP file. */
const FIRST_ZIP_DAY = '315532800';
/** Sets everything else that affects the archive or the order of its files. */
const env = { ...process.env, SOURCE_DATE_EPOCH: FIRST_ZIP_DAY, TZ: 'UTC', LC_ALL: 'C' };

/**
 * Packages the output of `npm run build`.
 * @param {string} [file] absolute path of the VSIX; defaults to a file in the repository that is named after the
 * version
 * @returns {string} output of the packaging tool
 */
export function packageVsix(file) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const out = file ?? join(root, `${name}-${version}.vsix`);
  const args = ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', out];
  return withCopy((cwd) => execFileSync(process.execPath, [vsce, ...args], { cwd, env, encoding: 'utf8' }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(packageVsix(process.argv[2]));
