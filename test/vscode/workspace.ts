import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { repoRoot } from './paths.ts';

/**
 * Copies a workspace folder into a temporary one of the same name, so that nothing done in the editor touches the
 * repository.
 * @param workspace an absolute path, or the name of a folder in `test/fixtures/workspaces`
 * @returns the copy's absolute path
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
