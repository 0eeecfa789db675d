/** The question tests of the workspace folders, as they are on disk; their errors are shown in the Problems view. */
import * as vscode from 'vscode';
import { sourceFile, type SourceFile } from '../../shared/text/sourceFile.ts';
import { questionTestPaths } from '../../evals/files/layout.ts';
import { sqlKey } from '../../shared/text/lexSql.ts';
import type { CertifiedQuery, TestQuestion, QuestionSet } from '../../evals/question.ts';
import { watchFiles } from '../host/files.ts';
import { rangeOf } from '../host/ranges.ts';
import { readSettings, SECTION } from '../host/settings.ts';

/** The questions of one folder; their paths are relative to it. */
export interface FolderQuestions extends QuestionSet {
  folder: vscode.WorkspaceFolder;
  files: readonly SourceFile[];
}

/** Milliseconds without further changes before a folder is read again, for example after a checkout. */
const SETTLING_TIME = 100;

export class QuestionFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when `folders` has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #onProblem: (failure: unknown) => void;
  readonly #subscriptions: vscode.Disposable[];
  readonly #watched = new Map<string, WatchedFolder>();

  /** @param onProblem called when a file can't be read */
  constructor(onProblem: (failure: unknown) => void) {
    this.#onProblem = onProblem;
    const update = (): void => {
      this.#watchFolders();
      this.#changed.fire();
    };
    this.#subscriptions = [
      vscode.workspace.onDidChangeWorkspaceFolders(update),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${SECTION}.agentsPath`)) update();
      }),
    ];
    this.#watchFolders();
  }

  /** The folders with question tests, or with errors in their files, that have been read so far. */
  get folders(): readonly FolderQuestions[] {
    return [...this.#watched.values()].flatMap(({ current }) =>
      current && current.questions.length + current.problems.length > 0 ? [current] : [],
    );
  }

  /** @returns `folders`, once every workspace folder has been read */
  async load(): Promise<readonly FolderQuestions[]> {
    await Promise.all([...this.#watched.values()].map((watched) => watched.settled));
    return this.folders;
  }

  /** @returns the questions of a folder, once every workspace folder has been read */
  async questionsOf({ uri }: vscode.WorkspaceFolder): Promise<readonly TestQuestion[]> {
    const loaded = await this.load();
    return loaded.find(({ folder }) => folder.uri.toString() === uri.toString())?.questions ?? [];
  }

  /** @returns the names of the certified queries of a folder, once it has been read */
  async certifiedIn({ uri }: vscode.WorkspaceFolder): Promise<readonly string[]> {
    const watched = this.#watched.get(uri.toString());
    await watched?.settled;
    return (watched?.current?.certifiedQueries ?? []).map(({ name }) => name);
  }

  /** @returns the certified query with the same tokens as the SQL, of the folders that have been read so far */
  certifiedAs(sql: string): { query: CertifiedQuery; folder: vscode.WorkspaceFolder } | undefined {
    let key: string | undefined;
    for (const { current } of this.#watched.values()) {
      if (!current || current.certifiedQueries.length === 0) continue;
      const query = byKey(current.certifiedQueries).get((key ??= sqlKey(sql)));
      if (query) return { query, folder: current.folder };
    }
    return undefined;
  }

  /** @returns the files with question tests of a folder, and those that they use, once it has been read */
  async filesIn({ uri }: vscode.WorkspaceFolder): Promise<readonly SourceFile[]> {
    const watched = this.#watched.get(uri.toString());
    await watched?.settled;
    return watched?.current?.files ?? [];
  }

  /** Reads a folder again now, after a change of our own that its watcher will report later. */
  async reload({ uri }: vscode.WorkspaceFolder): Promise<void> {
    await this.#watched.get(uri.toString())?.reload();
  }

  dispose(): void {
    this.#subscriptions.forEach((subscription) => subscription.dispose());
    this.#changed.dispose();
    for (const watched of this.#watched.values()) watched.dispose();
  }

  #watchFolders(): void {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const isCurrent = (key: string, { agentsPath }: WatchedFolder): boolean =>
      folders.some((folder) => folder.uri.toString() === key && readSettings(folder).agentsPath === agentsPath);
    for (const [key, watched] of this.#watched)
      if (!isCurrent(key, watched)) {
        watched.dispose();
        this.#watched.delete(key);
      }
    for (const folder of folders) {
      const key = folder.uri.toString();
      if (this.#watched.has(key)) continue;
      this.#watched.set(key, new WatchedFolder(folder, () => this.#changed.fire(), this.#onProblem));
    }
  }
}

const keys = new WeakMap<readonly CertifiedQuery[], ReadonlyMap<string, CertifiedQuery>>();

/** @returns the queries by their tokens, computed once for each reading of the files */
function byKey(queries: readonly CertifiedQuery[]): ReadonlyMap<string, CertifiedQuery> {
  const known = keys.get(queries) ?? new Map(queries.map((query) => [sqlKey(query.sql), query]));
  keys.set(queries, known);
  return known;
}

class WatchedFolder implements vscode.Disposable {
  readonly #folder: vscode.WorkspaceFolder;
  readonly agentsPath: string;
  readonly #onChange: () => void;
  readonly #onProblem: (failure: unknown) => void;
  readonly #watcher: vscode.Disposable;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Absent until the folder has been read once. */
  current: FolderQuestions | undefined;
  /** Resolves when the last read has ended. */
  settled: Promise<void>;

  constructor(folder: vscode.WorkspaceFolder, onChange: () => void, onProblem: (failure: unknown) => void) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.#onProblem = onProblem;
    this.agentsPath = readSettings(folder).agentsPath;
    const pattern = new vscode.RelativePattern(folder, `{${this.agentsPath},.analytics-chat}{,/**}`);
    this.#watcher = watchFiles(pattern, () => this.#schedule());
    this.settled = this.#read();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#watcher.dispose();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), SETTLING_TIME);
  }

  reload(): Promise<void> {
    // Read one after the other, so that an earlier read can't overwrite a later one.
    this.settled = this.settled.then(() => this.#read());
    return this.settled;
  }

  async #read(): Promise<void> {
    try {
      const files = await readFiles(this.#folder.uri, this.agentsPath);
      if (files.length === 0 && this.current === undefined) return;
      const { readQuestionSet } = await import('../../evals/files/questionSet.ts');
      this.current = { folder: this.#folder, files, ...readQuestionSet(files, this.agentsPath) };
      this.#onChange();
    } catch (failure) {
      this.#onProblem(failure);
    }
  }
}

async function readFiles(root: vscode.Uri, agentsPath: string): Promise<SourceFile[]> {
  const { fs } = vscode.workspace;
  // A search would skip files that `files.exclude` hides.
  const namesIn = (folder: string): Promise<string[]> =>
    Promise.resolve(fs.readDirectory(vscode.Uri.joinPath(root, folder))).then(
      (entries) => entries.map(([name]) => name),
      () => [],
    );
  const paths = await questionTestPaths(namesIn, agentsPath);
  return Promise.all(paths.map(async (path) => sourceFile(path, await fs.readFile(vscode.Uri.joinPath(root, path)))));
}

/** Shows the errors of the files in the Problems view. */
export function showProblems(files: QuestionFiles): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('analyticsChat.questions');
  const update = (): void => {
    const entries = files.folders.flatMap(({ folder, problems }) =>
      problems.map(({ path, range, message }): [vscode.Uri, vscode.Diagnostic[]] => {
        const diagnostic = new vscode.Diagnostic(rangeOf(range), message, vscode.DiagnosticSeverity.Error);
        diagnostic.source = 'Analytics Chat';
        return [vscode.Uri.joinPath(folder.uri, path), [diagnostic]];
      }),
    );
    collection.clear();
    // The collection merges the entries of one file.
    collection.set(entries);
  };
  return vscode.Disposable.from(collection, files.onDidChange(update));
}
