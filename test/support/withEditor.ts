/** Loads a source file of the extension with a stub of the `vscode` module. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from '../vscode/paths.ts';

const editors: unknown[] = [];
Object.assign(globalThis, { editorsOfTests: editors });

/** The built code of each file, cached because building is slow. */
const built = new Map<string, Promise<string>>();

/**
 * @param path path of the source file, relative to `src`
 * @param editor stub of `vscode` with the members that the code uses
 * @param others further files that share their state with the first one
 * @returns the exports of the files
 */
export async function loadWithEditor<Exports>(path: string, editor: object, ...others: string[]): Promise<Exports> {
  const entry = [path, ...others].map((each) => `export * from './${each}';`).join('\n');
  const code = built.get(entry) ?? bundle(entry);
  built.set(entry, code);
  const prefix = `const editorOfTest = globalThis.editorsOfTests[${editors.push(editor) - 1}];\n`;
  const url = Buffer.from(prefix + (await code)).toString('base64');
  return (await import(`data:text/javascript;base64,${url}`)) as Exports;
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: join(repoRoot, 'src') },
    bundle: true,
    write: false,
    format: 'esm',
    // Resolve packages as the extension's bundle does, without their code for Node.js.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['node:*'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'editor',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^vscode$/ }, (request) => ({ path: request.path, namespace: 'editor' }));
          onLoad({ filter: /.*/, namespace: 'editor' }, () => ({ contents: 'module.exports = editorOfTest;' }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}
