/** A stub of VS Code: what it shows, what its user answers, its documents, files and tabs. */
import { Disposable, EventEmitter, Uri } from '../../support/editorValues.ts';
import { Position, Range, Selection, TextDocument, TextEditor, WorkspaceEdit } from './documents.ts';
import { folders, merged } from './pairs.ts';

interface Item {
  label: string;
  description?: string;
  detail?: string;
  buttons?: { tooltip: string }[];
}
const iconOf = ({ label }: Item): string => /^\$\(([a-z-]+)\) /.exec(label)?.[1] ?? '';
const withoutIcon = ({ label }: Item): string => label.replace(/^\$\([a-z-]+\) /, '');

/** A tab with a page. */
export class Panel {
  readonly #received = new EventEmitter<unknown>();
  readonly #closed = new EventEmitter<void>();
  readonly #changed = new EventEmitter<void>();
  readonly posted: { type: string }[] = [];
  readonly onDidDispose = this.#closed.event;
  readonly onDidChangeViewState = this.#changed.event;
  readonly onDidChangeVisibility = this.#changed.event;
  title = '';
  badge: unknown;
  active = false;
  visible = true;
  /** How often it was revealed. */
  reveals = 0;
  isClosed = false;
  readonly #webview = {
    ...{ asWebviewUri: String, cspSource: '', html: '', onDidReceiveMessage: this.#received.event },
    postMessage: (message: { type: string }) => Promise.resolve(this.posted.push(message) > 0),
  };

  get webview() {
    if (this.isClosed) throw new Error('Webview is disposed');
    return this.#webview;
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
  show(): void {
    this.reveals += 1;
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
  /** Called when a message is shown. */
  onMessage = (): void => undefined;
  /** Details of modal messages. */
  readonly details: string[] = [];
  /** Buttons to choose in messages, in order. */
  answers: (string | undefined)[] = [];
  /** Labels to choose from quick picks, in order, or the tooltip of a button; undefined cancels. */
  picks: (string | undefined)[] = [];
  readonly offered: string[][] = [];
  /** The icons, descriptions and details of the same items. */
  readonly icons: string[][] = [];
  readonly described: string[][] = [];
  readonly detailed: string[][] = [];
  entered: (string | undefined)[] = [];
  readonly proposed: (string | undefined)[] = [];
  /** Files to save to, in order. */
  targets: (string | undefined)[] = [];
  /** Files to open, in order. */
  sources: (string | undefined)[] = [];
  /** Proposed names of files with their endings. */
  readonly names: string[] = [];
  readonly copied: string[] = [];
  readonly executed: unknown[][] = [];
  readonly statuses: string[] = [];
  /** Messages of progress. */
  readonly progress: string[] = [];
  /** Cancels what runs with progress. */
  cancel = (): void => undefined;
  /** Texts by path. */
  readonly files = new Map<string, string>();
  readonly documents: TextDocument[] = [];
  /** What was shown: documents by path or, if they have none, by text. */
  readonly shown: string[] = [];
  active: TextEditor | undefined;
  /** The editor that was shown last. */
  last: TextEditor | undefined;
  settings: Record<string, unknown> = {};
  readonly panels: Panel[] = [];
  readonly changed = new EventEmitter<{ document: TextDocument }>();
  readonly closed = new EventEmitter<TextDocument>();

  #answer = (message: string, ...actions: unknown[]): Promise<string | undefined> => {
    const [options] = actions;
    if (typeof options === 'object') this.details.push((options as { detail: string }).detail);
    const buttons = actions.filter((each) => typeof each === 'string');
    this.messages.push([message, ...buttons.map((button) => `[${button}]`)].join(' '));
    this.onMessage();
    return Promise.resolve(this.answers.shift());
  };

  #pick<T extends Item>(items: readonly T[]): T | undefined {
    this.offered.push(items.map(withoutIcon));
    this.icons.push(items.map(iconOf));
    this.described.push(items.map(({ description = '' }) => description));
    this.detailed.push(items.map(({ detail = '' }) => detail));
    const pick = this.picks.shift();
    return items.find((item) => withoutIcon(item) === pick);
  }

