// @ts-check
/** Checks the bundled packages for known vulnerabilities, using the bill of materials: npm run audit */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bill = JSON.parse(readFileSync(fileURLToPath(new URL('../../dist/sbom.cdx.json', import.meta.url)), 'utf8'));
// npm audits the dependencies of a package, so create one that depends on exactly the bundled packages, with aliases
// for two versions of one.
const dependencies = Object.fromEntries(
  bill.components.map(
    (/** @type {{ name: string, version: string }} */ { name, version }, /** @type {number} */ index) => [
      `bundled-${index}`,
      `npm:${name}@${version}`,
    ],
  ),
);
const folder = mkdtempSync(join(tmpdir(), 'audit-'));
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bundled', version: '1.0.0', dependencies }));
  const npm = (/** @type {string[]} */ ...args) =>
    spawnSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;
  process.exitCode =
    npm('install', '--package-lock-only', '--ignore-scripts', '--legacy-peer-deps') ||
    npm('audit', '--audit-level=low');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
