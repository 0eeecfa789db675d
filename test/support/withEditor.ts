/** Loads code of the extension that works with VS Code, with a few lines of a test in VS Code's place. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from '../vscode/paths.ts';

const editors: unknown[] = [];
Object.assign(globalThis, { editorsOfTests: editors });

/**
 * @param path of a source file, below `src`
 * @param editor as much of the module `vscode` as the code touches
 * @returns what the file exports
 */
export async function loadWithEditor<Exports>(path: string, editor: object): Promise<Exports> {
  const contents = `module.exports = globalThis.editorsOfTests[${editors.push(editor) - 1}];`;
  const { outputFiles } = await build({
    entryPoints: [join(repoRoot, 'src', path)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
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