  /** A quick pick with buttons: a pick `button of label` presses one. */
  #quickPick() {
    const [accepted, hidden] = [new EventEmitter<void>(), new EventEmitter<void>()];
    const pressed = new EventEmitter<{ item: Item; button: object }>();
    const pick = {
      ...{ items: [] as Item[], selectedItems: [] as Item[] },
      ...{ onDidAccept: accepted.event, onDidHide: hidden.event, onDidTriggerItemButton: pressed.event },
      onDidChangeValue: () => new Disposable(() => undefined),
      show: () => {
        const next = this.picks[0];
        const [, tooltip, label] = /^(.*?) of (.*)$/.exec(next ?? '') ?? [];
        const item = pick.items.find((each) => withoutIcon(each) === label);
        const button = item?.buttons?.find((each) => each.tooltip === tooltip);
        const found = this.#pick(pick.items);
        pick.selectedItems = found ? [found] : [];
        if (item && button) pressed.fire({ item, button });
        else if (found) accepted.fire();
        else hidden.fire();
      },
      hide: () => hidden.fire(),
      dispose: () => undefined,
    };
    return pick;
  }

  #open = (what: Uri | { content?: string; language?: string }): Promise<TextDocument> => {
    if (!(what instanceof Uri)) {
      const uri = new Uri('untitled', '', `Untitled-${this.documents.length + 1}`);
      const document = new TextDocument(uri, what.content ?? '', what.language);
      this.documents.push(document);
      return Promise.resolve(document);
    }
    const known = this.documents.find(({ uri }) => uri.toString() === what.toString());
    const document = known ?? new TextDocument(what, this.files.get(what.path) ?? '');
    if (!known) this.documents.push(document);
    return Promise.resolve(document);
  };

  /** The stub of `vscode`; members of the argument are added to it or replace its own. */
  with(more: Record<string, object> = {}): object {
    const own = this.#api();
    return {
      ...own,
      ...Object.fromEntries(Object.entries(more).map(([name, part]) => [name, merged(own[name], part)])),
    };
  }

  #api(): Record<string, object> {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const editor = this;
    return {
      ...{ Position, Range, Selection, WorkspaceEdit, EndOfLine: { LF: 1, CRLF: 2 }, TextEditorRevealType: {} },
      commands: { executeCommand: (...command: unknown[]) => Promise.resolve(void this.executed.push(command)) },
      env: { language: 'en', clipboard: { writeText: (text: string) => Promise.resolve(void this.copied.push(text)) } },
      window: {
        ...{ showInformationMessage: this.#answer, showWarningMessage: this.#answer, showErrorMessage: this.#answer },
        get activeTextEditor() {
          return editor.active;
        },
        visibleTextEditors: [],
        tabGroups: { all: [], activeTabGroup: {} },
        onDidChangeTextEditorSelection: () => new Disposable(() => undefined),
        showQuickPick: (items: Item[]) => Promise.resolve(this.#pick(items)),
        createQuickPick: () => this.#quickPick(),
        showInputBox: ({ value }: { value?: string }) => {
          this.proposed.push(value);
          return Promise.resolve(this.entered.shift());
        },
        showSaveDialog: ({ defaultUri }: { defaultUri: Uri }) => {
          this.names.push(defaultUri.path);
          const path = this.targets.shift();
          return Promise.resolve(path === undefined ? undefined : Uri.file(path));
        },
        showOpenDialog: () =>
          Promise.resolve(this.sources.splice(0, 1).flatMap((path) => (path ? [Uri.file(path)] : []))),
        createStatusBarItem: () => Object.assign(new Disposable(() => undefined), { show: () => undefined }),
        setStatusBarMessage: (text: string) => (this.statuses.push(text), new Disposable(() => undefined)),
        showTextDocument: (what: TextDocument | Uri) => {
          const uri = what instanceof Uri ? what : what.uri;
          this.shown.push(uri.scheme === 'untitled' ? (what as TextDocument).text : uri.path);
          const document = what instanceof Uri ? new TextDocument(what, this.files.get(what.path) ?? '') : what;
          const known = [this.active, this.last].find((each) => each?.document === document && !each.isSide);
          this.last = known ?? new TextEditor(document);
          return Promise.resolve(this.last);
        },
        createWebviewPanel: (_type: string, title: string) => {
          const panel = Object.assign(new Panel(), { title });
          this.panels.push(panel);
          return panel;
        },
        withProgress: (_options: object, work: (progress: object, token: object) => unknown) => {
          const canceled = new EventEmitter<void>();
          this.cancel = () => canceled.fire();
          const report = ({ message }: { message: string }): unknown => this.progress.push(message);
          return work({ report }, { onCancellationRequested: canceled.event });
        },
      },
      workspace: {
        ...{ workspaceFolders: folders, textDocuments: this.documents, notebookDocuments: [] },
        ...{ onDidChangeTextDocument: this.changed.event, onDidCloseTextDocument: this.closed.event },
        asRelativePath: ({ path }: Uri) => path.replace(/^\/(?:shop|bank)\//, ''),
        getWorkspaceFolder: ({ path }: Uri) => folders.find(({ uri }) => path.startsWith(`${uri.path}/`)),
        openTextDocument: this.#open,
        getConfiguration: () => ({
          get: (key: string, otherwise?: unknown) => this.settings[key] ?? otherwise,
          inspect: (key: string) => ({ globalValue: this.settings[key] }),
        }),
        applyEdit: ({ changes }: WorkspaceEdit) => {
          for (const document of this.documents) {
            const own = changes.filter(({ uri }) => uri.toString() === document.uri.toString());
            if (own.length > 0) document.change(own);
          }
          return Promise.resolve(true);
        },
        fs: {
          isWritableFileSystem: (scheme: string) => ({ file: true, git: false })[scheme],
          stat: ({ path }: Uri) =>
            this.files.has(path) ? Promise.resolve({}) : Promise.reject(new Error(`No file ${path}.`)),
          readFile: ({ path }: Uri) => Promise.resolve(new TextEncoder().encode(this.files.get(path))),
          writeFile: ({ path }: Uri, bytes: Uint8Array) => {
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
