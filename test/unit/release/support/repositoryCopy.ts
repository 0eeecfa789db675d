/** A copy of the repository in another folder, so that builds don't affect files in use here. */
import { cpSync, linkSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../../../vscode/paths.ts';

/** Folders that are not source, large or generated. */
const left = ['.git', '.vscode-test', 'dist', 'node_modules', 'out'];

/** @returns the folder; on the same disk, so that hard links work */
export function copyRepository(): string {
  const out = join(repoRoot, 'out');
  mkdirSync(out, { recursive: true });
  const copy = mkdtempSync(join(out, 'copy-'));
  for (const name of readdirSync(repoRoot).filter((one) => !left.includes(one)))
    cpSync(join(repoRoot, name), join(copy, name), { recursive: true });
  // No symbolic link to the folder, because the bundler would follow it and include its path in the output.
  linkFiles(join(repoRoot, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function linkFiles(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFiles(source, target);
    else linkSync(source, target);
  }
}
