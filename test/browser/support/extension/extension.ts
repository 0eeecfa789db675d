/**
 * The built extension with a stub of VS Code, and its views as pages of a browser: everything between a click in a page
 * and a request to the service, without the editor.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileFunction, constants } from 'node:vm';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { chatIn, type Chat } from '../../../support/chat.ts';
import { repoRoot } from '../../../vscode/paths.ts';
import { copyWorkspace, removeWorkspace } from '../../../vscode/workspace.ts';
import { browser } from '../../../support/browser.ts';
import { Editor, type EditorOptions } from './editor.ts';
import type { Prompts } from './prompts.ts';
import { EventEmitter, Uri, values } from '../../../support/editorValues.ts';
import { manifest } from './workspace.ts';

export interface ExtensionOptions extends BrowserContextOptions, Omit<EditorOptions, 'folder'> {
  chatApiUrl?: string;
  apiKey?: string;
  /** A folder of `test/fixtures/workspaces`; a copy is opened. Defaults to an empty window. */
  workspace?: string;
}

export interface RunningExtension {
  editor: Editor;
  prompts: Prompts;
  /** The page of the side bar view. */
  page: Page;
  chat: Chat;
  /** The copy of the workspace, or a folder for exported files. */
  folder: string;
  /** Starts a new chat in the side bar. */
  newChat(): Promise<void>;
  /** What VS Code does before a window closes or reloads. */
  deactivate(): Promise<void>;
  stop(): Promise<void>;
}

interface Module {
  activate(context: object): unknown;
  deactivate(): Promise<void>;
}

const require = createRequire(import.meta.url);

/** Runs the bundle, which has state of its own each time, as VS Code does in a web worker. */
function load(editor: Editor): Module {
  const path = join(repoRoot, 'dist', 'extension.js');
  const module = { exports: {} as Module };
  const { module: vscode } = editor;
  const run = compileFunction(readFileSync(path, 'utf8'), ['module', 'exports', 'require'], {
    filename: path,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as (...args: unknown[]) => void;
  run(module, module.exports, (name: string): unknown => (name === 'vscode' ? vscode : require(name)));
  return module.exports;
}

function memento() {
  const kept = new Map<string, unknown>();
  return {
    get: (key: string, otherwise?: unknown) => kept.get(key) ?? otherwise,
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    keys: () => [...kept.keys()],
  };
}

function secrets() {
  const kept = new Map<string, string>();
  return {
    get: (key: string) => Promise.resolve(kept.get(key)),
    store: (key: string, value: string) => Promise.resolve(void kept.set(key, value)),
    delete: (key: string) => Promise.resolve(void kept.delete(key)),
    onDidChange: new EventEmitter<never>().event,
  };
}

export async function startExtension(options: ExtensionOptions): Promise<RunningExtension> {
  const { chatApiUrl = '', apiKey = '', workspace, settings, language, bundle, theme, ...page } = options;
  const storage = mkdtempSync(join(tmpdir(), 'extension-'));
  const copy = workspace === undefined ? undefined : copyWorkspace(workspace);
  const context = await (await browser()).newContext({ viewport: { width: 500, height: 800 }, ...page });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const editor = new Editor(context, {
    folder: copy,
    ...(settings ? { settings } : {}),
    ...(language === undefined ? {} : { language }),
    ...(bundle ? { bundle } : {}),
    ...(theme ? { theme } : {}),
  });
  const subscriptions: { dispose(): unknown }[] = [];
  const extension = load(editor);
  // Read when the extension is activated.
  Object.assign(process.env, { ANALYTICS_CHAT_API_URL: chatApiUrl, ANALYTICS_CHAT_API_KEY: apiKey });
  extension.activate({
    subscriptions,
    extensionUri: Uri.file(repoRoot),
    extension: { packageJSON: manifest },
    extensionMode: values.ExtensionMode.Development,
    globalStorageUri: Uri.file(join(storage, 'global')),
    globalState: memento(),
    workspaceState: memento(),
    secrets: secrets(),
  });
  delete process.env['ANALYTICS_CHAT_API_URL'];
  delete process.env['ANALYTICS_CHAT_API_KEY'];
  const sideBar = await (await editor.sideBar).webview.page;
  const chat = chatIn(sideBar as unknown as Chat['view']);
  await sideBar.getByRole('textbox').waitFor();
  return {
    ...{ editor, prompts: editor.prompts, page: sideBar, chat, folder: copy ?? storage },
    newChat: async () => {
      await editor.run('analyticsChat.newChat');
      await chat.view.getByText('Ask about your data.').waitFor();
    },
    deactivate: () => extension.deactivate(),
    stop: async () => {
      await extension.deactivate();
      for (const each of subscriptions.reverse()) each.dispose();
      await editor.closeTabs();
      await context.close();
      if (copy !== undefined) removeWorkspace(copy);
      rmSync(storage, { recursive: true, force: true });
      assert.deepEqual(editor.problems, [], 'the pages have no problems');
    },
  };
}
