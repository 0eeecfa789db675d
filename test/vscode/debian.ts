import { exec, which } from './exec.ts';

/**
 * Installs Debian packages with apt-get, if this process runs as root.
 * @returns whether they were installed; `false` if this machine does not allow it
 * @throws Error if apt-get fails
 */
export async function installDebianPackages(packages: string[], log: (line: string) => void): Promise<boolean> {
  if (process.getuid?.() !== 0 || which('apt-get') === undefined) {
    return false;
  }
  log(`Installing ${packages.join(', ')} with apt-get…`);
  const settings = ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-y'];
  await exec('env', [...settings, 'update']);
  await exec('env', [...settings, 'install', '--no-install-recommends', ...packages]);
  return true;
}
