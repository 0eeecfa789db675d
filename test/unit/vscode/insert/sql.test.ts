/**
 * The SQL of commands and buttons: that of the chat, although the service reuses tool call ids in others, and where it goes.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { CommandHandlers } from '../../../../src/vscode/host/area.ts';
import type * as lens from '../../../../src/vscode/insert/provenanceLens.ts';
import type * as area from '../../../../src/vscode/insert/insertArea.ts';
import { Editor, emptyThread, pairs, registered, TextDocument, TextEditor, uriAt, viewOf } from '../support.ts';
import type { Pairs, Range } from '../support.ts';

class TabInputText {
  readonly uri;
  constructor(path: string) {
    this.uri = uriAt(path);
  }
}

let editor: Editor;
let two: Pairs;
let registerInsert: typeof area.registerInsert;
let current: ReturnType<typeof area.registerInsert> | undefined;
/** Registers the area again. */
const register = (services = two.services) => {
  current?.dispose();
  return (current = registerInsert(services));
};
/** Runs a command of the area. */
const run = (name: string, services = two.services, argument?: unknown): unknown => {
  const commands: CommandHandlers = register(services).commands;
  return commands[`analyticsChat.${name}`]!(argument);
};

beforeEach(async () => {
  [editor, two] = [new Editor(), pairs()];
  editor.more = { TabInputText };
  editor.tabs.push({ input: new TabInputText('/shop/hidden.sql') });
  editor.otherTabs.push({ input: new TabInputText('/bank/hidden.sql') });
  editor.tabs.push({ input: undefined });
  ({ registerInsert } = await editor.load<typeof area>('insert/insertArea'));
});

const openEditor = (text = '', at: (number | [number, number])[] = [0], language?: string): TextDocument => {
  const document = new TextDocument(language === 'yaml' ? '/shop/model/cubes/a.yml' : '/shop/a.sql', text, language);
  editor.documents.push(document);
  editor.active = new TextEditor(document, at, 2);
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
      await run('copySql', services, argument);
      await run('openSql', services, argument);
      assert.deepEqual(editor.columns.splice(0), expected === undefined ? [] : [-1]);
      const document = openEditor('-- old', [[0, 6]]);
      await run('replaceWithSql', services, argument);
      const shown = expected === undefined ? [] : [expected];
      assert.deepEqual([editor.copied.splice(0), editor.shown.splice(0, 1)], [shown, shown]);
      assert.equal(document.text, expected ?? '-- old');
      const told = editor.messages.splice(0);
      assert.ok(told.every((text) => text === 'There is no generated SQL in this chat yet.'));
      assert.equal(told.length, expected === undefined ? 3 : 0);
      assert.equal(editor.statuses.splice(0).join(), expected === undefined ? '' : 'SQL copied');
      editor.columns.length = editor.shown.length = 0;
    }
  });

  it('is that of the view with the button, even if another chat was active last', async () => {
    const last = openEditor();
    editor.visible.push(new TextEditor(new TextDocument('/shop/left.sql', '')), editor.active!);
    const { intents, slash } = await registered('insert', two.services as never, editor.with());
    editor.active = undefined;
    await intents.insertSql(viewOf(two.first), { type: 'insertSql', toolCallId: 't2' });
    assert.equal(last.text, "SELECT 'first t2'", 'not the first one that is visible');
    for (const each of [editor.visible, editor.shown, two.done]) each.length = 0;
    for (const session of [two.second, two.first]) {
      const { id } = session.thread;
      const document = openEditor('-- a', [[0, 4]]);
      const view = viewOf(session, () => two.done.push('focus'));
      await intents.copySql(view, { type: 'copySql', toolCallId: 't1' });
      await intents.openSql(view, { type: 'openSql', toolCallId: 't1' });
      await intents.insertSql(view, { type: 'insertSql', toolCallId: 't1' });
      const expected = `SELECT '${id} t1'`;
      assert.deepEqual([editor.copied.pop(), editor.shown[0]], [expected, expected]);
      assert.equal(document.text, `-- a\n${expected}`);
      assert.equal(two.done.pop(), `activate ${id}`);
      editor.active = undefined;
      await intents.insertSql(view, { type: 'insertSql', toolCallId: 't1' });
      await slash.sql(view);
      assert.deepEqual([two.done.splice(0), editor.offered.length], [[`activate ${id}`, 'focus', 'focus'], 2]);
      [editor.shown.length, editor.offered.length] = [0, 0];
    }
  });

  it('goes to an open file, a new one or the clipboard if no editor is visible, or nowhere', async () => {
    const expected = "SELECT 'first t3'";
    for (const [pick, shown, copied] of [
      ['bank/hidden.sql', Array<string>(3).fill('/bank/hidden.sql'), []],
      ['New SQL file', ['', '', expected], []],
      ['Copy to the clipboard', [], [expected]],
      [undefined, [], []],
    ] as const) {
      editor.picks = [pick];
      assert.equal(await run('insertSql'), shown.length > 0);
      assert.deepEqual([editor.shown.splice(0), editor.copied.splice(0), editor.messages], [shown, copied, []]);
    }
    const files = ['bank', 'shop'].map((name) => `${name}/hidden.sql`);
    assert.deepEqual(editor.offered[0], [...files, 'New SQL file', 'Copy to the clipboard']);
    assert.deepEqual(editor.described[0], ['open file', 'open file', '', '']);
    assert.deepEqual(editor.icons[0], ['file', 'file', 'new-file', 'copy']);
    await run('openSql');
    assert.deepEqual([...new Set(editor.documents.map(({ languageId }) => languageId))], ['sql']);
    editor.picks = [undefined, 'bank/hidden.sql'];
    for (const written of [false, true]) assert.equal(await run('diffSql'), written);
    // Above the query that the file has from before.
    assert.deepEqual([editor.previewed[0]?.[0]?.text, editor.messages], [`${expected};\n${expected}`, []]);
    await assert.rejects(async () => run('insertSql', two.services, named('closed')), /No chat closed/);
  });

  it('is chosen from the newest on, each with its branch, and previewed; its buttons copy or open it', async () => {
    editor.onPreview = () => void run('applyInsertion');
    editor.onType = ({ items, activeItems, matchOnDetail, matchOnDescription }) =>
      assert.deepEqual([activeItems, matchOnDetail, matchOnDescription], [items.slice(0, 1), true, true]);
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
      await run('pickSql');
      assert.equal(document.text, text, pick);
      assert.deepEqual(editor.offered[0], ['Revenue', 'Revenue of first?', 'Costs']);
      assert.deepEqual(editor.described[0], ['net', 'net', 'dev']);
      assert.deepEqual(
        editor.detailed[0],
        ['t3', 't2', 't1'].map((id) => `SELECT 'first ${id}'`),
      );
      const opened = editor.shown.splice(0).filter((each) => each !== '/shop/a.sql');
      assert.deepEqual([...editor.copied.splice(0), ...opened], taken === undefined ? [] : [taken]);
    }
    assert.equal(editor.placeholders[0], 'Select a query to preview its insertion');
    assert.deepEqual(new Set(editor.prompts), new Set(['Analytics Chat: Insert SQL']));
    editor.offered.length = 0;
    await run('pickSql', pairs({ sessions: { active: { thread: emptyThread('empty') } } }).services);
    assert.deepEqual([editor.offered, editor.messages], [[], ['There is no generated SQL in this chat yet.']]);
    const document = openEditor();
    await run('pickSql', two.services, named('second', 't2'));
    await run('diffSql', two.services, named('second', 't1'));
    assert.equal(document.text, "SELECT 'second t1';\nSELECT 'second t2'");
  });
});

