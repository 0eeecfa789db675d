// @ts-check
/** Builds the VSIX reproducibly: node test/release/package.mjs [file] */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
/** Seconds; 1 January 1980, the earliest date in a ZIP file. */
const FIRST_ZIP_DAY = '315532800';
/** Sets everything else that affects the archive or the order of its files. */
const env = { ...process.env, SOURCE_DATE_EPOCH: FIRST_ZIP_DAY, TZ: 'UTC', LC_ALL: 'C' };

/** The packaging tool compares each file of its folder with each line of `.vscodeignore`, which takes long for these. */
const notPackaged = ['.git', '.vscode-test', 'node_modules', 'out', 'test'];

/**
 * Packages the output of `npm run build`.
 * @param {string} [file] absolute path of the VSIX; defaults to a file in the repository that is named after the
 * version
 * @returns {string} output of the packaging tool
 */
export function packageVsix(file) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const copy = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    for (const entry of readdirSync(root)) {
      if (!notPackaged.includes(entry)) cpSync(join(root, entry), join(copy, entry), { recursive: true });
    }
    // The archive contains file modes, which depend on the umask at checkout.
    for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644);
    }
    const out = file ?? join(root, `${name}-${version}.vsix`);
    const args = ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', out];
    return execFileSync(process.execPath, [vsce, ...args], { cwd: copy, env, encoding: 'utf8' });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(packageVsix(process.argv[2]));
