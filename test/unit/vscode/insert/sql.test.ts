/**
 * The SQL of commands and buttons: that of the chat, although the service reuses tool call ids in others, and where it goes.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import type * as current from '../../../../src/vscode/host/currentEditor.ts';
import type { ChatView } from '../../../../src/vscode/host/chatView.ts';
import type * as preview from '../../../../src/vscode/host/preview.ts';
import type * as lens from '../../../../src/vscode/insert/provenanceLens.ts';
import type * as commands from '../../../../src/vscode/insert/sql.ts';
import { Disposable, Uri } from '../../../support/editorValues.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { registered } from '../areas.ts';
import { TextDocument, TextEditor } from '../documents.ts';
import { Editor } from '../editor.ts';
import { pairs, redact, type Pairs } from '../pairs.ts';
import { World } from '../world.ts';

class TabInputText {
  readonly uri: Uri;
  constructor(path: string) {
    this.uri = Uri.file(path);
  }
}

let editor: Editor;
let sql: typeof commands & typeof preview;
let two: Pairs;
let world: World;

beforeEach(async () => {
  [editor, two, world] = [new Editor(), pairs(), new World()];
  const tabs = ['/shop/hidden.sql', '/bank/other.sql'].map((path) => ({ input: new TabInputText(path) }));
  const { tabGroups } = world.editor.window;
  const stub = editor.with({
    TabInputText,
    commands: world.editor.commands,
    window: { tabGroups: { ...tabGroups, all: [{ tabs: [...tabs, { input: undefined }] }, ...tabGroups.all] } },
    workspace: {
      registerTextDocumentContentProvider: world.editor.workspace.registerTextDocumentContentProvider,
    },
  });
  sql = await loadWithEditor('vscode/insert/sql.ts', stub, 'vscode/host/preview.ts');
  world.applyPreview = sql.applyPreview;
});

const openEditor = (text = '', at: (number | [number, number])[] = [0], language?: string): TextDocument => {
  const document = new TextDocument(language === 'yaml' ? '/shop/model/cubes/a.yml' : '/shop/a.sql', text, language);
  editor.documents.push(document);
  editor.active = new TextEditor(document, at);
  return document;
};

const named = (threadId?: string, toolCallId?: string) => ({ threadId, toolCallId });

describe('the SQL of a command', () => {
  it('is the named query of the named chat, or the last one of the active chat', async () => {
    const empty = { thread: emptyThread('empty') };
    for (const [argument, expected, active] of [
      [named('second', 't1'), "SELECT 'second t1'"],
      [named('second'), "SELECT 'second t3'"],
      [named(undefined, 't2'), "SELECT 'first t2'"],
      [undefined, "SELECT 'first t3'"],
      // Found in any open chat by its id, but never another query than the named one.
      [named(undefined, 't2'), "SELECT 'second t2'", empty],
      [undefined, undefined, empty],
      [named('second', 't9'), undefined],
    ] as const) {
      const { services } = active ? pairs({ sessions: { active } }) : two;
      await sql.copySql(services, argument);
      await sql.openSql(services, argument);
      const document = openEditor('-- old', [[0, 6]]);
      await sql.replaceWithSql(services, argument);
      const shown = expected === undefined ? [] : [expected];
      assert.deepEqual([editor.copied.splice(0), editor.shown.splice(0, 1)], [shown, shown]);
      assert.equal(document.text, expected ?? '-- old');
      const told = editor.messages.splice(0);
      assert.ok(told.every((text) => text === 'There is no generated SQL in this chat yet.'));
      assert.equal(told.length, expected === undefined ? 3 : 0);
      assert.equal(editor.statuses.splice(0).join(), expected === undefined ? '' : 'SQL copied');
      editor.shown.length = 0;
    }
  });

  it('is that of the view with the button, even if another chat was active last', async () => {
    const { intents } = await registered('insert', two.services as never, editor.with());
    for (const [session, id] of [
      [two.second, 'second'],
      [two.first, 'first'],
    ] as const) {
      const document = openEditor();
      const view = { session } as ChatView;
      await intents.copySql(view, { type: 'copySql', toolCallId: 't1' });
      await intents.openSql(view, { type: 'openSql', toolCallId: 't1' });
      await intents.insertSql(view, { type: 'insertSql', toolCallId: 't1' });
      const expected = `SELECT '${id} t1'`;
      assert.deepEqual([editor.copied.pop(), editor.shown[0], document.text], [expected, expected, expected]);
      assert.equal(two.done.pop(), `activate ${id}`);
      editor.shown.length = 0;
    }
  });

  it('goes to an open file, a new one or the clipboard if no editor is visible, or nowhere', async () => {
    const expected = "SELECT 'first t3'";
    for (const [pick, shown, copied] of [
      ['hidden.sql', ['/shop/hidden.sql', '/shop/hidden.sql', '/shop/hidden.sql'], []],
      ['New SQL file', ['', '', expected], []],
      ['Copy to the clipboard', [], [expected]],
      [undefined, [], []],
    ] as const) {
      editor.picks = [pick];
      assert.equal(await sql.insertSql(two.services), shown.length > 0);
      assert.deepEqual([editor.shown.splice(0), editor.copied.splice(0)], [shown, copied]);
    }
    assert.deepEqual(editor.offered[0], ['hidden.sql', 'other.sql', 'New SQL file', 'Copy to the clipboard']);
  });

  it('is chosen from the newest on, each with its branch, and previewed; its buttons copy or open it', async () => {
    for (const [pick, ...after] of [
      ['Revenue', 'Keep the selection', "-- a\nSELECT 'first t3'\n-- b"],
      ['Costs', 'Replace the selection', "SELECT 'first t1'\n-- b"],
      ['Costs', undefined, '-- a\n-- b'],
      [undefined, undefined, '-- a\n-- b'],
      ['Copy SQL of Costs', undefined, '-- a\n-- b', "SELECT 'first t1'"],
      ['Open SQL of Revenue of first?', undefined, '-- a\n-- b', "SELECT 'first t2'"],
    ] as const) {
      const [mode, text, taken] = after;
      const document = openEditor('-- a\n-- b', [[0, 4]]);
      editor.picks = [pick, mode];
      await sql.pickSql(two.services);
      assert.equal(document.text, text, pick);
      assert.deepEqual(editor.offered[0], ['Revenue', 'Revenue of first?', 'Costs']);
      assert.deepEqual(editor.described[0], ['net', 'net', 'dev']);
      const opened = editor.shown.splice(0).filter((each) => each !== '/shop/a.sql');
      assert.deepEqual([...editor.copied.splice(0), ...opened], taken === undefined ? [] : [taken]);
    }
    editor.offered.length = 0;
    await sql.pickSql(pairs({ sessions: { active: { thread: emptyThread('empty') } } }).services);
    assert.deepEqual([editor.offered, editor.messages], [[], ['There is no generated SQL in this chat yet.']]);
    const document = openEditor();
    await sql.pickSql(two.services, named('second', 't2'));
    await sql.diffSql(two.services, named('second', 't1'));
    assert.equal(document.text, "SELECT 'second t1';\nSELECT 'second t2'");
  });
});

describe('a copied answer', () => {
  it('is its Markdown with secrets redacted, not the rendered text or another answer', async () => {
    const answers = ['Earlier.', '**Revenue** rose, say the-key and other-key.\n\n| a | b |\n'];
    const turns = answers.map((content, at) =>
      makeTurn({ id: `q${at}` }, [makeItem(`a${at}`, { content, graphPath: ['final'] })]),
    );
    const { intents } = await registered('conversation', { log: two.services.log as never }, editor.with());
    const view = { session: { thread: { ...emptyThread('one'), turns } } } as unknown as ChatView;
    // The last one was clicked in the thread that the page showed before.
    for (const messageId of ['a1', 'b1']) await intents.copyAnswer(view, { type: 'copyAnswer', messageId });
    assert.deepEqual(editor.copied, [redact(answers[1]!)]);
  });
});

describe('a member of the data model', () => {
  it('is inserted at each cursor as its file writes it, or copied if no file can be changed', async () => {
    for (const [text, at, language, expected] of [
      ['SELECT \nWHERE ', [7, 14], 'sql', 'SELECT orders.count\nWHERE orders.count'],
      ['cubes:\n  - name: a\n    sql: SELECT ', [42], 'yaml', 'cubes:\n  - name: a\n    sql: SELECT {orders.count}'],
    ] as const) {
      const document = openEditor(text, [...at], language);
      await sql.insertMember('orders.count');
      assert.deepEqual([document.text, editor.copied, editor.messages], [expected, [], []]);
      assert.equal(editor.shown.pop(), document.uri.path);
      document.isReadOnly = true;
      await sql.insertMember('orders.count');
      assert.deepEqual(editor.copied.splice(0), [language === 'yaml' ? '{orders.count}' : 'orders.count']);
      assert.match(editor.messages.splice(0).join(), /This file can’t be changed, so “.*orders\.count.*” was copied/);
    }
    editor.active = undefined;
    await sql.insertMember('orders.count');
    assert.deepEqual(editor.copied, ['orders.count']);
    assert.match(editor.messages.join(), /No editor is open, so “orders\.count” was copied/);
  });
});

describe('the lens above inserted SQL', () => {
  it('opens the chat of each query', async () => {
    type Lens = { title: string; tooltip: string; arguments: unknown[] };
    let provide: (document: TextDocument) => { line: number; command: Lens }[] = () => [];
    const { showProvenance } = await loadWithEditor<typeof lens>('vscode/insert/provenanceLens.ts', {
      CodeLens: class {
        readonly line: number;
        readonly command: Lens;
        constructor({ start }: { start: { line: number } }, command: Lens) {
          [this.line, this.command] = [start.line, command];
        }
      },
      languages: {
        registerCodeLensProvider: (_: unknown, provider: { provideCodeLenses: typeof provide }) => {
          provide = (document) => provider.provideCodeLenses(document);
          return new Disposable(() => undefined);
        },
      },
    });
    showProvenance();
    editor.settings = { 'insert.provenance': true };
    let text = '';
    for (const id of ['first', 'second']) {
      const document = openEditor();
      await sql.insertSql(two.services, named(id));
      text += `${document.text}\n`;
    }
    assert.deepEqual(
      provide(new TextDocument('/shop/a.sql', text)).map(({ line, command }) => [
        line,
        command.title,
        command.tooltip,
        command.arguments,
      ]),
      ['first', 'second'].map((threadId, at) => [
        ...[2 * at, `Open chat: Revenue of ${threadId}?`, 'Asked on branch net as ben', [{ threadId }]],
      ]),
    );
    assert.deepEqual(provide(new TextDocument('/shop/a.sql', 'SELECT 1')), []);
  });
});

describe('SQL with visible editors', () => {
  it('goes to the file that was used last, not to an output channel or a search editor that was used since', async () => {
    const [first, last, output, search] = ['file', 'file', 'output', 'search-editor'].map((scheme) => ({
      document: { uri: { scheme } },
    }));
    let activate = (_editor: object | undefined): void => undefined;
    const window = {
      activeTextEditor: undefined as object | undefined,
      visibleTextEditors: [output, search, first, last],
      onDidChangeActiveTextEditor: (listener: typeof activate) => (activate = listener),
    };
    const path = 'vscode/host/currentEditor.ts';
    const { currentEditor, rememberEditors } = await loadWithEditor<typeof current>(path, { window });
    rememberEditors();
    for (const editor of [first, last, output, search]) activate((window.activeTextEditor = editor));
    assert.equal(currentEditor(), last);
    activate((window.activeTextEditor = undefined));
    assert.equal(currentEditor(), last);
    // VS Code has a new editor for the file when its tab is shown again.
    const again = { ...last! };
    window.visibleTextEditors = [output!, first!, again];
    assert.equal(currentEditor(), again);
  });
});
