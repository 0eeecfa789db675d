import { globSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { repoRoot } from './paths.ts';

export type Host = 'node' | 'web';

/** Modules that are not what they are elsewhere, by host. */
const replaced: Record<Host, Record<string, string>> = {
  node: { mocha: 'bdd.ts' },
  web: { mocha: 'bdd.ts', 'node:assert/strict': 'strictAssert.ts' },
};

/**
 * Bundles the integration tests into one module for an extension host. A test module named `*.node.test.ts` needs
 * Node and is left out of the web worker's bundle.
 * @param env what the tests, and the extension under test, find in `process.env` where there is no process
 * @returns the module's absolute path
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
    // Mocha's own build overwrites `module.exports` while it loads, so ours is set after all else.
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
