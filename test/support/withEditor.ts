/** Loads a source file of the extension with a stub of the `vscode` module. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from '../vscode/paths.ts';

const editors: unknown[] = [];
Object.assign(globalThis, { editorsOfTests: editors });

/**
 * @param path path of the source file, relative to `src`
 * @param editor stub of `vscode` with the members that the code uses
 * @returns the exports of the file
 */
export async function loadWithEditor<Exports>(path: string, editor: object): Promise<Exports> {
  const contents = `module.exports = globalThis.editorsOfTests[${editors.push(editor) - 1}];`;
  const { outputFiles } = await build({
    entryPoints: [join(repoRoot, 'src', path)],
    bundle: true,
    write: false,
    format: 'esm',
    // As in the bundle of the extension: packages without code for Node.js.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['node:*'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'editor',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^vscode$/ }, (request) => ({ path: request.path, namespace: 'editor' }));
          onLoad({ filter: /.*/, namespace: 'editor' }, () => ({ contents }));
        },
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)) as Exports;
}
