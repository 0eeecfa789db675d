/** Creates a git repository with the sandbox's branches in the demo workspace. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MAIN_BRANCH, type ModelFiles } from '../sandbox/semantic/branchFiles.ts';

const author = ['-c', 'user.name=Analytics Chat', '-c', 'user.email=demo@example.com', '-c', 'commit.gpgSign=false'];

/**
 * Commits the workspace on main, and on each other branch the model files that the sandbox serves for it. Leaves main
 * checked out.
 * @returns false if git is not installed
 */
export function makeDemoRepository(workspace: string, branches: ReadonlyMap<string, ModelFiles>): boolean {
  const git = (...words: string[]): unknown =>
    execFileSync('git', [...author, ...words], { cwd: workspace, stdio: 'pipe' });
  try {
    git('init', '--quiet', '--initial-branch', MAIN_BRANCH);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  const commit = (message: string): void => {
    git('add', '--all');
    git('commit', '--quiet', '--no-verify', '--message', message);
  };
  commit('Add the data model of the shop');
  for (const [branch, files] of branches) {
    if (branch === MAIN_BRANCH) continue;
    git('checkout', '--quiet', '-b', branch, MAIN_BRANCH);
    for (const [path, text] of files) writeFileSync(join(workspace, 'model', path), text);
    commit(`Try ${branch.replace(/^dev-/, '').replaceAll('-', ' ')}`);
  }
  git('checkout', '--quiet', MAIN_BRANCH);
  return true;
}

/** Pushes all branches to a new remote repository beside the workspace, so that each has an upstream branch. */
export function publishDemoRepository(workspace: string): void {
  const remote = join(dirname(workspace), 'origin.git');
  const git = (...words: string[]): unknown => execFileSync('git', words, { cwd: workspace, stdio: 'pipe' });
  git('init', '--quiet', '--bare', '--initial-branch', MAIN_BRANCH, remote);
  git('remote', 'add', 'origin', remote);
  git('push', '--quiet', '--set-upstream', 'origin', '--all');
}
