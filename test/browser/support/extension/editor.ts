/**
 * A stub of the `vscode` module with what the extension uses for its views. Reading anything else throws, so that a
 * test can't pass because the stub does nothing. Inserting into files is tested in the real editor.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../../../support/until.ts';
import { Holder } from './holder.ts';
import { Prompts } from './prompts.ts';
import { Disposable, values } from '../../../support/editorValues.ts';
import { Webview, type ThemeName } from './webviews.ts';
import { never, Workspace } from './workspace.ts';

interface Provider {
  resolveWebviewView(view: Holder, context: { state: unknown }): Promise<void>;
}

type Handler = (...args: unknown[]) => unknown;

export interface EditorOptions {
  folder?: string | undefined;
  settings?: Readonly<Record<string, unknown>>;
  language?: string;
  /** Translations by English text, as VS Code reads them from the bundle of the language. */
  bundle?: Record<string, string>;
  theme?: ThemeName;
}

export class Editor {
  readonly prompts = new Prompts();
  readonly workspace: Workspace;
  /** Violations of the Content Security Policy, and requests of the pages to other origins. */
  readonly problems: string[] = [];
  clipboard = '';
  readonly #context: BrowserContext;
  readonly #options: EditorOptions;
  readonly #commands = new Map<string, Handler>();
  readonly #tabs: Holder[] = [];
  readonly #statusItems: { text: string }[] = [];
  #provider: Provider | undefined;
  #sideBar: Promise<Holder> | undefined;
  #shownSideBar: Holder | undefined;
  #theme: ThemeName;

  constructor(context: BrowserContext, options: EditorOptions) {
    this.#context = context;
    this.#options = options;
    this.#theme = options.theme ?? 'dark';
    this.workspace = new Workspace(options.folder, options.settings ?? {});
  }

