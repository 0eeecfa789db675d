import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { repoRoot } from './paths.ts';

/**
 * Copies a workspace folder to a temporary folder of the same name, so that edits do not change the repository.
 * @param workspace an absolute path, or the name of a folder in `test/fixtures/workspaces`
 * @returns the absolute path of the copy
 */
export function copyWorkspace(workspace: string): string {
  const source = resolve(repoRoot, 'test', 'fixtures', 'workspaces', workspace);
  const copy = join(mkdtempSync(join(realpathSync(tmpdir()), 'workspace-')), basename(source));
  cpSync(source, copy, { recursive: true });
  return copy;
}

/** Removes a copy made by `copyWorkspace`. */
export function removeWorkspace(copy: string): void {
  rmSync(dirname(copy), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
