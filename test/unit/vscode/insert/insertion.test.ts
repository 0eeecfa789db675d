/** Inserting SQL into an editor, with a stub of the editor. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeItem, withItems } from '../../../support/item.ts';
import { Uri } from '../../../support/editorValues.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

/** Like VS Code: undefined for schemes without a file system, such as that of notebook cells. */
const fs = {
  isWritableFileSystem: (scheme: string) => ({ file: true, git: false })[scheme],
  stat: ({ path }: Uri) =>
    path === '/repo/dbt_project.yml' ? Promise.resolve({}) : Promise.reject(new Error('missing')),
};

type InsertInto = (services: object, generated: object) => Promise<boolean>;
type InsertSql = (services: object, argument: object) => Promise<boolean>;

const generated = { toolCallId: 'tool-1', payload: { sqlQuery: 'SELECT 1' } };
const services = { sessions: { all: [] }, members: { viewNames: () => new Set() } };

describe('inserting SQL', () => {
  let insertInto: InsertInto;
  let editor: object;
  let settings: Record<string, unknown>;
  /** Offsets and texts of the edits, by the editor that made them. */
  let edits: [editor: string, at: number, text: string][];
  let version: number;
  let warnings: string[];
  /** What the user chooses when warned. */
  let choice: string;
  let file: { selections: object[] };
  let window: { activeTextEditor: object };
  let document: { uri: { scheme: string } };
  /** How many edits had been made each time a document was shown. */
  let shown: number[];

  beforeEach(async () => {
    [edits, version, shown, warnings] = [[], 1, [], []];
    settings = {};
    choice = 'Insert anyway';
    document = {
      uri: { scheme: 'file', path: '/repo/model.sql' },
      languageId: 'sql',
      eol: 1,
      get version() {
        return version;
      },
      getText: () => '',
      offsetAt: () => 0,
      positionAt: (offset: number) => offset,
    } as typeof document;
    const editorOf = (name: string, isClosed: boolean) => ({
      ...{
        document,
        viewColumn: undefined,
        selections: isClosed ? [{ start: 3, end: 3 }] : [],
        options: {},
        revealRange: () => undefined,
      },
      edit: (make: (edit: object) => void) => {
        if (isClosed) return Promise.reject(new Error('TextEditor#edit not possible on closed editors'));
        make({ replace: ([at]: [number], text: string) => edits.push([name, at, text]) });
        version += 1;
        return Promise.resolve(true);
      },
    });
    // A side of a diff editor, in whose group the file is then shown.
    const side = editorOf('diff', true);
    file = editorOf('file', false);
    window = {
      activeTextEditor: side,
      visibleTextEditors: [side],
      showTextDocument: () => {
        shown.push(edits.length);
        return Promise.resolve(file);
      },
      showWarningMessage: (message: string) => {
        warnings.push(message);
        version += 1;
        return Promise.resolve(choice);
      },
    } as typeof window;
    editor = {
      Range: class extends Array<number> {},
      Selection: class {
        anchor: number;
        active: number;
        constructor(anchor: number, active: number) {
          [this.anchor, this.active] = [anchor, active];
        }
      },
      TextEditorRevealType: {},
      workspace: { fs, getConfiguration: () => ({ get: (key: string) => settings[key], inspect: () => undefined }) },
      window,
    };
    ({ insertInto } = await loadWithEditor<{ insertInto: InsertInto }>('vscode/insert/insertion.ts', editor));
  });

  it('into a side of a diff editor shows the file and changes it there', async () => {
    assert.equal(await insertInto(services, generated), true);
    assert.deepEqual(edits, [['file', 0, 'SELECT 1']]);
    assert.deepEqual(file.selections, [{ start: 3, end: 3 }]);
  });

  it('names the chat of the query as its origin, although another chat has one with the same id', async () => {
    settings = { 'insert.provenance': true };
    const { insertSql } = await loadWithEditor<{ insertSql: InsertSql }>('vscode/insert/sql.ts', editor);
    const [first, second] = ['first', 'second'].map((id) => {
      const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery: 'SELECT 1' }), result: '{}' };
      return { thread: withItems(emptyThread(id), makeItem('tool-1', { toolCall })) };
    });
    const threads = {
      ...services,
      repository: { open: () => Promise.resolve() },
      branches: { main: 'main' },
      sessions: { all: [first, second], active: first, get: () => second, connectionOf: () => undefined },
    };
    await insertSql(threads, { threadId: 'second', toolCallId: 'tool-1' });
    assert.match(edits[0]?.[2] ?? '', /^-- Analytics Chat: .* thread="second" call="tool-1"\nSELECT 1$/);
  });

  it('into a cell of a notebook changes it where it is, and then focuses it', async () => {
    document.uri.scheme = 'vscode-notebook-cell';
    file.selections = [{ start: 3, end: 3 }];
    window.activeTextEditor = file;
    assert.equal(await insertInto(services, generated), true);
    assert.deepEqual(edits, [['file', 0, 'SELECT 1']]);
    assert.deepEqual(shown, [1]);
  });

  it('leaves one cursor at the end of the SQL, not on the line below, and several where they are', async () => {
    Object.assign(document, { getText: () => 'OR a = 1\nOR b = 2', offsetAt: (offset: number) => offset });
    for (const [at, selection] of [
      [[0], { anchor: 8, active: 8 }],
      [[0, 9], undefined],
    ] as const) {
      edits = [];
      file.selections = at.map((offset) => ({ start: offset, end: offset }));
      const target: { selection?: object } = Object.assign(file, { selection: undefined });
      window.activeTextEditor = target;
      assert.equal(await insertInto(services, generated), true);
      assert.deepEqual(
        edits.map(([, , text]) => text),
        at.map(() => 'SELECT 1\n'),
      );
      assert.deepEqual(target.selection && { ...target.selection }, selection);
    }
  });

  it('tells what has no effect on the query after the insertion, without a question before it', async () => {
    const told: string[] = [];
    Object.assign(window, { showInformationMessage: (message: string) => Promise.resolve(told.push(message)) });
    file.selections = [
      { start: 0, end: 0 },
      { start: 0, end: 0 },
    ];
    window.activeTextEditor = file;
    assert.equal(await insertInto(services, generated), true);
    assert.deepEqual(told, ['Two cursors had the same insertion point, so the SQL was inserted there once.']);
    assert.deepEqual(warnings, []);
  });

  it('into a read-only file on the disk, whose edit is accepted without effect, says so', async () => {
    file.selections = [{ start: 3, end: 3 }];
    window.activeTextEditor = Object.assign(file, { edit: () => Promise.resolve(true) });
    assert.equal(await insertInto(services, generated), false);
    assert.deepEqual(warnings, ['This file can’t be changed: it is read-only or no longer exists.']);
  });

  it('writes nothing if the file changes while the user reads a warning', async () => {
    const suspicious = { ...generated, payload: { sqlQuery: 'SELECT 1 -- \u202e' } };
    for (choice of ['Insert anyway', 'Insert as a comment'])
      await assert.rejects(insertInto(services, suspicious), /The file changed in the meantime/);
    assert.deepEqual(edits, []);
  });

  it('has no default button that inserts what will fail', async () => {
    const buttons: string[][] = [];
    Object.assign(window, {
      showWarningMessage: (_message: string, _options: object, ...actions: string[]) => {
        buttons.push(actions);
        return Promise.resolve(undefined);
      },
    });
    for (const [path, sqlQuery] of [
      ['/repo/models/a.sql', 'SELECT MEASURE(a.b) FROM a'],
      ['/repo/models/a.sql', 'SELECT 1; SELECT 2'],
      ['/repo/a.sql', 'SELECT 1 -- \u202e'],
      // A test of the dbt project; other folders of this name are no such tests.
      ['/repo/tests/a.sql', 'SELECT MEASURE(a.b) FROM a'],
    ] as const) {
      document.uri = Uri.file(path);
      assert.equal(await insertInto(services, { ...generated, payload: { sqlQuery } }), false);
    }
    assert.deepEqual(buttons, [
      ['Insert as a comment', 'Open beside', 'Insert anyway'],
      ['Insert as a comment', 'Open beside', 'Insert anyway'],
      ['Open beside', 'Insert as a comment', 'Insert anyway'],
      ['Insert as a comment', 'Open beside', 'Insert anyway'],
    ]);
    document.uri = Uri.file('/other/tests/a.sql');
    const semantic = { ...generated, payload: { sqlQuery: 'SELECT MEASURE(a.b) FROM a' } };
    assert.equal(await insertInto(services, semantic), true);
  });

  it('says that SQL is not formatted if more than its white space would change', async () => {
    settings = { 'insert.format': true };
    const told: string[] = [];
    Object.assign(window, { showInformationMessage: (message: string) => Promise.resolve(told.push(message)) });
    window.activeTextEditor = file;
    file.selections = [{ start: 0, end: 0 }] as object[];
    for (const sqlQuery of ['select a from b', 'select a &@~ b from c'])
      await insertInto(services, { ...generated, payload: { sqlQuery } });
    assert.deepEqual(
      edits.map(([, , text]) => text),
      ['select\n  a\nfrom\n  b', 'select a &@~ b from c'],
    );
    assert.deepEqual(told, ['The SQL was not formatted, because only its white space may change.']);
  });

  it('into the side of a diff editor that is read-only says so before anything else, and shows no other editor', async () => {
    document.uri.scheme = 'git';
    const suspicious = { ...generated, payload: { sqlQuery: 'SELECT 1 -- \u202e' } };
    assert.equal(await insertInto(services, suspicious), false);
    assert.deepEqual(warnings, ['This file can’t be changed: it is read-only or no longer exists.']);
    assert.deepEqual(shown, []);
  });
});