  /** The view in the side bar, which is opened if necessary. */
  get sideBar(): Promise<Holder> {
    return (this.#sideBar ??= this.#openSideBar());
  }

  /** Waits for an editor tab whose title contains this text. @returns its page */
  async tab(title = ''): Promise<Page> {
    const find = (): Holder | undefined => this.#tabs.findLast((each) => each.title.includes(title));
    return (await until(find, () => `no tab “${title}”`)).webview.page;
  }

  /** Brings a tab to the front of its group, which hides the others. */
  async activate(tab: Page): Promise<void> {
    for (const holder of this.#tabs) if ((await holder.webview.page) === tab) return this.#select(holder);
  }

  /** The number at the side bar's icon. */
  get badge(): number {
    return this.#shownSideBar?.badge?.value ?? 0;
  }

  async closeTabs(): Promise<void> {
    for (const holder of this.#tabs.splice(0)) holder.dispose();
  }

  /** Shows something else in front of all tabs. */
  async hideTabs(): Promise<void> {
    for (const holder of this.#tabs) {
      holder.setActive(false);
      await holder.setVisible(false);
    }
  }

  /** The texts in the status bar. */
  get statusBar(): readonly string[] {
    return this.#statusItems.map(({ text }) => text);
  }

  get openTabs(): readonly string[] {
    return this.#tabs.map(({ title }) => title);
  }

  async setTheme(theme: ThemeName): Promise<void> {
    this.#theme = theme;
    if (this.#sideBar) await (await this.#sideBar).webview.applyTheme();
    for (const { webview } of this.#tabs) await webview.applyTheme();
  }

  async run(command: string, ...args: unknown[]): Promise<unknown> {
    const handler = this.#commands.get(command);
    if (handler) return handler(...args);
    // Other commands of VS Code have no effect.
    if (command === 'analyticsChat.chat.focus') await (await this.sideBar).setVisible(true);
    return undefined;
  }

  /** The module that the extension imports. */
  get module(): object {
    const { language = 'en', bundle } = this.#options;
    const nothing = () => new Disposable(() => undefined);
    return strict('vscode', {
      ...values,
      l10n: strict('l10n', { bundle }),
      env: strict('env', {
        ...{ language, remoteName: undefined, uiKind: values.UIKind.Desktop },
        clipboard: { writeText: (text: string) => Promise.resolve(void (this.clipboard = text)) },
        openExternal: () => Promise.resolve(true),
      }),
      commands: strict('commands', {
        registerCommand: (id: string, handler: Handler) => {
          this.#commands.set(id, handler);
          return nothing();
        },
        executeCommand: (id: string, ...args: unknown[]) => this.run(id, ...args),
      }),
      extensions: strict('extensions', { getExtension: () => undefined }),
      chat: strict('chat', {
        createChatParticipant: () => ({ onDidReceiveFeedback: never, dispose: () => undefined }),
      }),
      lm: strict('lm', { registerTool: nothing }),
      languages: strict('languages', {
        registerHoverProvider: nothing,
        registerDefinitionProvider: nothing,
        registerCompletionItemProvider: nothing,
        registerCodeLensProvider: nothing,
        registerCodeActionsProvider: nothing,
        registerRenameProvider: nothing,
        createDiagnosticCollection: () => ({ set: nothing, delete: nothing, clear: nothing, dispose: nothing }),
      }),
      tests: strict('tests', { createTestController: testController }),
      workspace: strict('workspace', this.workspace.api),
      window: strict('window', {
        ...this.prompts.window,
        activeTextEditor: undefined,
        visibleTextEditors: [],
        tabGroups: { all: [], activeTabGroup: { activeTab: undefined } },
        onDidChangeActiveTextEditor: never,
        onDidChangeTextEditorSelection: never,
        showTextDocument: (document: Workspace['shown'][number]) =>
          Promise.resolve(this.workspace.shown.push(document)),
        createOutputChannel: () => ({
          ...{ info: nothing, warn: nothing, error: nothing, show: nothing },
          dispose: nothing,
        }),
        createStatusBarItem: () => {
          const item = { text: '', show: nothing, hide: nothing, dispose: nothing };
          this.#statusItems.push(item);
          return item;
        },
        registerUriHandler: nothing,
        registerWebviewPanelSerializer: nothing,
        registerWebviewViewProvider: (_id: string, provider: Provider) => {
          this.#provider = provider;
          return nothing();
        },
        createWebviewPanel: (_type: string, title: string, _column: unknown, options?: object) =>
          this.#openTab(title, options),
      }),
    });
  }

  async #openSideBar(): Promise<Holder> {
    const holder = new Holder(this.#webview(false), false, false);
    this.#shownSideBar = holder;
    holder.onReveal = () => void holder.setVisible(true);
    await this.#provider?.resolveWebviewView(holder, { state: undefined });
    return holder;
  }

  #openTab(title: string, options: { retainContextWhenHidden?: boolean } = {}): Holder {
    const holder = new Holder(this.#webview(true), true, options.retainContextWhenHidden ?? false);
    holder.title = title;
    holder.onReveal = () => void this.#select(holder);
    this.#tabs.push(holder);
    holder.onDidDispose(() => {
      if (this.#tabs.includes(holder)) this.#tabs.splice(this.#tabs.indexOf(holder), 1);
    });
    void this.#select(holder);
    return holder;
  }

  async #select(holder: Holder): Promise<void> {
    for (const other of this.#tabs)
      if (other !== holder) {
        other.setActive(false);
        await other.setVisible(false);
      }
    await holder.setVisible(true);
    holder.setActive(true);
  }

  #webview(isTab: boolean): Webview {
    return new Webview(this.#context, this.problems, isTab, () => this.#theme);
  }
}

/** A test controller without a Test Explorer. */
function testController(): object {
  const collection = () => ({ get: () => undefined, replace: () => undefined });
  return {
    items: collection(),
    createTestItem: (id: string) => ({ id, children: collection() }),
    createRunProfile: () => undefined,
    invalidateTestResults: () => undefined,
    dispose: () => undefined,
  };
}

/** @returns an object that throws if a member is read that it doesn't have */
function strict<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get: (target, key) => {
      if (key in target || typeof key === 'symbol') return Reflect.get(target, key) as unknown;
      throw new Error(`The stub of ${name} has no ${key}.`);
    },
  });
}
