/** Loads a source file of the extension with a stub of the `vscode` module. */
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { compileFunction, constants } from 'node:vm';
import { build } from 'esbuild';
import { repoRoot } from '../vscode/paths.ts';
import { Disposable, values } from './editorValues.ts';

type Modules = Record<string, () => Promise<object>>;
type Run = (editor: object, require: NodeJS.Require, module: { exports: { modules: Modules } }) => void;

const sources = join(repoRoot, 'src');

/** The compiled code of all files, which takes no longer to build than a few of them; each call has a state of its own. */
let built: Promise<Run> | undefined;

/**
 * @param path path of the source file in `src/vscode`, `src/api` or `src/shared`, relative to `src`
 * @param editor stub of `vscode` with the members that the code uses, in addition to those that `defaults` has
 * @param others further files that share their state with the first one
 * @returns the exports of the files
 */
export async function loadWithEditor<Exports>(path: string, editor: object, ...others: string[]): Promise<Exports> {
  const run = await (built ??= bundle().then(compiled));
  const module = { exports: { modules: {} as Modules } };
  run(completed(editor), createRequire(import.meta.url), module);
  const { modules } = module.exports;
  const exported = {};
  for (const each of [path, ...others])
    Object.defineProperties(exported, Object.getOwnPropertyDescriptors(await modules[posix.normalize(each)]!()));
  return exported as Exports;
}

/** Names of the members of `vscode`, since an object that is not a module would be copied for each file that imports it. */
const typings = readFileSync(join(repoRoot, 'node_modules', '@types', 'vscode', 'index.d.ts'), 'utf8');
const members = Array.from(typings.matchAll(/^\texport (?:class|const|enum|namespace) (\w+)/gm), ([, name]) => name);

const compiled = (code: string): Run =>
  compileFunction(code, ['editorOfTest', 'require', 'module'], {
    filename: join(sources, 'vscode.js'),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as Run;

async function bundle(): Promise<string> {
  const files = globSync('{api,shared,vscode}/**/*.ts', { cwd: sources }).map((file) => file.replaceAll('\\', '/'));
  const entry = `export const modules = { ${files.map((file) => `'${file}': () => import('./${file}')`).join()} };`;
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: sources },
    bundle: true,
    write: false,
    format: 'cjs',
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
          onLoad({ filter: /.*/, namespace: 'editor' }, () => ({
            contents: `export const { ${members.join()} } = editorOfTest;`,
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

/** Stands for classes of one text, such as `MarkdownString`. */
class Text {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

class ToolResult {
  readonly text: string;
  constructor([part]: Text[]) {
    this.text = part?.value ?? '';
  }
}

const nothing = (): Disposable => new Disposable(() => undefined);
const chosen = (): Promise<undefined> => Promise.resolve(undefined);

/** Parts of `vscode`: without settings, where the user chooses nothing, and work with progress runs. */
const defaults: Record<string, object | string> = {
  ...values,
  ...{ LanguageModelTextPart: Text, LanguageModelToolResult: ToolResult, MarkdownString: Text },
  ...{ EndOfLine: { LF: 1, CRLF: 2 }, commands: { executeCommand: chosen }, env: { language: 'en' }, l10n: {} },
  extensions: { getExtension: () => undefined },
  window: {
    ...{ showErrorMessage: chosen, showInformationMessage: chosen, showWarningMessage: chosen },
    ...{ showQuickPick: chosen, setStatusBarMessage: nothing, onDidChangeActiveTextEditor: nothing },
    withProgress: (_options: object, work: (progress: object, token: object) => unknown) =>
      work({ report: () => undefined }, { onCancellationRequested: nothing }),
  },
  workspace: {
    ...{ isTrusted: true, onDidChangeConfiguration: nothing, onDidChangeWorkspaceFolders: nothing },
    getConfiguration: () => ({ get: () => undefined, inspect: () => undefined, update: chosen }),
  },
};

/** @returns `workspace` with these settings of the user, which may change later */
export const withSettings = (user: Record<string, unknown>): { getConfiguration: () => object } => ({
  getConfiguration: () => ({ get: () => undefined, inspect: (key: string) => ({ globalValue: user[key] }) }),
});

/** @returns a store of the extension in memory */
export const mementoOn = (stored = new Map<string, unknown>()) => ({
  get: <T>(key: string, otherwise?: T): T => (stored.get(key) as T | undefined) ?? (otherwise as T),
  update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  keys: () => [...stored.keys()],
  setKeysForSync: () => undefined,
});

/** @returns the stub, which may change later, with the other members of a default */
const filled = (stub: object, given: object): object =>
  new Proxy(stub, { get: (target, key) => (Reflect.get(target, key) ?? Reflect.get(given, key)) as unknown });

const isNamespace = (part: unknown): part is object => typeof part === 'object' && part !== null;

function completed(editor: object): object {
  const parts = Object.entries(editor).map(([name, stub]: [string, unknown]) => {
    const given = defaults[name];
    return [name, isNamespace(stub) && isNamespace(given) ? filled(stub, given) : stub];
  });
  return { ...defaults, ...(Object.fromEntries(parts) as object) };
}
