/** Inserting SQL into an editor, with a stub of the editor. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as turns from '../../../../src/shared/thread/turns.ts';
import type { GeneratedSql } from '../../../../src/shared/thread/turns.ts';
import type * as current from '../../../../src/vscode/host/currentEditor.ts';
import type * as preview from '../../../../src/vscode/insert/diffPreview.ts';
import type * as insertion from '../../../../src/vscode/insert/insertion.ts';
import type * as warnings from '../../../../src/vscode/insert/warnings.ts';
import { Editor, pairs, Position, TextDocument, TextEditor, Uri, withQuery } from '../support.ts';

const READ_ONLY = 'This file can’t be changed: it is read-only or no longer exists. [Open beside] [Copy SQL]';
const OVERLAP = 'Two cursors had the same insertion point, so the SQL was inserted there once.';
const { first, second, services } = pairs();
const SQL = "SELECT 'first t2'";
const withSql = (sqlQuery: string): GeneratedSql => insert.findSql(withQuery(pairs().first, 't', { sqlQuery }), 't')!;

let editor: Editor;
let insert: typeof insertion & typeof warnings & typeof current & typeof turns;
let generated: GeneratedSql;
/** That of the other chat. */
let other: GeneratedSql;
let suspicious: GeneratedSql;
beforeEach(async () => {
  editor = new Editor();
  const others = ['insert/warnings', 'host/currentEditor', '../shared/thread/turns'];
  insert = await editor.load('insert/insertion', ...others);
  generated = insert.findSql(first.thread, 't2')!;
  other = insert.findSql(second.thread, 't2')!;
  suspicious = withSql('SELECT 1 -- \u202e');
});

/** Opens a document in the active editor, with cursors at these offsets. */
function open(path: string | Uri, text = '', at: (number | [number, number])[] = [0], language?: string): TextDocument {
  const document = new TextDocument(path, text, language);
  editor.active = new TextEditor(document, at, 2);
  return document;
}

