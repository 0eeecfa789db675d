/** Stubs of VS Code's settings, files and documents. */
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repoRoot } from '../../../vscode/paths.ts';
import { EventEmitter, Uri } from '../../../support/editorValues.ts';

interface Manifest {
  contributes: {
    configuration: { properties: Record<string, { default?: unknown }> }[];
    commands: { command: string }[];
  };
}

export const manifest = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as Manifest;

export const never = new EventEmitter<never>().event;

/** A document that the extension has created. */
export interface Document {
  readonly uri: Uri;
  readonly languageId: string;
  getText(): string;
}

export class Workspace {
  /** Documents that the extension has shown, the last one last. */
  readonly shown: Document[] = [];
  readonly #settings = new Map<string, unknown>();
  readonly #changed = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();
  readonly #folder: string | undefined;

  constructor(folder: string | undefined, settings: Readonly<Record<string, unknown>>) {
    this.#folder = folder;
    for (const [key, value] of Object.entries(settings)) this.#settings.set(key, value);
  }

  setSetting(key: string, value: unknown): void {
    this.#settings.set(key, value);
    this.#changed.fire({ affectsConfiguration: (section) => key === section || key.startsWith(`${section}.`) });
  }

  get api() {
    const folder = this.#folder;
    return {
      workspaceFolders: folder === undefined ? undefined : [{ uri: Uri.file(folder), name: 'workspace', index: 0 }],
      isTrusted: true,
      onDidGrantWorkspaceTrust: never,
      onDidChangeWorkspaceFolders: never,
      onDidChangeConfiguration: this.#changed.event,
      onDidChangeTextDocument: never,
      onDidCloseTextDocument: never,
      onDidOpenTextDocument: never,
      getConfiguration: (section: string) => this.#configuration(section),
      getWorkspaceFolder: () => undefined,
      asRelativePath: (uri: Uri) => (folder === undefined ? uri.path : uri.path.replace(`${folder}/`, '')),
      findFiles: () =>
        Promise.resolve(
          folder === undefined ? [] : globSync('**/*.*', { cwd: folder }).map((path) => Uri.file(join(folder, path))),
        ),
      createFileSystemWatcher: () => ({
        onDidCreate: never,
        onDidChange: never,
        onDidDelete: never,
        dispose: () => undefined,
      }),
      registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
      openTextDocument: ({ language = 'plaintext', content = '' }: { language?: string; content?: string }) =>
        Promise.resolve({
          uri: new Uri('untitled', '', `Untitled-${this.shown.length + 1}`),
          languageId: language,
          getText: () => content,
        } satisfies Document),
      fs: {
        readFile: ({ path }: Uri) => readFile(path),
        stat: ({ path }: Uri) => stat(path),
        readDirectory: async ({ path }: Uri) => (await readdir(path)).map((name) => [name, 1]),
        writeFile: async ({ path }: Uri, bytes: Uint8Array) => {
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, bytes);
        },
      },
    };
  }

  #configuration(section: string) {
    const defaultOf = (key: string): unknown =>
      manifest.contributes.configuration.find(({ properties }) => key in properties)?.properties[key]?.default;
    const named = (key: string): string => `${section}.${key}`;
    return {
      get: (key: string) => (this.#settings.has(named(key)) ? this.#settings.get(named(key)) : defaultOf(named(key))),
      inspect: (key: string) => ({
        globalValue: this.#settings.get(named(key)),
        defaultValue: defaultOf(named(key)),
      }),
      update: (key: string, value: unknown) => Promise.resolve(this.setSetting(named(key), value)),
    };
  }
}
