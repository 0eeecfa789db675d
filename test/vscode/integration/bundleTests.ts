import { globSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { repoRoot } from '../paths.ts';

export type Host = 'node' | 'web';

/** Modules that are replaced in the bundle, by host. */
const replaced: Record<Host, Record<string, string>> = {
  node: { mocha: 'bdd.ts' },
  web: { mocha: 'bdd.ts', 'node:assert/strict': 'strictAssert.ts' },
};

/**
 * Bundles the integration tests into one module for an extension host. Test modules named `*.node.test.ts` need Node
 * and are left out of the web worker's bundle.
 * @param env the value of `process.env` for the tests and the extension, if the host has no `process`
 * @returns the absolute path of the module
 */
export async function bundleTests(host: Host, env: Record<string, string>): Promise<string> {
  const outfile = join(repoRoot, 'out', 'test', `${host}.js`);
  const tests = globSync('test/integration/**/*.test.ts', { cwd: repoRoot })
    .filter((path) => host === 'node' || !path.endsWith('.node.test.ts'))
    .sort();
  const modules = tests.map((path) => `import ${JSON.stringify(`./${path}`)};`);
  await build({
    stdin: {
      contents: [...modules, "export { run } from './test/integration/index.ts';"].join('\n'),
      resolveDir: repoRoot,
    },
    outfile,
    bundle: true,
    // Mocha's browser build overwrites `module.exports` while it loads, so set it in the footer.
    format: 'iife',
    globalName: 'suite',
    footer: { js: 'module.exports = suite;' },
    platform: host === 'node' ? 'node' : 'browser',
    external: ['vscode'],
    banner: host === 'web' ? { js: `globalThis.process = ${JSON.stringify({ env })};` } : {},
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [replacements(replaced[host])],
  });
  return outfile;
}

function replacements(modules: Record<string, string>): Plugin {
  return {
    name: 'replacements',
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`^(${Object.keys(modules).join('|')})$`) }, ({ path }) => ({
        path: join(import.meta.dirname, modules[path] ?? path),
      }));
    },
  };
}

if (import.meta.main) {
  console.log(await bundleTests('node', {}));
}