describe('inserting SQL', () => {
  const insertInto = (sql = generated, mode?: 'insert' | 'replace') => insert.insertInto(services, sql, mode);
  const openedBeside = (): string[] => editor.shown.splice(0).filter((each) => each !== '/shop/a.sql');

  it('replaces the selection or keeps it, and has the line ends of its file', async () => {
    for (const [mode, expected] of [
      ['replace', `-- a\r\n${SQL}\r\n-- c`],
      ['insert', `-- a\r\n-- b\r\n${SQL}\r\n-- c`],
    ] as const) {
      const document = open('/shop/a.sql', '-- a\r\n-- b\r\n-- c', [[6, 10]]);
      assert.equal(await insertInto(generated, mode), true);
      assert.equal(document.text, expected);
      assert.deepEqual(editor.active!.stops, { undoStopBefore: true, undoStopAfter: true });
    }
  });

  it('into a side of a diff editor shows the file and changes it there', async () => {
    for (const [at, text] of [
      [[5], `-- a\n${SQL}\n-- b\n`],
      [[0, 5], `${SQL}\n-- a\n${SQL}\n-- b\n`],
    ] as const) {
      const document = open('/shop/a.sql', '-- a\n-- b\n', [...at]);
      editor.active!.isSide = true;
      assert.equal(await insertInto(), true);
      assert.equal(document.text, text);
      assert.notEqual(editor.last, editor.active);
      if (at.length === 1) assert.deepEqual(editor.last?.selection.start, document.positionAt(5 + SQL.length));
      else assert.deepEqual(editor.last?.selections, editor.active?.selections);
    }
  });

  it('into a cell of a notebook changes it where it is, and only then focuses it', async () => {
    const document = open(new Uri('vscode-notebook-cell', '', '/sales.ipynb'), '%%sql\n', [6], 'python');
    assert.equal(await insertInto(), true);
    assert.deepEqual([document.text, editor.shown], [`%%sql\n${SQL}`, ['/sales.ipynb']]);
  });

  it('leaves one cursor at the end of the SQL, not on the line below, and several where they are', async () => {
    const text = 'OR a = 1\nOR b = 2';
    open('/shop/a.sql', text);
    assert.equal(await insertInto(), true);
    const { selection, revealed } = editor.active!;
    const end = new Position(0, SQL.length);
    assert.deepEqual([selection.start, selection.end, revealed], [end, end, selection]);
    assert.deepEqual(editor.columns, [2, 2]);
    assert.equal(await insertInto({ ...generated, payload: { ...generated.payload, sqlQuery: '' } }), true);
    assert.deepEqual([editor.messages, editor.active!.document.text], [[], `${SQL}\n${text}`], 'nothing to insert');
    const document = open('/shop/a.sql', text, [0, 9]);
    const { selections } = editor.active!;
    assert.equal(await insertInto(), true);
    assert.equal(document.text, `${SQL}\nOR a = 1\n${SQL}\nOR b = 2`);
    assert.equal(editor.active!.selections, selections);
  });

  it('names the chat, the question, the branch and the identity of the query, although another chat has one with its id', async () => {
    editor.settings = { 'insert.provenance': true };
    const context = { branch: '', isDefaultBranch: true, identity: 'eve' };
    for (const [sql, name, branch, identity] of [
      [generated, 'first', 'net', 'ben'],
      [other, 'second', 'net', 'ben'],
      [{ ...other, question: { ...other.question!, context } }, 'second', 'main', 'eve'],
    ] as const) {
      const document = open('/shop/a.sql');
      await insertInto(sql);
      const expected = `"Revenue of ${name}?" branch="${branch}" as="${identity}" at="1970-01-01T00:00:00.002Z"`;
      assert.ok(document.text.includes(`question=${expected} thread="${name}" call="t2"\n`), document.text);
    }
  });

  it('warns of the names of the data model of its own connection', async () => {
    const sqlQuery = 'SELECT a FROM views_of_finance';
    for (const session of ['first', 'second'] as const) {
      open('/shop/models/a.sql');
      const two = pairs();
      const thread = withQuery(two[session], 't9', { sqlQuery });
      await insert.insertInto(two.services, insert.findSql(thread, 't9')!);
      assert.equal(editor.messages.splice(0).length, session === 'second' ? 1 : 0);
    }
  });

  it('tells what has no effect on the query after the insertion, without a question before it', async () => {
    for (const sql of [generated, suspicious]) {
      open('/shop/a.sql', '', [0, 0]);
      editor.answers = ['Insert anyway'];
      assert.equal(await insertInto(sql), true);
      const told = editor.messages.splice(0).map((message) => message.includes(OVERLAP));
      assert.deepEqual(told, sql === suspicious ? [false, true] : [true]);
    }
  });

  it('into a read-only file says so before anything else, and offers to copy or open the SQL', async () => {
    for (const [scheme, sql] of Object.entries({ file: generated, git: suspicious })) {
      const document = open(new Uri(scheme, '', '/shop/a.sql'));
      document.isReadOnly = true;
      editor.answers = [undefined, 'Copy SQL', 'Open beside'];
      for (const _ of [1, 2, 3]) assert.equal(await insertInto(sql), false);
      const { sqlQuery } = sql.payload;
      assert.deepEqual(editor.messages.splice(0), [READ_ONLY, READ_ONLY, READ_ONLY]);
      assert.deepEqual(editor.copied.splice(0), [sqlQuery]);
      assert.deepEqual([document.text, openedBeside(), editor.columns.pop()], ['', [sqlQuery], -2]);
    }
  });

  it('does after a warning what its user chooses, unless the file has changed meanwhile', async () => {
    const { sqlQuery } = suspicious.payload;
    for (const [choice, text, opened] of [
      ['Insert anyway', sqlQuery, []],
      ['Insert as a comment', `-- ${sqlQuery}`, []],
      ['Open beside', 'x', [sqlQuery]],
      [undefined, 'x', []],
    ] as const) {
      const document = open('/shop/a.sql', 'x', [[0, 1]]);
      editor.answers = [choice];
      assert.equal(await insertInto(suspicious, 'replace'), text !== 'x');
      assert.equal(document.text, text);
      assert.deepEqual(openedBeside(), opened);
      if (opened.length > 0) assert.equal(editor.columns.at(-1), -2);
      if (text === 'x') continue;
      editor.answers = [choice];
      editor.onMessage = () => (document.version += 1);
      await assert.rejects(insertInto(suspicious), /The file changed in the meantime/);
      assert.equal(document.text, text);
      editor.onMessage = () => undefined;
    }
  });

  it('has no default button that inserts what will fail', async () => {
    editor.files.set('/shop/dbt_project.yml', '').set('/bank/tests/dbt/dbt_project.yml', '');
    const [semantic, two] = [withSql('SELECT MEASURE(a.b) FROM a'), withSql('SELECT 1; SELECT 2')];
    const fails = ' [Insert as a comment] [Open beside] [Insert anyway]';
    for (const [path, sql, buttons] of [
      ['/shop/models/a.sql', semantic, fails],
      ['/shop/models/a.sql', two, fails],
      ['/shop/a.sql', suspicious, ' [Open beside] [Insert as a comment] [Insert anyway]'],
      // A test of the dbt project; other folders of this name are no such tests.
      ['/shop/tests/a.sql', semantic, fails],
      ['/bank/tests/dbt/Tests/a.SQL', semantic, fails],
      ['/bank/tests/a.sql', semantic, undefined],
      ['/shop/tests/a.pgsql', semantic, undefined],
      [new Uri('vscode-remote', 'host', '/shop/a.sql'), semantic, undefined],
    ] as const) {
      open(path);
      assert.equal(await insertInto(sql), buttons === undefined);
      const [message] = editor.messages.splice(0);
      assert.equal(message?.slice(-(buttons?.length ?? 0)), buttons);
    }
  });

  it('formats SQL with the indentation of its editor, and says so if more than its white space would change', async () => {
    editor.settings = { 'insert.format': true };
    for (const [sqlQuery, text, options] of [
      ['select a from b', 'select\n  a\nfrom\n  b', {}],
      ['select a from b', 'select\n    a\nfrom\n    b', { tabSize: 4 }],
      ['select a from b', 'select\n\ta\nfrom\n\tb', { insertSpaces: false }],
      ['select a &@~ b from c', 'select a &@~ b from c', {}],
    ] as const) {
      const document = open('/shop/a.sql');
      Object.assign(editor.active!.options, options);
      insert.rememberEditors();
      // The log has the focus, so that the editor is the last used one.
      editor.visible.splice(0, Infinity, editor.active!);
      open(new Uri('output', '', '/log'));
      Object.assign(editor.active!.options, { tabSize: 8 });
      await insertInto(withSql(sqlQuery));
      assert.equal(document.text, text);
    }
    assert.deepEqual(editor.messages, ['The SQL was not formatted, because only its white space may change.']);
  });
});

