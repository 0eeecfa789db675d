/** Where SQL goes if no editor is visible. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { loadWithEditor } from '../../../support/withEditor.ts';

interface Item {
  label: string;
}
interface Editors {
  currentEditor(): object | undefined;
  rememberEditors(): object;
}
type ChooseEditor = (text: string) => Promise<object | undefined>;

class TabInputText {
  readonly uri: object;
  constructor(uri: object) {
    this.uri = uri;
  }
}

describe('SQL without a visible editor', () => {
  const uri = { path: '/repo/scratch.sql' };
  let chooseEditor: ChooseEditor;
  let offered: Item[] = [];
  let answer = '';
  let shown: unknown[] = [];
  let clipboard = '';

  before(async () => {
    ({ chooseEditor } = await loadWithEditor<{ chooseEditor: ChooseEditor }>('vscode/insert/editors.ts', {
      TabInputText,
      env: { clipboard: { writeText: (text: string) => Promise.resolve(void (clipboard = text)) } },
      workspace: {
        asRelativePath: ({ path }: typeof uri) => path.replace('/repo/', ''),
        openTextDocument: (options: object) => Promise.resolve(options),
      },
      window: {
        tabGroups: { all: [{ tabs: [{ input: new TabInputText(uri) }, { input: undefined }] }] },
        showQuickPick: (items: Item[]) => {
          offered = items;
          return Promise.resolve(items.find(({ label }) => answer !== '' && label.endsWith(answer)));
        },
        showTextDocument: (document: object) => {
          shown.push(document);
          return Promise.resolve({ document });
        },
      },
    }));
  });
  beforeEach(() => {
    [shown, clipboard] = [[], ''];
  });

  it('goes to a file that is open in a hidden tab', async () => {
    answer = 'scratch.sql';
    assert.deepEqual(await chooseEditor('SELECT 1'), { document: uri });
    assert.deepEqual(
      offered.map(({ label }) => label.replace(/^\$\([a-z-]+\) /, '')),
      ['scratch.sql', 'New SQL file', 'Copy to the clipboard'],
    );
    assert.equal(clipboard, '');
  });

  it('goes to a new SQL file', async () => {
    answer = 'New SQL file';
    assert.deepEqual(await chooseEditor('SELECT 1'), { document: { language: 'sql' } });
  });

  it('is copied on request, and nowhere after a canceled question', async () => {
    answer = 'Copy to the clipboard';
    assert.equal(await chooseEditor('SELECT 1'), undefined);
    assert.equal(clipboard, 'SELECT 1');
    [answer, clipboard] = ['', ''];
    assert.equal(await chooseEditor('SELECT 1'), undefined);
    assert.equal(clipboard, '');
    assert.deepEqual(shown, []);
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
    const { currentEditor, rememberEditors } = await loadWithEditor<Editors>('vscode/host/currentEditor.ts', {
      window,
    });
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
