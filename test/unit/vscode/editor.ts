/** A stub of VS Code: what it shows, what its user answers, its documents, files and tabs. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { ProgressOptions, QuickPickItem as Item, QuickPickOptions, StatusBarItem } from 'vscode';
import type { InputOptions } from '../../../src/vscode/host/notify.ts';
import { Disposable, EventEmitter, Uri } from '../../support/editorValues.ts';
import { loadWithEditor } from '../../support/withEditor.ts';
import { repoRoot } from '../../vscode/paths.ts';
import {
  parts,
  pathOf,
  Position,
  Range,
  Selection,
  TextDocument,
  TextEditor,
  uriAt,
  WorkspaceEdit,
  type Problem,
} from './documents.ts';
import { folders, merged } from './pairs.ts';

/** A pattern of files, or one in a folder. */
type Glob = string | { values: [folder: { uri: Uri }, pattern: string] };

const iconOf = ({ label, kind }: Item): string =>
  kind === -1 ? 'separator' : (/^\$\(([a-z-]+)\) /.exec(label)?.[1] ?? '');
const withoutIcon = ({ label }: Item): string => label.replace(/^\$\([a-z-]+\) /, '');

interface Resource {
  originalUri?: Uri;
  modifiedUri: Uri;
}
/** VS Code lists only the files that have an original. */
const listed = ({ originalUri, modifiedUri }: Resource): { modified: Uri }[] =>
  originalUri ? [{ modified: modifiedUri }] : [];
/** Throws if a text that is shown lacks one of its arguments. */
const check = (...shown: (string | undefined)[]): void => {
  for (const text of shown) if (/\{\d\}/.test(text ?? '')) throw new Error(`An argument is missing: ${text}`);
};
const isEvent = (key: string | symbol): key is string => String(key).startsWith('onDid');

/** The events that activate the extension, of which those of tabs restore them after a restart. */
const { activationEvents } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as {
  activationEvents: string[];
};

/** A tab with a page. */
export class Panel {
  readonly #received = new EventEmitter<unknown>();
  readonly #closed = new EventEmitter<void>();
  readonly #changed = new EventEmitter<void>();
  readonly posted: { type: string }[] = [];
  readonly onDidDispose = this.#closed.event;
  readonly onDidChangeViewState = this.#changed.event;
  readonly onDidChangeVisibility = this.#changed.event;
  #title = '';
  badge: unknown;
  iconPath: unknown;
  active = false;
  visible = true;
  /** How it was created. */
  type: string | undefined;
  options: { retainContextWhenHidden?: boolean } | undefined;
  /** How often it was revealed. */
  reveals = 0;
  isClosed = false;
  /** How often a page was loaded. */
  loads = 0;
  readonly #webview = this.#page();

  get title(): string {
    return this.#title;
  }
  set title(title) {
    if (this.isClosed) throw new Error('Webview is disposed');
    this.#title = title;
  }
  get webview() {
    if (this.isClosed) throw new Error('Webview is disposed');
    return this.#webview;
  }
  #page() {
    let html = '';
    const load = (text: string): void => {
      // VS Code ignores an assignment of the same HTML.
      if (text !== '' && text !== html) this.loads += 1;
      html = text;
    };
    return {
      ...{ asWebviewUri: String, cspSource: '', onDidReceiveMessage: this.#received.event },
      postMessage: (message: { type: string }) => Promise.resolve(this.posted.push(message) > 0),
      get html() {
        return html;
      },
      set html(text) {
        load(text);
      },
    };
  }

  /** Handles a message of the page. */
  receive(message: unknown): void {
    this.#received.fire(message);
  }
  /** @returns the types of the messages since the last call */
  types(): string[] {
    return this.posted.splice(0).map(({ type }) => type);
  }
  change(state: { visible?: boolean; active?: boolean }): void {
    Object.assign(this, state);
    this.#changed.fire();
  }
  reveal(): void {
    this.reveals += 1;
  }
  show(keepsFocus?: boolean): void {
    this.reveals += keepsFocus ? 0 : 1;
  }
  dispose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#closed.fire();
  }
}