describe('the warning of an insertion', () => {
  const serious: [Parameters<typeof insertion.insertInto>[1] | string, string | undefined, RegExp][] = [
    ['semanticSql', undefined, /MEASURE\(\) and view names exist in the data model/],
    ['bidirectionalCharacters', 'U+202E', /reorder displayed text \(U\+202E\)/],
    ['invisibleCharacters', 'U+200B', /invisible characters \(U\+200B\)/],
    ['controlCharacters', 'U+0007', /control characters \(U\+0007\)/],
    ['multipleStatements', undefined, /more than one statement/],
    ['insideComment', undefined, /inside a comment/],
    ['insideLiteral', undefined, /inside a string literal/],
    ['insideJinja', undefined, /inside a Jinja tag/],
    ['duplicateKey', 'sql', /already a “sql” key/],
    ['duplicateKey', 'sql_table', /both “sql_table” and “sql”/],
    ['rootKey', 'views', /A view can’t have its own SQL/],
    ['rootKey', undefined, /no meaning at the top level/],
    ['unfittedPlace', 'sql_table', /takes a table name/],
    ['unfittedPlace', undefined, /inserted unchanged/],
  ];

  it('names what is wrong, and is asked about only if that affects what runs', async () => {
    assert.equal(await insert.askAbout(serious.map(([code, detail]) => ({ code, detail })) as never), 'cancel');
    const harmless = ['lineEndsInLiteral', 'foldedScalar', 'overlappingCursors'].map((code) => ({ code }));
    assert.equal(await insert.askAbout(harmless as never), 'insert');
    insert.notifyAbout([...harmless, { code: 'insideJinja' }] as never);
    const [question = '', ...notes] = editor.messages;
    for (const [at, [, , words]] of serious.entries()) assert.match(question.split('\n\n')[at]!, words);
    const told = /^A line break .* this file\. The folded block \(>\) was .* line breaks\. Two .* once\.$/;
    assert.match(notes.join(), told);
  });
});

describe('the preview of an insertion', () => {
  const before = '-- before\n';

  /**
   * Previews an insertion into a file that is closed meanwhile.
   * @param after the text of the file when the preview ends
   */
  async function show(onPreview: 'apply' | 'close' | 'lock', after = before, language = 'sql') {
    const document = open('/shop/model.sql', before, [0, 0]);
    const reopened = new TextDocument('/shop/model.sql', after);
    editor.documents.splice(0, Infinity, document, reopened);
    document.isClosed = true;
    [reopened.isReadOnly, reopened.version] = [onPreview === 'lock', 7];
    const shown = new TextDocument('', '', language);
    editor.more = {
      window: { showTextDocument: () => Promise.resolve({ document: reopened }) },
      workspace: { openTextDocument: () => Promise.resolve(shown) },
    };
    const { showDiff } = await editor.load<typeof preview>('insert/diffPreview');
    if (onPreview === 'close') editor.onPreview = () => undefined;
    const written = await showDiff(services, generated);
    const [[previewed] = []] = editor.previewed.splice(0);
    return { written, titles: editor.titles.splice(0), shown, text: reopened.text, previewed: previewed?.text };
  }

  it('is applied to a file that was closed meanwhile, unless that has changed or the tab is closed', async () => {
    const { written, titles, text, previewed } = await show('apply');
    assert.deepEqual([written, text, previewed], [true, `${SQL}\n${before}`, `${SQL}\n${before}`]);
    assert.deepEqual(titles, ['model.sql: with the generated SQL']);
    assert.ok('modified' in editor.activeTab!.input, 'the diff editor of one file');
    await assert.rejects(show('apply', '-- after\n'), /The file changed after the preview/);
    for (const end of ['lock', 'close'] as const) {
      const { written: isChanged, text: unchanged } = await show(end);
      assert.deepEqual([isChanged, unchanged], [false, before]);
    }
    assert.deepEqual(editor.messages, [OVERLAP, READ_ONLY]);
  });

  it('has the language of its document, such as a cell of a JSON file, and the format of the settings', async () => {
    editor.settings = { 'insert.format': true };
    const { shown, previewed } = await show('apply', before, 'json');
    assert.equal(shown.languageId, 'sql');
    assert.match(previewed!, /^SELECT\n  /);
    assert.deepEqual(editor.originals, ['/shop/model.sql']);
  });
});
