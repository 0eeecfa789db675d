/** A stub of VS Code with files, previewed edits and quick picks. */
import type { GeneratedSql } from '../../../src/shared/thread/turns.ts';
import { Disposable, EventEmitter, Uri } from '../../support/editorValues.ts';

type Change = { path: string; text: string };
type Tab = { input: { modified?: Uri; textDiffs?: { modified: Uri }[] } };

interface Resource {
  originalUri?: Uri;
  modifiedUri: Uri;
}

/** VS Code lists only the files that have an original. */
const listed = ({ originalUri, modifiedUri }: Resource): { modified: Uri }[] =>
  originalUri ? [{ modified: modifiedUri }] : [];

/** Keeps what each operation would leave in its file. */
class WorkspaceEdit {
  readonly #files: Map<string, string>;
  readonly changes: Change[] = [];
  constructor(files: Map<string, string>) {
    this.#files = files;
  }
  createFile({ path }: Uri, { contents }: { contents: Uint8Array }): void {
    this.changes.push({ path, text: new TextDecoder().decode(contents) });
  }
  replace({ path }: Uri, [start, end]: [number, number], text: string): void {
    const before = this.#files.get(path) ?? '';
    this.changes.push({ path, text: before.slice(0, start) + text + before.slice(end) });
  }
}

export class World {
  isTrusted = true;
  folders = [{ name: 'shop', uri: Uri.file('/shop') }];
  /** Applies the preview, or closes it if that does nothing. */
  onPreview: () => void = () => this.applyPreview();
  /** The function that the button of the preview calls. */
  applyPreview: (argument?: unknown) => void = () => undefined;
  /** Texts of the files in each preview. */
  readonly previewed: Change[][] = [];
  /** How many edits were written. */
  writes = 0;
  /** Labels to choose from quick picks, in order; undefined cancels, an array ticks these items. */
  picks: (string | string[] | undefined)[] = [];
  entered: (string | undefined)[] = [];
  /** API of the Git extension. */
  git: { getRepository: () => { state: object } | null } | undefined;
  /** Names of the certified queries of all files. */
  certified: string[] = [];
  /** The question tests of all files. */
  questions: object[] = [];
  readonly files = new Map<string, string>();
  /** Texts of open documents that differ from their files. */
  readonly unsaved = new Map<string, string>();
  readonly messages: string[] = [];
  /** Messages in the status bar. */
  statuses: string[] = [];
  /** Paths of saved files. */
  readonly saved: string[] = [];
  /** Buttons to select in messages, in order. */
  answers: (string | undefined)[] = [];
  readonly prompts: (string | undefined)[] = [];
  readonly offered: string[][] = [];
  /** Paths of the files that were shown, in order. */
  readonly shown: string[] = [];

  readonly editor = editorOf(this);

  answer(message: string): Promise<string | undefined> {
    this.messages.push(message);
    return Promise.resolve(this.answers.shift());
  }

  get app(): object {
    return {
      log: { redactDocument: (text: string) => text.replaceAll('the-key', '[redacted]') },
      branches: { mainOf: () => 'main' },
      connections: { of: () => ({ dataQueryUrl: 'https://data' }) },
      connector: { context: () => undefined },
      questionFiles: {
        questionsOf: () => Promise.resolve(this.questions),
        certifiedIn: () => Promise.resolve(this.certified),
        reload: () => Promise.resolve(),
      },
    };
  }
}

/** A query of an answer to “Revenue by month?”. */
export const queryOf = (sqlQuery: string): GeneratedSql =>
  ({
    toolCallId: 'tool-1',
    payload: {
      kind: 'sqlQuery',
      sqlQuery,
      table: { columns: [{ name: 'n', type: 'number' }], rows: [[1]], totalRows: 1 },
    },
    question: {
      id: 'q',
      content: 'Revenue by month?',
      time: 0,
      context: { branch: 'dev', isDefaultBranch: false, identity: 'me' },
    },
  }) as unknown as GeneratedSql;

type ContentProvider = { provideTextDocumentContent(uri: Uri): string | undefined };

