/** Errors of commands, files to save to, and the text editor that is used while another kind of tab has the focus. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatError } from '../../../../src/api/errors.ts';
import { Uri } from '../../../support/editorValues.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { TextDocument, TextEditor } from '../documents.ts';
import { Editor } from '../editor.ts';

const settled = (): Promise<void> => new Promise(setImmediate);

describe('the message of a failed command', () => {
  type Guard = (log: object) => (work: () => unknown) => Promise<unknown>;
  for (const [failure, button, done] of [
    ['Error', 'Show log', ['show']],
    ['auth', 'Set API key', ['analyticsChat.setApiKey']],
    ['Error', undefined, []],
  ] as const)
    it(`offers what helps with ${failure}: ${button ?? 'dismissed'}`, async () => {
      const editor = Object.assign(new Editor(), { answers: [button] });
      const { guardedWith, ChatError: Made } = await loadWithEditor<{
        guardedWith: Guard;
        ChatError: typeof ChatError;
      }>('vscode/host/command.ts', editor.with(), 'api/errors.ts');
      const acts: string[] = [];
      const log = { error: () => undefined, redact: (text: string) => text, show: () => acts.push('show') };
      const error = failure === 'Error' ? new Error('No access.') : new Made(failure, 'No key.');
      const result = await guardedWith(log)(() => Promise.reject(error));
      await settled();
      assert.equal(result, undefined);
      assert.match(
        editor.messages[0]!,
        failure === 'Error' ? /^No access\. \[Show log\]$/ : /\[Set API key\] \[Show log\]$/,
      );
      assert.deepEqual([...acts, ...editor.executed.flat()], done);
      assert.equal(await guardedWith(log)(() => 'result'), 'result');
    });
});

describe('a file to save to', () => {
  it('is proposed in the first folder, with a name that is valid on all platforms', async () => {
    const editor = new Editor();
    const { askWhereToSave } = await loadWithEditor<{ askWhereToSave(...of: unknown[]): Promise<Uri | undefined> }>(
      'vscode/host/files.ts',
      editor.with({ Uri }),
    );
    const filters = { CSV: ['csv', 'txt'], JSON: ['json'] };
    for (const [name, expected] of [
      ['Revenue: a/b?', 'Revenue a b.csv'],
      ['..hidden', 'hidden.csv'],
      ['', 'results.csv'],
      ['x'.repeat(99), `${'x'.repeat(80)}.csv`],
      ['End. .', 'End.csv'],
    ] as const) {
      await askWhereToSave('Save', filters, name);
      assert.equal(editor.names.at(-1), `/shop/${expected}`);
    }
  });
});

describe('the editor to insert into', () => {
  const editorOf = (path: string, scheme = 'file') => new TextEditor(new TextDocument(new Uri(scheme, '', path), ''));
  const [first, second, output] = [editorOf('/a.sql'), editorOf('/b.sql'), editorOf('/log', 'output')];
  const sameAsFirst = new TextEditor(first.document);

  for (const [what, active, used, visible, expected] of [
    ['the active one', second, [first], [first, second], second],
    ['the last used one', undefined, [second, undefined], [first, second], second],
    ['not an output channel', output, [second, output], [output, first, second], second],
    ['another editor of the last document', undefined, [first], [second, sameAsFirst], sameAsFirst],
    ['any visible one', undefined, [first], [output, second], second],
    ['none', undefined, [first], [output], undefined],
  ] as const)
    it(`is ${what}`, async () => {
      let activate = (_: unknown): void => undefined;
      const window = {
        activeTextEditor: undefined as unknown,
        visibleTextEditors: visible,
        onDidChangeActiveTextEditor: (listener: typeof activate) => (
          (activate = listener),
          { dispose: () => undefined }
        ),
      };
      const { rememberEditors, currentEditor } = await loadWithEditor<{
        rememberEditors(): void;
        currentEditor(): unknown;
      }>('vscode/host/currentEditor.ts', { window });
      rememberEditors();
      used.forEach(activate);
      window.activeTextEditor = active;
      assert.equal(currentEditor(), expected);
    });
});

describe('a message that says that a file was written', () => {
  it('opens that file with its button, which names it', async () => {
    const editor = Object.assign(new Editor(), { answers: ['Open b.csv', undefined] });
    const { showWritten } = await loadWithEditor<{ showWritten(file: Uri, message: string): Promise<void> }>(
      'vscode/host/notify.ts',
      editor.with({ Uri }),
    );
    const file = Uri.file('/bank/b.csv');
    for (const _ of [1, 2]) await showWritten(file, 'Saved.');
    assert.deepEqual(editor.messages, Array(2).fill('Saved. [Open b.csv]'));
    assert.deepEqual(editor.executed, [['vscode.open', file]]);
  });
});
