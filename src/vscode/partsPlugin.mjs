// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, transform } from 'esbuild';

/** @typedef {(require: (id: string) => unknown, module: { exports: unknown }, load: (name: string) => Promise<unknown>, vscode?: unknown) => void} Part */

/**
 * The beginning of the bundle: a loader for its files. The extension host of a browser has no loader for a second
 * file, so that they are read like any others. Must stand alone: its text goes into the bundle.
 * @param {(id: string) => any} fromHost `require` of the extension host, for `vscode` and what the host itself has
 * @param {Part} first the code that is here; exports what each of its files does, by their names
 * @param {Record<string, readonly string[]>} needs what has to be here for a file that is loaded later, itself included
 * @param {string} extension its identifier
 */
function loader(fromHost, first, needs, extension) {
  /** @type {Record<string, Part>} */
  const parts = {};
  /** @type {Record<string, { exports: unknown }>} */
  const modules = {};
  /** @type {Record<string, Promise<void> | undefined>} */
  const reading = {};
  /** @param {string} id */
  const get = (id) => {
    const name = id.slice('./'.length);
    if (!id.startsWith('./')) return fromHost(id);
    const known = here.exports[name] ?? modules[name]?.exports;
    if (known) return known;
    const module = (modules[name] = { exports: {} });
    parts[name]?.(get, module, load);
    return module.exports;
  };
  /** @param {string} name */
  const read = async (name) => {
    const { Uri, extensions, workspace } = fromHost('vscode');
    const file = Uri.joinPath(extensions.getExtension(extension).extensionUri, 'dist', name);
    const source = new TextDecoder().decode(await workspace.fs.readFile(file));
    parts[name] = /** @type {Part} */ (new Function('require', 'module', 'load', source));
  };
  /** @param {string} name */
  const load = async (name) => {
    // What could not be read is tried again the next time.
    for (const each of needs[name] ?? [])
      if (!parts[each]) await (reading[each] ??= read(each).finally(() => (reading[each] = undefined)));
    return get(`./${name}`);
  };
  /** @type {{ exports: Record<string, unknown> }} */
  const here = { exports: {} };
  first(fromHost, here, load, fromHost('vscode'));
  return get;
}

/**
 * @param {string[]} names of files
 * @param {ReadonlyMap<string, string>} texts ESM, by the names of files
 * @param {Pick<import('esbuild').BuildOptions, 'minify' | 'target' | 'external'>} options
 * @returns {Promise<string>} one CommonJS module, in which they call each other without a detour; exports each by its name
 */
async function joined(names, texts, options) {
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: names.map((name) => `export * as "${name}" from "./${name}";`).join('') },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'neutral',
    plugins: [
      {
        name: 'texts',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /^\.\// }, ({ path }) => ({ path: path.slice('./'.length), namespace: 'texts' }));
          // The editor's own API is no ES module, and needs none of what would make it look like one.
          onLoad({ filter: /.*/, namespace: 'texts' }, ({ path }) => ({
            contents: texts.get(path)?.replaceAll(/\bimport ?\* ?as ([\w$]+) from ?"vscode"/g, 'const $1=vscode'),
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * esbuild plugin for the extension host: what is imported by `import()` becomes a file of its own, read when it is
 * reached; what several files share is there once. For `format: 'esm'` with `splitting` and one entry point.
 * @param {string} extension identifier of the extension, as `publisher.name`
 * @returns {import('esbuild').Plugin}
 */
export const partsPlugin = (extension) => ({
  name: 'parts',
  setup({ initialOptions, onEnd }) {
    const { minify, target, external } = initialOptions;
    initialOptions.write = false;
    onEnd(async ({ outputFiles = [], metafile }) => {
      const outputs = new Map(Object.entries(metafile?.outputs ?? {}).map(([path, of]) => [basename(path), of]));
      const imported = (/** @type {string} */ name, /** @type {import('esbuild').ImportKind} */ how) =>
        (outputs.get(name)?.imports ?? []).flatMap(({ path, kind, external }) =>
          kind === how && !external ? [basename(path)] : [],
        );
      /** @param {string} name @returns {string[]} the file, after all that it imports */
      const withImports = (name, seen = new Set()) => {
        for (const each of imported(name, 'import-statement')) if (!seen.has(each)) withImports(each, seen);
        return [...seen.add(name)];
      };
      const later = new Set([...outputs.keys()].flatMap((name) => imported(name, 'dynamic-import')));
      const entry = [...outputs].find(([name, { entryPoint }]) => entryPoint !== undefined && !later.has(name))?.[0];
      if (entry === undefined) return;
      const atOnce = withImports(entry);

      /** @type {Map<string, string>} */
      const texts = new Map();
      for (const { path, text } of outputFiles)
        texts.set(basename(path), text.replaceAll(/\bimport\("\.\/([^"]+)"\)/g, 'load("$1")'));
      const together = await joined(atOnce, texts, { minify, target, external });
      const needs = [...later].map((name) => [name, withImports(name).filter((each) => !atOnce.includes(each))]);
      const rest = [JSON.stringify(Object.fromEntries(needs)), JSON.stringify(extension)];
      const first = `(require, module, load, vscode) => {${together}}`;
      const whole = `module.exports = (${loader})(require, ${first}, ${rest.join()})("./${entry}");`;
      /** @type {Map<string, string>} */
      const code = new Map([[entry, (await transform(whole, { minify, target })).code]]);
      for (const [name, text] of texts)
        if (!atOnce.includes(name)) code.set(name, (await transform(text, { format: 'cjs', minify, target })).code);

      const folder = dirname(outputFiles[0]?.path ?? '');
      mkdirSync(folder, { recursive: true });
      for (const [name, text] of code) writeFileSync(join(folder, name), text);
    });
  },
});
