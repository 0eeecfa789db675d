/** The repository once more, in another folder: what is built there leaves alone what others load here. */
import { cpSync, linkSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../../vscode/paths.ts';

/** What is no source, is big, or is made. */
const left = ['.git', '.vscode-test', 'dist', 'node_modules', 'out'];

/** @returns the folder; on the same disk, so that files can be in both */
export function copyRepository(): string {
  const out = join(repoRoot, 'out');
  mkdirSync(out, { recursive: true });
  const copy = mkdtempSync(join(out, 'copy-'));
  for (const name of readdirSync(repoRoot).filter((one) => !left.includes(one)))
    cpSync(join(repoRoot, name), join(copy, name), { recursive: true });
  // Not one link to the folder: the bundler would follow it, and paths get into what it makes.
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
