// @ts-check
/** A copy of the repository to package from, so that packages depend only on the contents of files. */
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The packaging tools compare each file of their folder with each line of their lists, which takes long for these. */
const notPackaged = ['.git', '.vscode-test', 'node_modules', 'out', 'src', 'test', 'webview'];

/**
 * @template T
 * @param {(folder: string) => T} use called with the folder of the copy, which is deleted afterwards
 * @returns {T}
 */
export function withCopy(use) {
  const copy = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    for (const entry of readdirSync(root)) {
      if (!notPackaged.includes(entry)) cpSync(join(root, entry), join(copy, entry), { recursive: true });
    }
    // Archives contain file modes, which depend on the umask at checkout.
    for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644);
    }
    return use(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