/** Tabs and documents of previews, which the user applies or closes at once. */
function previewing(world: World) {
  const tabs: Tab[] = [];
  const group = { tabs, activeTab: undefined as Tab | undefined };
  const changed = new EventEmitter<{ closed: Tab[] }>();
  let content: ContentProvider | undefined;
  const close = (): void => changed.fire({ closed: tabs.splice(0) });
  return {
    tabGroups: {
      ...{ all: [group], activeTabGroup: group, onDidChangeTabs: changed.event },
      close: () => Promise.resolve(close()),
    },
    registerTextDocumentContentProvider: (_scheme: string, provider: ContentProvider) => {
      content = provider;
      return new Disposable(() => (content = undefined));
    },
    executeCommand: (command: string, first: Uri & { resources?: Resource[] }, modified: Uri) => {
      if (!['vscode.diff', '_workbench.openMultiDiffEditor'].includes(command)) return Promise.resolve();
      const several = first.resources?.map(({ modifiedUri }) => modifiedUri);
      const tab =
        command === 'vscode.diff'
          ? { input: { modified } }
          : { input: { textDiffs: first.resources?.flatMap(listed) ?? [] } };
      const read = (uri: Uri): string => content?.provideTextDocumentContent(uri) ?? '';
      world.previewed.push((several ?? [modified]).map((uri) => ({ path: uri.path, text: read(uri) })));
      group.activeTab = tab;
      tabs.push(tab);
      world.onPreview();
      close();
      return Promise.resolve();
    },
  };
}

const editorOf = (world: World, { tabGroups, executeCommand, ...documents } = previewing(world)) => ({
  commands: { executeCommand },
  extensions: { getExtension: () => world.git && { activate: () => Promise.resolve({ getAPI: () => world.git }) } },
  Range: class extends Array<number> {
    constructor(start: number, end: number) {
      super();
      this.push(start, end);
    }
  },
  WorkspaceEdit: class extends WorkspaceEdit {
    constructor() {
      super(world.files);
    }
  },
  workspace: {
    ...documents,
    get isTrusted() {
      return world.isTrusted;
    },
    get workspaceFolders() {
      return world.folders;
    },
    getConfiguration: () => ({ get: (_: string, value?: unknown) => value, inspect: () => undefined }),
    get textDocuments() {
      return [...world.unsaved].map(([path, text]) => ({ uri: Uri.file(path), getText: () => text }));
    },
    asRelativePath: (path: string | Uri) => (typeof path === 'string' ? path : path.path).replace('/shop/', ''),
    getWorkspaceFolder: () => world.folders[0],
    findFiles: () => Promise.resolve([...world.files.keys()].map((path) => Uri.file(path))),
    fs: {
      writeFile: ({ path }: Uri, bytes: Uint8Array) =>
        Promise.resolve(void world.files.set(path, new TextDecoder().decode(bytes))),
      readFile: ({ path }: Uri) => Promise.resolve(new TextEncoder().encode(world.files.get(path))),
      stat: ({ path }: Uri) => (world.files.has(path) ? Promise.resolve({}) : Promise.reject(new Error('missing'))),
    },
    openTextDocument: ({ path }: Uri) =>
      Promise.resolve({
        uri: Uri.file(path),
        eol: 1,
        languageId: 'yaml',
        getText: () => world.unsaved.get(path) ?? world.files.get(path) ?? '',
        positionAt: (offset: number) => offset,
        save: () => Promise.resolve(world.saved.push(path) > 0),
      }),
    applyEdit: ({ changes }: WorkspaceEdit) => {
      world.writes += 1;
      for (const { path, text } of changes) world.files.set(path, text);
      return Promise.resolve(true);
    },
  },
  window: {
    tabGroups,
    onDidChangeTextEditorSelection: () => new Disposable(() => undefined),
    showQuickPick: (items: { label: string }[], { canPickMany }: { canPickMany?: boolean }) => {
      world.offered.push(items.map(({ label }) => label));
      const pick = world.picks.shift();
      const chosen = items.filter(({ label }) => pick?.includes(label));
      return Promise.resolve(pick === undefined ? undefined : canPickMany ? chosen : chosen[0]);
    },
    showInputBox: ({ value }: { value?: string }) => {
      world.prompts.push(value);
      return Promise.resolve(world.entered.shift());
    },
    showInformationMessage: (message: string) => world.answer(message),
    showWarningMessage: (message: string) => world.answer(message),
    showTextDocument: (target: Uri | { uri: Uri }) => {
      const { path } = 'uri' in target ? target.uri : target;
      world.shown.push(path);
      return world.files.has(path) ? Promise.resolve() : Promise.reject(new Error(`Unable to read file '${path}'`));
    },
    setStatusBarMessage: (message: string) => {
      world.statuses.push(message);
      return { dispose: () => void (world.statuses = world.statuses.filter((shown) => shown !== message)) };
    },
  },
});