export class Editor {
  /** Texts of messages, each with its buttons. */
  readonly messages: string[] = [];
  /** The kind of each message. */
  readonly kinds: string[] = [];
  /** Whether each is a dialog instead of a notification. */
  readonly modals: boolean[] = [];
  /** Called when a message is shown. */
  onMessage = (): void => undefined;
  /** Details of modal messages. */
  readonly details: string[] = [];
  /** Buttons to choose in messages, in order. */
  answers: (string | undefined)[] = [];
  /** Labels to choose from quick picks, in order, or the tooltip of a button; undefined cancels, an array ticks items. */
  picks: (string | string[] | undefined)[] = [];
  readonly offered: string[][] = [];
  /** The icons, descriptions and details of the same items. */
  readonly icons: string[][] = [];
  readonly described: string[][] = [];
  readonly detailed: string[][] = [];
  /** What is ticked in lists of which several can be chosen. */
  readonly ticked: string[][] = [];
  /** Titles of quick picks and input boxes. */
  prompts: string[] = [];
  /** Whether each quick pick stays open without the focus; the titles of those with buttons that were disposed. */
  readonly stays: (boolean | undefined)[] = [];
  readonly closed: string[] = [];
  /** Which find their items by the descriptions. */
  readonly searched: (boolean | undefined)[] = [];
  /** Gets each quick pick in whose field its user can type. */
  onType = (
    _pick: { items: Item[]; activeItems: Item[]; matchOnDetail: boolean; matchOnDescription: boolean },
    _type: (text: string) => void,
  ): void => undefined;
  entered: (string | undefined)[] = [];
  readonly proposed: (string | undefined)[] = [];
  readonly placeholders: (string | undefined)[] = [];
  /** Which input boxes hide the text that is typed. */
  readonly hidden: boolean[] = [];
  /** What input boxes ask for. */
  readonly explained: (string | undefined)[] = [];
  /** What is wrong with texts that were entered; the next one is entered instead. */
  readonly invalid: string[] = [];
  /** Files to save to, in order. */
  targets: (string | undefined)[] = [];
  /** Files to open, in order. */
  sources: (string | undefined)[] = [];
  /** Endings that dialogs of files offered. */
  readonly filters: object[] = [];
  /** Titles of these dialogs, and proposed names of files with their endings. */
  readonly dialogs: (string | undefined)[] = [];
  readonly names: (string | undefined)[] = [];
  readonly copied: string[] = [];
  readonly executed: unknown[][] = [];
  readonly statuses: string[] = [];
  readonly statusItems = new Map<string, StatusBarItem & { tooltip: string; priority: number; shown: boolean }>();
  /** Titles of progress and of previews; what is called when progress is shown. */
  readonly titles: string[] = [];
  onProgress = (): void => undefined;
  /** Messages of progress. */
  readonly progress: string[] = [];
  /** Cancels what runs with progress. */
  cancel = (): unknown => undefined;
  /** Further members of the stub, or other ones. */
  more: Record<string, object> = {};
  isTrusted = true;
  folders: readonly (typeof folders)[number][] = folders;
  /** API of the Git extension. */
  git: object | undefined;
  /** Applies the preview, or closes it if that does nothing. */
  onPreview = (): void => this.applyPreview();
  refusesEdits = false;
  /** Leaves previews open. */
  keepsPreviews = false;
  /** The function that the button of the preview calls. */
  applyPreview: (argument?: unknown) => void = () => undefined;
  #isApplied = false;
  /** Paths and texts of the files in each preview. */
  readonly previewed: { path: string; text: string }[][] = [];
  /** Paths of the files before the changes. */
  readonly originals: string[] = [];
  /** The open tabs, also of previews. */
  readonly tabs: { input: object | undefined }[] = [];
  /** Those of a group that is not active. */
  readonly otherTabs: { input: object | undefined }[] = [];
  activeTab: { input: object } | undefined;
  /** How many edits were written. */
  writes = 0;
  /** What was registered for a language, by the name of the function. */
  readonly providers: Record<string, never> = {};
  /** The languages or files that each is for. */
  readonly selectors: Record<string, unknown> = {};
  /** The characters that request completions. */
  triggers: unknown[] = [];
  /** How many are registered. */
  providing = 0;
  /** The problems by the name of their collection and by path. */
  readonly problems: Record<string, Map<string, readonly Problem[]>> = {};
  readonly #events = new Map<string, EventEmitter<unknown>>();
  /** Sizes of files that are too large for a test, by path. */
  readonly sizes = new Map<string, number>();
  /** Reads a file instead of those below. */
  reading = (_path: string): Promise<Uint8Array> | void => undefined;
  /** Texts by path. */
  readonly files = new Map<string, string>();
  readonly documents: TextDocument[] = [];
  /** What was shown: documents by path or, if they have none, by text. */
  readonly shown: string[] = [];
  /** The columns that they were shown in. */
  readonly columns: (number | undefined)[] = [];
  active: TextEditor | undefined;
  readonly visible: TextEditor[] = [];
  /** The editor that was shown last. */
  last: TextEditor | undefined;
  /** By name, or by folder and name: `bank evals.attempts`. */
  settings: Record<string, unknown> = {};
  defaults: Record<string, unknown> = {};
  /** Settings of the user that were written, in order. */
  readonly written: [key: string, value: unknown][] = [];
  readonly panels: Panel[] = [];