describe('a member of the data model', () => {
  const insert = (): unknown => {
    const { insertMember } = register().intents;
    return insertMember(viewOf(two.first), { type: 'insertMember', name: 'orders.count' });
  };

  it('is inserted at each cursor as its file writes it, or copied if no file can be changed', async () => {
    for (const [text, at, language, expected] of [
      ['SELECT a\nWHERE ', [[7, 8] as [number, number], 15], 'sql', 'SELECT aorders.count\nWHERE orders.count'],
      ['cubes:\n  - name: a\n    sql: SELECT ', [42], 'yaml', 'cubes:\n  - name: a\n    sql: SELECT {orders.count}'],
    ] as const) {
      const document = openEditor(text, [...at], language);
      await insert();
      assert.deepEqual([document.text, editor.copied, editor.messages], [expected, [], []]);
      assert.deepEqual([editor.shown.pop(), editor.columns.pop()], [document.uri.path, 2]);
      document.isReadOnly = true;
      await insert();
      assert.deepEqual(editor.shown, []);
      assert.deepEqual(editor.copied.splice(0), [language === 'yaml' ? '{orders.count}' : 'orders.count']);
      assert.match(editor.messages.splice(0).join(), /This file can’t be changed, so “.*orders\.count.*” was copied/);
    }
    editor.active = undefined;
    await insert();
    assert.deepEqual(editor.copied, ['orders.count']);
    assert.match(editor.messages.join(), /No editor is open, so “orders\.count” was copied/);
  });
});

describe('the lens above inserted SQL', () => {
  it('opens the chat of each query', async () => {
    type Lens = { range: Range; command: { title: string; tooltip: string; command: string; arguments: unknown[] } };
    const { showProvenance } = await editor.load<typeof lens>('insert/provenanceLens');
    const shown = showProvenance();
    const { lenses }: { lenses?: { provideCodeLenses(of: TextDocument): Lens[] } } = editor.providers;
    editor.settings = { 'insert.provenance': true };
    let text = '';
    for (const id of ['first', 'second']) {
      const document = openEditor();
      await run('insertSql', two.services, named(id));
      text += `${document.text}\n`;
    }
    text = text.replace('Revenue of second?', '$(zap)') + text.replaceAll(/Revenue of \w+\?/g, '');
    const found = lenses!.provideCodeLenses(new TextDocument('/shop/a.sql', text));
    assert.deepEqual(
      found.map(({ range, command: { title, command, arguments: of } }) => [range.start.line, title, command, of]),
      ['Revenue of first?', '$ (zap)', 'SQL', 'SQL'].map((question, at) => [
        ...[2 * at, `Open chat: ${question}`, 'analyticsChat.openThread'],
        [{ threadId: at % 2 === 0 ? 'first' : 'second' }],
      ]),
    );
    assert.equal(found[0]?.command.tooltip, 'Asked on branch net as ben');
    const [last] = text.split('\n');
    for (const end of ['SELECT 1', last!])
      assert.equal(lenses!.provideCodeLenses(new TextDocument('/shop/a.sql', `\n${end}`)).length, end === last ? 1 : 0);
    assert.deepEqual(editor.selectors['lenses'], ['sql', 'jinja-sql', 'yaml', 'javascript', 'typescript', 'python']);
    shown.dispose();
    assert.deepEqual(editor.providers, {});
  });
});
