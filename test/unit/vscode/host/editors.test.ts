/** Errors of commands, files to save to, and the text editor that is used while another kind of tab has the focus. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { beforeEach, describe, it } from 'mocha';
import type * as api from '../../../../src/api/errors.ts';
import type * as views from '../../../../src/vscode/host/chatView.ts';
import type * as command from '../../../../src/vscode/host/command.ts';
import type * as current from '../../../../src/vscode/host/currentEditor.ts';
import type * as files from '../../../../src/vscode/host/files.ts';
import type * as notify from '../../../../src/vscode/host/notify.ts';
import { Editor, redact, settled, TextDocument, TextEditor, Uri } from '../support.ts';

let editor: Editor;
beforeEach(() => (editor = new Editor()));

const SELECTION = 'onDidChangeTextEditorSelection';
const SETTINGS = ['workbench.action.openSettings', '@ext:analytics-chat.analytics-chat'];

describe('the message of a failed command', () => {
  for (const [kind, button, offered, done] of [
    ['Error', 'Show log', '[Show log]', ['show']],
    ['auth', 'Set API key', '[Set API key] [Show log]', ['analyticsChat.setApiKey']],
    ['auth', 'Show log', '[Set API key] [Show log]', ['show']],
    ['Error', undefined, '[Show log]', []],
    ['notFound', 'Open settings', '[Open settings] [Show log]', SETTINGS],
  ] as const)
    it(`has no secrets, and offers what helps with ${kind}: ${button ?? 'dismissed'}`, async () => {
      editor.answers = [button];
      const module = await editor.load<typeof command & typeof api>('host/command', '../api/errors');
      const [acts, logged]: [string[], unknown[]] = [[], []];
      const log = { error: (...of: unknown[]) => logged.push(...of), redact, show: () => acts.push('show') };
      const guarded = module.guardedWith(log as never);
      const failure = kind === 'Error' ? new Error('No access with the-key.') : new module.ChatError(kind, 'No key.');
      assert.equal(await guarded(() => Promise.reject(failure)), undefined);
      await settled();
      const [message = ''] = editor.messages;
      assert.ok(message.endsWith(offered), message);
      assert.equal(message.startsWith('The data query failed'), kind === 'notFound');
      if (kind === 'Error') assert.equal(message, `No access with [redacted]. ${offered}`);
      assert.deepEqual([[...acts, ...editor.executed.flat()], logged.includes(failure)], [done, true]);
      assert.equal(await guarded(() => 'result'), 'result');
    });
});

describe('a file to save to', () => {
  it('is proposed in the first folder, with a name that is valid on all platforms', async () => {
    const { askWhereToSave } = await editor.load<typeof files>('host/files');
    const filters = { CSV: ['csv', 'txt'], JSON: ['json'] };
    for (const [name, expected] of [
      ['Revenue: a/b?\u202e', 'Revenue a b.csv'],
      ['..hidden', 'hidden.csv'],
      ['', 'results.csv'],
      ['x'.repeat(99), `${'x'.repeat(80)}.csv`],
      ['End. .', 'End.csv'],
    ] as const) {
      await askWhereToSave('Save', filters, name);
      assert.equal(editor.names.at(-1), `/shop/${expected}`);
    }
    editor.folders = [];
    await askWhereToSave('Save results', filters, 'a');
    assert.deepEqual([editor.names.at(-1), editor.dialogs.at(-1)], [undefined, 'Save results']);
  });
});

describe('the editor to insert into', () => {
  const editorOf = (path: string, scheme = 'file') => new TextEditor(new TextDocument(new Uri(scheme, '', path), ''));
  const [first, second, output] = [editorOf('/a.sql'), editorOf('/b.sql'), editorOf('/log', 'output')];
  const search = editorOf('/s', 'search-editor');
  const sameAsFirst = new TextEditor(first.document);

  for (const [what, active, used, visibleTextEditors, expected] of [
    ['the active one', second, [first], [first, second], second],
    ['the last used one', undefined, [first, second, undefined], [first, second], second],
    ['not an output channel or a search', output, [second, output, search], [output, search, first, second], second],
    ['another editor of the last document', undefined, [first], [second, sameAsFirst], sameAsFirst],
    ['any visible one', undefined, [first], [output, second], second],
    ['none', undefined, [first], [output], undefined],
  ] as const)
    it(`is ${what}`, async () => {
      editor.more = { window: { visibleTextEditors } };
      const { rememberEditors, currentEditor } = await editor.load<typeof current>('host/currentEditor');
      [editor.active] = used;
      rememberEditors();
      for (const each of used.slice(1)) editor.fire('onDidChangeActiveTextEditor', each);
      editor.active = active;
      assert.equal(currentEditor(), expected);
    });
});

describe('a prompt of a view', () => {
  for (const [what, meanwhile, done] of [
    ['gives the focus back', () => undefined, ['reveal', 'last']],
    ['also after the keyboard has moved a selection', () => editor.fire(SELECTION, { kind: 1 }), ['reveal', 'last']],
    ['unless its user has clicked into a text', () => editor.fire(SELECTION, { kind: 2 }), []],
    [
      'unless its user has clicked into a text and selects more of it',
      () => [2, 1].map((kind) => editor.fire(SELECTION, { kind })),
      [],
    ],
    ['unless another editor is active', () => editor.fire('onDidChangeActiveTextEditor'), []],
    ['unless another tab is active', () => (editor.activeTab = { input: {} }), []],
  ] as const)
    it(what, async () => {
      const { promptFrom } = await editor.load<typeof views>('host/chatView');
      const acts: string[] = [];
      const view = { reveal: () => acts.push('reveal'), post: ({ what: focus }: { what: string }) => acts.push(focus) };
      const open = Promise.withResolvers<string>();
      const pass = async (): Promise<void> => (await settled(), mock.timers.tick(60));
      mock.timers.enable({ apis: ['setTimeout'] });
      const answer = promptFrom(view as never, () => open.promise);
      await pass();
      meanwhile();
      assert.deepEqual(acts, [], 'it is still open');
      open.resolve('answer');
      await pass();
      assert.equal(await answer, 'answer');
      assert.deepEqual(acts, done);
      mock.timers.reset();
    });
});

describe('a message that says that a file was written', () => {
  it('opens that file with its button, which names it', async () => {
    editor.answers = ['Open b.csv', undefined];
    const { showWritten } = await editor.load<typeof notify>('host/notify');
    const file = Uri.file('/bank/b.csv');
    for (const _ of [1, 2]) await showWritten(file as never, 'Saved.');
    assert.deepEqual(editor.messages, Array(2).fill('Saved. [Open b.csv]'));
    assert.deepEqual(editor.executed, [['vscode.open', file]]);
  });
});