  /** How many listeners to such events there are. */
  get listening(): number {
    return [...this.#events.values()].reduce((sum, { size }) => sum + size, 0);
  }
  /** Fires an event of the window or the workspace, by its name. */
  fire(name: string, event?: unknown): void {
    this.#eventOf(name).fire(event);
  }
  #eventOf(name: string): EventEmitter<unknown> {
    const event = this.#events.get(name) ?? new EventEmitter<unknown>();
    this.#events.set(name, event);
    return event;
  }

  #answer = (kind: string, message: string, ...actions: unknown[]): Promise<string | undefined> => {
    this.kinds.push(kind);
    const [options] = actions.filter((each) => typeof each === 'object') as { modal?: boolean; detail?: string }[];
    const buttons = actions.filter((each) => typeof each === 'string');
    if (message === '' || buttons.includes('')) throw new Error('It has an empty text.');
    check(message, options?.detail, ...buttons);
    // Only a dialog has a detail.
    if (options && !options.modal) throw new Error('It is no dialog.');
    if (options) this.details.push(options.detail ?? '');
    this.modals.push(options !== undefined);
    this.messages.push([message, ...buttons.map((button) => `[${button}]`)].join(' '));
    this.onMessage();
    // A notification without buttons stays open until its user closes it.
    if (buttons.length === 0) return options ? Promise.resolve(undefined) : new Promise(() => undefined);
    const answer = this.answers.shift();
    if (answer !== undefined && !buttons.includes(answer)) throw new Error(`Not offered: ${answer}`);
    return Promise.resolve(answer);
  };

  #prompt(title?: string, ...others: (string | undefined)[]): void {
    if (!title) throw new Error('It has no title.');
    check(title, ...others);
    this.prompts.push(title);
  }
  #note(items: readonly Item[]): string | string[] | undefined {
    check(...items.flatMap(({ label, description, detail }) => [label, description, detail]));
    this.offered.push(items.map(withoutIcon));
    this.icons.push(items.map(iconOf));
    this.described.push(items.map(({ description = '' }) => description));
    this.detailed.push(items.map(({ detail = '' }) => detail));
    return this.picks.shift();
  }
  #pick<T extends Item>(items: readonly T[], isMany = false): T | T[] | undefined {
    const pick = this.#note(items);
    const labels = items.map(withoutIcon);
    for (const each of pick === undefined ? [] : [pick].flat())
      if (!labels.includes(each.replace(/^.*? of (?=.)/, '')) && !labels.includes(each))
        throw new Error(`Not listed: ${each}`);
    if (isMany) this.ticked.push(items.flatMap((item) => (item.picked ? withoutIcon(item) : [])));
    return isMany
      ? pick === undefined
        ? undefined
        : items.filter((item) => pick.includes(withoutIcon(item)))
      : items.find((item) => withoutIcon(item) === pick);
  }

  /** A quick pick with buttons: a pick `button of label` presses one. */
  #quickPick() {
    const [accepted, hidden] = [new EventEmitter<void>(), new EventEmitter<void>()];
    const [pressed, typed] = [new EventEmitter<{ item: Item; button: object }>(), new EventEmitter<string>()];
    let listed: Item[] = [];
    const pick = {
      ...{ title: '', placeholder: '', ignoreFocusOut: false, matchOnDetail: false, matchOnDescription: false },
      ...{ selectedItems: [] as Item[], activeItems: [] as Item[] },
      get items(): Item[] {
        return listed;
      },
      set items(items) {
        listed = items;
        // VS Code focuses the first one.
        this.activeItems = items.filter(({ kind }) => kind !== -1).slice(0, 1);
      },
      ...{ onDidAccept: accepted.event, onDidHide: hidden.event, onDidTriggerItemButton: pressed.event },
      onDidChangeValue: typed.event,
      show: () => {
        this.stays.push(pick.ignoreFocusOut);
        this.placeholders.push(pick.placeholder);
        this.onType(pick, (text) => typed.fire(text));
        this.#prompt(pick.title);
        const [, tooltip, label] = /^(.*?) of (.*)$/.exec(String(this.picks[0])) ?? [];
        const item = pick.items.find((each) => withoutIcon(each) === label);
        const button = item?.buttons?.find((each) => each.tooltip === tooltip);
        const found = this.#pick(pick.items);
        pick.selectedItems = [found ?? []].flat();
        if (item && button) pressed.fire({ item, button });
        else if (found) accepted.fire();
        else hidden.fire();
      },
      hide: () => hidden.fire(),
      dispose: () => this.closed.push(pick.title),
    };
    return pick;
  }

  #open = (what: Uri | { content?: string; language?: string }): Promise<TextDocument> => {
    if (!(what instanceof Uri)) {
      const uri = new Uri('untitled', '', `Untitled-${this.documents.length + 1}`);
      const document = new TextDocument(uri, what.content ?? '', what.language ?? 'plaintext');
      this.documents.push(document);
      return Promise.resolve(document);
    }
    const known = this.documents.find(({ uri }) => uri.toString() === what.toString());
    const document = known ?? new TextDocument(what, this.files.get(pathOf(what)) ?? '');
    document.onSave = () => void this.files.set(pathOf(what), document.text);
    if (!known) this.documents.push(document);
    return Promise.resolve(document);
  };

  /** Previews with their tabs, which the user applies or closes at once. */
  #previews() {
    const providers: { provideTextDocumentContent(uri: Uri): string | undefined }[] = [];
    // The first one that has the document.
    const read = (uri: Uri): string | undefined => {
      const texts = providers.map((each) => each.provideTextDocumentContent(uri));
      return texts.find((text) => text !== undefined);
    };
    const close = (tabs: unknown[] = this.tabs): void => {
      const closed = this.tabs.filter((tab) => tabs.includes(tab));
      for (const tab of closed) this.tabs.splice(this.tabs.indexOf(tab), 1);
      this.fire('onDidChangeTabs', { closed });
    };
    return {
      close,
      provide: (_scheme: string, provider: (typeof providers)[number]): Disposable => {
        providers.push(provider);
        this.providing += 1;
        return new Disposable(() => ((this.providing -= 1), providers.splice(providers.indexOf(provider), 1)));
      },
      show: (
        first: Uri & { resources?: Resource[]; title?: string },
        modified?: Uri,
        title = first.title,
        options?: { preview: boolean },
      ): void => {
        const { resources } = first;
        // A tab in italics would be replaced by the next file that the user opens.
        if (!resources && options?.preview !== false) throw new Error('It is not kept.');
        this.titles.push(title ?? '');
        const shown = resources ?? [{ originalUri: first, modifiedUri: modified! }];
        const all = shown.map(({ modifiedUri }) => modifiedUri);
        this.originals.push(...shown.flatMap(({ originalUri }) => originalUri?.path ?? []));
        for (const { originalUri, modifiedUri } of shown) {
          if (originalUri && read(originalUri)) throw new Error('It has two texts.');
          const isNew = originalUri?.scheme === modifiedUri.scheme;
          const isThere = [...this.files.keys(), ...this.documents.map(({ uri }) => pathOf(uri))];
          if (originalUri && !isNew && !isThere.includes(pathOf(originalUri))) throw new Error('There is no original.');
        }
        this.previewed.push(all.map((uri) => ({ path: uri.path, text: read(uri) ?? '' })));
        this.activeTab = { input: resources ? { textDiffs: resources.flatMap(listed) } : { modified: modified! } };
        this.tabs.push(this.activeTab);
        if (this.keepsPreviews) return;
        this.#isApplied = false;
        this.onPreview();
        if (!this.#isApplied) close();
      },
    };
  }

  #folderOf(of: Uri): (typeof folders)[number] | undefined {
    return this.folders.find(({ uri }) => `${String(of)}/`.startsWith(`${String(uri)}/`));
  }

  /** Whether a file is in a workspace folder, and matches a pattern there. */
  #isIn(glob: Glob, { path }: Uri): boolean {
    const [root, pattern] = typeof glob === 'string' ? [undefined, glob] : glob.values;
    const folder = this.folders.find(({ uri }) => path.startsWith(`${uri.path}/`));
    const isOther = root !== undefined && root.uri.path !== folder?.uri.path;
    return folder !== undefined && !isOther && posix.matchesGlob(path.slice(folder.uri.path.length + 1), pattern);
  }

  #collection(name: string): object {
    const shown = (this.problems[name] = new Map<string, readonly Problem[]>());
    const set = (uri: Uri, problems: readonly Problem[]): unknown => shown.set(pathOf(uri), problems);
    return {
      set: (of: Uri | [Uri, Problem[]][], problems: readonly Problem[]) =>
        of instanceof Uri
          ? set(of, problems)
          : of.map(([uri, own]) => set(uri, [...(shown.get(pathOf(uri)) ?? []), ...own])),
      delete: (uri: Uri) => shown.delete(pathOf(uri)),
      ...{ clear: () => shown.clear(), dispose: () => shown.clear() },
    };
  }

  #withEvents(part: object): object {
    return new Proxy(part, {
      has: (target, key) => Reflect.has(target, key) || isEvent(key),
      get: (target, key) =>
        !Reflect.has(target, key) && isEvent(key) ? this.#eventOf(key).event : (Reflect.get(target, key) as unknown),
    });
  }

  /** Loads files of `src/vscode` that share their state, with this editor. */
  async load<Exports>(path: string, ...others: string[]): Promise<Exports> {
    const [first, ...rest] = [path, ...others, 'host/preview'].map((each) => `vscode/${each}.ts`);
    type Loaded = Exports & { applyPreview: Editor['applyPreview'] };
    const loaded = await loadWithEditor<Loaded>(first!, this.with(), ...rest);
    this.applyPreview = (argument) => ((this.#isApplied = true), loaded.applyPreview(argument));
    return loaded;
  }

  /** The stub of `vscode`; members of the argument are added to it or replace its own. */
  with(more = this.more): object {
    const own = this.#api();
    const changed = Object.fromEntries(Object.entries(more).map(([name, part]) => [name, merged(own[name], part)]));
    const { window, workspace, ...others } = { ...own, ...changed } as Record<string, object>;
    return { ...others, window: this.#withEvents(window!), workspace: this.#withEvents(workspace!) };
  }

  #api(): Record<string, object> {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const editor = this;
    const previews = this.#previews();
    const tabGroup = {
      tabs: this.tabs,
      get activeTab() {
        return editor.activeTab;
      },
    };
    const known = new Set<string>();
    const provided = (name: string) => (selector: unknown, provider: never) => {
      // VS Code would ask both, and show everything twice.
      const key = `${name} ${JSON.stringify(selector)}`;
      if (known.has(key)) throw new Error(`Provided twice: ${key}`);
      known.add(key);
      this.selectors[name] = selector;
      this.providers[name] = provider;
      this.providing += 1;
      return new Disposable(() => ((this.providing -= 1), known.delete(key), delete this.providers[name]));
    };
    return {
      ...{ ...parts, Position, Range, Selection, Uri, WorkspaceEdit, TextEditorRevealType: {} },
      commands: {
        executeCommand: (...command: unknown[]) => {
          const isPreview = command[0] === 'vscode.diff' || command[0] === '_workbench.openMultiDiffEditor';
          if (isPreview) previews.show(...(command.slice(1) as Parameters<typeof previews.show>));
          else this.executed.push(command);
          return Promise.resolve();
        },
      },
      extensions: {
        getExtension: (id: string) =>
          id === 'vscode.git' && this.git && { activate: () => Promise.resolve({ getAPI: () => this.git }) },
      },
      languages: {
        createDiagnosticCollection: (name: string) => this.#collection(name),
        setTextDocumentLanguage: (document: TextDocument, id: string) => (document.languageId = id),
        registerCodeActionsProvider: provided('actions'),
        registerCodeLensProvider: provided('lenses'),
        registerCompletionItemProvider: (selector: unknown, provider: never, ...triggers: unknown[]) => (
          (this.triggers = triggers),
          provided('completion')(selector, provider)
        ),
        registerDefinitionProvider: provided('definition'),
        registerHoverProvider: provided('hover'),
        registerRenameProvider: provided('rename'),
      },
      env: { language: 'en', clipboard: { writeText: (text: string) => Promise.resolve(void this.copied.push(text)) } },
      window: {
        showInformationMessage: this.#answer.bind(this, 'information'),
        showWarningMessage: this.#answer.bind(this, 'warning'),
        showErrorMessage: this.#answer.bind(this, 'error'),
        get activeTextEditor() {
          return editor.active;
        },
        visibleTextEditors: this.visible,
        tabGroups: {
          ...{
            all: [{ tabs: this.otherTabs }, tabGroup],
            activeTabGroup: tabGroup,
            onDidChangeTabs: this.#eventOf('onDidChangeTabs').event,
          },
          close: (tabs: unknown[]) => Promise.resolve(previews.close(tabs)),
        },
        showQuickPick: (items: Item[], { canPickMany, title, placeHolder, ...options }: QuickPickOptions) => {
          this.stays.push(options.ignoreFocusOut);
          this.searched.push(options.matchOnDescription);
          this.placeholders.push(placeHolder);
          this.#prompt(title, placeHolder);
          return Promise.resolve(this.#pick(items, canPickMany));
        },
        createQuickPick: () => this.#quickPick(),
        showInputBox: ({ value, title, prompt, placeHolder, password = false, ...options }: InputOptions) => {
          const { validateInput, ignoreFocusOut } = options;
          if (!ignoreFocusOut) throw new Error('It would lose the typed text.');
          this.#prompt(title, prompt, placeHolder);
          this.proposed.push(value);
          this.hidden.push(password);
          this.placeholders.push(placeHolder);
          this.explained.push(prompt);
          for (;;) {
            const entered = this.entered.shift();
            const problem = entered === undefined ? undefined : validateInput?.(entered);
            if (problem === undefined) return Promise.resolve(entered);
            this.invalid.push(problem);
          }
        },
        showSaveDialog: ({ title, defaultUri, filters }: { title?: string; defaultUri?: Uri; filters: object }) => {
          this.dialogs.push(title);
          this.filters.push(filters);
          this.names.push(defaultUri?.path);
          const path = this.targets.shift();
          return Promise.resolve(path === undefined ? undefined : uriAt(path));
        },
        showOpenDialog: ({ title, filters }: { title?: string; filters: object }) => (
          this.dialogs.push(title),
          this.filters.push(filters),
          Promise.resolve(this.sources.splice(0, 1).flatMap((path) => (path ? [uriAt(path)] : [])))
        ),
        createStatusBarItem: (id: string, _alignment: number, priority: number) => {
          const item = {
            ...{ name: '', text: '', tooltip: '', command: '', shown: false, priority },
            show: () => (item.shown = true),
            hide: () => (item.shown = false),
            dispose: () => this.statusItems.delete(id),
          };
          this.statusItems.set(id, item as never);
          return item;
        },
        setStatusBarMessage: (text: string) => (check(text), this.statuses.push(text), new Disposable(() => undefined)),
        showTextDocument: async (
          what: TextDocument | Uri,
          options?: number | { selection?: Selection; viewColumn?: number },
        ) => {
          const { selection, viewColumn } = typeof options === 'object' ? options : { viewColumn: options };
          this.columns.push(viewColumn);
          if (what instanceof Uri) this.shown.push(pathOf(what));
          else this.shown.push(what.uri.scheme === 'untitled' ? what.text : what.uri.path);
          const document = what instanceof Uri ? await this.#open(what) : what;
          const known = [this.active, this.last].find((each) => each?.document === document && !each.isSide);
          this.last = known ?? new TextEditor(document);
          if (selection) this.last.selection = selection;
          return this.last;
        },
        createWebviewPanel: (type: string, title: string, column: number, options?: object) => {
          check(title);
          if (column !== -1) throw new Error('The tab opens beside the active group.');
          if (!activationEvents.includes(`onWebviewPanel:${type}`)) throw new Error(`Not restored: ${type}`);
          const panel = Object.assign(new Panel(), { type, title, options });
          this.panels.push(panel);
          return panel;
        },
        withProgress: (options: ProgressOptions, work: (progress: object, token: object) => unknown) => {
          const { title, cancellable } = options;
          const canceled = new EventEmitter<void>();
          this.cancel = () => cancellable && canceled.fire();
          const report = ({ message }: { message: string }): unknown => (check(message), this.progress.push(message));
          this.titles.push(title ?? '');
          const result = work({ report }, { onCancellationRequested: canceled.event });
          this.onProgress();
          return result;
        },
      },
      workspace: {
        textDocuments: this.documents,
        get isTrusted() {
          return editor.isTrusted;
        },
        get workspaceFolders() {
          return editor.folders;
        },
        registerTextDocumentContentProvider: previews.provide,
        findFiles: (pattern: Glob, except?: Glob, most = Infinity) => {
          const isFound = (uri: Uri): boolean => this.#isIn(pattern, uri) && !(except && this.#isIn(except, uri));
          const uris = [...this.files.keys()].map(uriAt);
          return Promise.resolve(uris.filter(isFound).slice(0, most));
        },
        createFileSystemWatcher: (pattern: Glob) => {
          const listeners: Disposable[] = [];
          const on = (name: string) => (listener: (uri: Uri) => void) =>
            listeners.push(this.#eventOf(name).event((uri) => this.#isIn(pattern, uri as Uri) && listener(uri as Uri)));
          return {
            ...{ onDidCreate: on('created'), onDidChange: on('written'), onDidDelete: on('deleted') },
            dispose: () => listeners.forEach((listener) => listener.dispose()),
          };
        },
        // VS Code takes a path for that of a `file:` URI.
        asRelativePath: (of: Uri | string, hasFolder = this.folders.length > 1) => {
          const uri = of instanceof Uri ? of : Uri.file(of);
          const folder = this.#folderOf(uri);
          const path = uri.path.slice((folder?.uri.path.length ?? -1) + 1);
          return folder && hasFolder ? `${folder.name}/${path}` : path;
        },
        getWorkspaceFolder: (of: Uri) => this.#folderOf(of),
        openTextDocument: this.#open,
        // Of a folder, by its name, or of a file, by its path.
        getConfiguration: (_section: string, scope?: { name?: string; path?: string }) => ({
          get: (key: string, otherwise?: unknown) =>
            this.settings[`${scope?.name ?? scope?.path} ${key}`] ?? this.settings[key] ?? otherwise,
          inspect: (key: string) => ({ globalValue: this.settings[key], defaultValue: this.defaults[key] }),
          update: (key: string, value: unknown, target: number) =>
            target === 1 ? Promise.resolve(this.written.push([key, value])) : Promise.reject(new Error('No user.')),
        }),
        applyEdit: ({ changes, created }: WorkspaceEdit) => {
          this.writes += 1;
          if (this.refusesEdits) return Promise.resolve(false);
          for (const [path, text] of created) this.files.set(path, text);
          for (const document of this.documents) {
            const own = changes.filter(({ uri }) => uri.toString() === document.uri.toString());
            if (own.length > 0) document.change(own);
          }
          return Promise.resolve(true);
        },
        fs: {
          isWritableFileSystem: (scheme: string) => ({ file: true, 'vscode-vfs': true, git: false })[scheme],
          stat: (uri: Uri, path = pathOf(uri)) => {
            const size = this.sizes.get(path) ?? this.files.get(path)?.length;
            return size === undefined ? Promise.reject(new Error(`No file ${path}.`)) : Promise.resolve({ size });
          },
          readDirectory: (uri: Uri, path = pathOf(uri)) => {
            const found = [...this.files.keys()].filter((each) => each.startsWith(`${path}/`));
            // Folders have another type than files.
            const entries = new Map(
              found
                .map((each) => each.slice(path.length + 1).split('/'))
                .map(([name, ...rest]) => [name, rest.length > 0 ? 2 : 1]),
            );
            return entries.size > 0 ? Promise.resolve([...entries]) : Promise.reject(new Error());
          },
          readFile: (uri: Uri, path = pathOf(uri)) =>
            this.reading(path) ??
            (this.files.has(path)
              ? Promise.resolve(new TextEncoder().encode(this.files.get(path)))
              : Promise.reject(new Error(`No file ${path}.`))),
          writeFile: (uri: Uri, bytes: Uint8Array, path = pathOf(uri)) => {
            if (path.startsWith('/read-only')) return Promise.reject(new Error('No permission.'));
            return Promise.resolve(
              void this.files.set(path, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
            );
          },
        },
      },
    };
  }
}