describe('the preview of an insertion', () => {
  const before = '-- before\n';
  let replaced: string[] = [];
  let warnings: string[] = [];
  let title = '';
  let language = 'sql';
  let notebook: { uri: object } | undefined;

  /**
   * Previews an insertion into a file that is closed meanwhile.
   * @param after the text of the file when the preview ends
   */
  async function preview(end: 'apply' | 'close' | 'move and apply', after = before): Promise<boolean> {
    [replaced, warnings] = [[], []];
    let version = 1;
    const documentOf = (text: string, isClosed: boolean) => ({
      uri: { scheme: 'file', path: '/repo/model.sql' },
      languageId: 'sql',
      eol: 1,
      isClosed,
      get version() {
        return isClosed ? 1 : version;
      },
      getText: () => text,
      offsetAt: () => 0,
      positionAt: (offset: number) => offset,
    });
    const active = { document: documentOf(before, true), selections: [{ start: 0, end: 0 }], options: {} };
    const group = { tabs: [] as { input: unknown }[], activeTab: undefined as { input: unknown } | undefined };
    let onTabs: (event: { closed: object[] }) => void = () => undefined;
    type Previewing = {
      showDiff: (services: object, generated: object) => Promise<boolean>;
      applyPreview: (argument?: object) => void;
    };
    const editor = {
      WorkspaceEdit: class {
        replace = (_uri: object, _range: object, text: string) => replaced.push(text);
      },
      commands: {
        executeCommand: (_command: string, _left: object, modified: object, name: string) => {
          title = name;
          const tab = { input: { modified } };
          group.activeTab = tab;
          group.tabs = end === 'close' ? [] : [tab];
          setImmediate(() => {
            if (end !== 'apply') onTabs({ closed: [{}] });
            loaded.applyPreview();
          });
          return Promise.resolve();
        },
      },
      workspace: {
        fs,
        asRelativePath: ({ path }: { path: string }) => path.slice(1),
        openTextDocument: () => Promise.resolve({ languageId: language }),
        notebookDocuments: notebook ? [{ ...notebook, getCells: () => [active] }] : [],
        registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
        applyEdit: () => Promise.resolve((version += 1) > 0),
      },
      languages: {
        setTextDocumentLanguage: (_document: object, id: string) => Promise.resolve((language = id)),
      },
      window: {
        activeTextEditor: active,
        tabGroups: {
          all: [group],
          activeTabGroup: group,
          close: () => Promise.resolve(),
          onDidChangeTabs: (listener: typeof onTabs) => ((onTabs = listener), { dispose: () => undefined }),
        },
        showTextDocument: () => Promise.resolve({ document: documentOf(after, false) }),
        showWarningMessage: (message: string) => Promise.resolve(void warnings.push(message)),
      },
    };
    const paths = ['vscode/insert/diffPreview.ts', 'vscode/host/preview.ts'] as const;
    const loaded = await loadWithEditor<Previewing>(paths[0], editor, paths[1]);
    return loaded.showDiff(services, generated);
  }

  it('is applied to a file that was closed meanwhile, unless it has changed', async () => {
    assert.equal(await preview('apply'), true);
    assert.equal(replaced.length, 1);
    assert.equal(title, 'repo/model.sql: with the generated SQL');
    await assert.rejects(preview('apply', '-- after\n'), /The file changed after the preview/);
    assert.deepEqual(replaced, []);
    assert.deepEqual(warnings, []);
  });

  it('writes nothing if its tab is closed, and stays open while its tab moves to another group', async () => {
    assert.equal(await preview('close'), false);
    assert.deepEqual(replaced, []);
    assert.equal(await preview('move and apply'), true);
    assert.equal(replaced.length, 1);
  });

  it('of a cell has the name of its notebook and the language of the cell', async () => {
    notebook = { uri: { path: '/sales.ipynb' } };
    language = 'json';
    await preview('apply');
    assert.deepEqual([title, language], ['sales.ipynb: with the generated SQL', 'sql']);
  });
});
