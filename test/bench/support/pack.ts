/** Packages extensions as users get them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { repoRoot } from '../../vscode/paths.ts';

/** Packages the built extension in a folder into a VSIX file. */
export function pack(folder: string, file: string): void {
  const how = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--skip-license'];
  execFileSync(join(repoRoot, 'node_modules', '.bin', 'vsce'), ['package', ...how, '--out', file], {
    cwd: folder,
    stdio: 'pipe',
  });
}
