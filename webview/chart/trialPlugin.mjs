// @ts-check
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

/**
 * esbuild plugin: `chart-trial-source` is the text of the trial worker, bundled. A webview's worker can only be made
 * from a blob, and a blob's worker can import nothing under the webview's content security policy.
 * @type {import('esbuild').Plugin}
 */
export const trialPlugin = {
  name: 'chart-trial-source',
  setup(main) {
    /** @type {import('esbuild').Metafile | undefined} */
    let made;
    main.onResolve({ filter: /^chart-trial-source$/ }, ({ path }) => ({ path, namespace: 'chart-trial' }));
    main.onLoad({ filter: /.*/, namespace: 'chart-trial' }, async () => {
      const { outputFiles, metafile } = await build({
        entryPoints: [fileURLToPath(new URL('trial.ts', import.meta.url))],
        bundle: true,
        write: false,
        minify: true,
        format: 'iife',
        target: 'es2022',
        charset: 'utf8',
        metafile: true,
        legalComments: 'none',
      });
      made = metafile;
      return { contents: outputFiles[0]?.text ?? '', loader: 'text', watchFiles: Object.keys(metafile.inputs) };
    });
    // What the worker holds is in the bundle, too.
    main.onEnd(({ metafile }) => {
      if (metafile) Object.assign(metafile.outputs, made?.outputs);
    });
  },
};
