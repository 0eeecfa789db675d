/** Inserting SQL into an editor, with a stub of the editor. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { makeItem, withItems } from '../../../support/item.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

/** Like VS Code: undefined for schemes without a file system, such as that of notebook cells. */
const fs = { isWritableFileSystem: (scheme: string) => ({ file: true, git: false })[scheme] };

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
  let file: { selections: object[] };
  let window: { activeTextEditor: object };
  let document: { uri: { scheme: string } };
  /** How many edits had been made each time a document was shown. */
  let shown: number[];

  beforeEach(async () => {
    [edits, version, shown, warnings] = [[], 1, [], []];
    settings = {};
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
        return Promise.resolve('Insert anyway');
      },
    } as typeof window;
    editor = {
      EndOfLine: { CRLF: 2 },
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
    const { insertSql } = await loadWithEditor<{ insertSql: InsertSql }>('vscode/commands/sql.ts', editor);
    const [first, second] = ['first', 'second'].map((id) => {
      const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery: 'SELECT 1' }), result: '{}' };
      return { thread: withItems(emptyThread(id), makeItem('tool-1', { toolCall })) };
    });
    const threads = {
      ...services,
      repository: { open: () => Promise.resolve() },
      connections: { of: () => undefined },
      branches: { main: 'main' },
      sessions: { all: [first, second], active: first, get: () => second, homeOf: () => undefined },
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
    Object.assign(document, { getText: () => 'SELECT 2\nSELECT 3', offsetAt: (offset: number) => offset });
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
    await assert.rejects(insertInto(services, suspicious), /The file changed in the meantime/);
    assert.deepEqual(edits, []);
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
  it('is applied to a file that was closed meanwhile, unless it has changed', async () => {
    for (const [after, shown] of [
      ['-- before\n', ''],
      ['-- after\n', 'The file changed after the preview'],
    ] as const) {
      const replaced: string[] = [];
      const warnings: string[] = [];
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
      const document = documentOf('-- before\n', true);
      const active = { document, selections: [{ start: 0, end: 0 }], options: {} };
      type ShowDiff = (services: object, generated: object) => Promise<boolean>;
      const { showDiff } = await loadWithEditor<{ showDiff: ShowDiff }>('vscode/insert/diffPreview.ts', {
        EndOfLine: { CRLF: 2 },
        Range: class {},
        Uri: { from: (uri: object) => uri },
        WorkspaceEdit: class {
          replace = (_uri: object, _range: object, text: string) => replaced.push(text);
        },
        commands: { executeCommand: () => Promise.resolve() },
        workspace: {
          fs,
          getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
          asRelativePath: () => 'model.sql',
          registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
          applyEdit: () => Promise.resolve((version += 1) > 0),
        },
        window: {
          activeTextEditor: active,
          tabGroups: { all: [], close: () => Promise.resolve() },
          showTextDocument: () => Promise.resolve({ document: documentOf(after, false) }),
          showInformationMessage: (_message: string, apply: string) => Promise.resolve(apply),
          showWarningMessage: (message: string) => Promise.resolve(void warnings.push(message)),
        },
      });
      const done = showDiff(services, generated);
      if (shown) await assert.rejects(done, new RegExp(shown));
      else assert.equal(await done, true);
      assert.equal(replaced.length, shown ? 0 : 1);
      assert.deepEqual(warnings, []);
    }
  });
});
