/** Extensions as their users get them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installEditor } from '../../vscode/install.ts';
import { node24, repoRoot } from '../../vscode/paths.ts';

/** Packs the extension in a folder, as it is built now, into a VSIX file. */
export function pack(folder: string, file: string): void {
  const how = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--skip-license'];
  execFileSync(join(repoRoot, 'node_modules', '.bin', 'vsce'), ['package', ...how, '--out', file], {
    cwd: folder,
    stdio: 'pipe',
  });
}

/** Installs a VSIX file for an editor that will be started with this folder for its data. */
export async function install(file: string, dataDir: string): Promise<void> {
  const how = ['--server-data-dir', dataDir, '--accept-server-license-terms', '--install-extension', file];
  execFileSync(node24, [await installEditor(), ...how], { stdio: 'pipe' });
}
