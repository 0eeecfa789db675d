/** The branch picker. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Branches } from '../../../../src/vscode/connection/branches.ts';
import { loadWithEditor, mementoOn } from '../../../support/withEditor.ts';

type PickBranch = (app: object, title?: string, placeholder?: string, except?: string) => Promise<string | undefined>;

const nameOf = ({ label }: { label: string }): string => label.replace(/^\$\([\w-]+\) /, '');

/** A quick pick that closes once it is shown. */
const stubPick = () => ({
  items: [] as { label: string; description?: string }[],
  activeItems: [] as { label: string }[],
  type: (_value: string): void => undefined,
  onDidChangeValue(listener: (value: string) => void) {
    this.type = listener;
  },
  onDidAccept: () => undefined,
  onDidHide: (listener: () => void) => setImmediate(listener),
  show: () => undefined,
  dispose: () => undefined,
});

async function loadPicker(pick: object, names: readonly string[]): Promise<PickBranch> {
  const repository = { getBranches: () => Promise.resolve(names.map((name) => ({ name }))) };
  // Git fails on a repository with a missing object, for example.
  const broken = { getBranches: () => Promise.reject(new Error('Failed to execute git')) };
  const { pickBranch } = await loadWithEditor<{ pickBranch: PickBranch }>('vscode/connection/switchContext.ts', {
    window: { createQuickPick: () => pick },
    extensions: {
      getExtension: () => ({
        activate: () => Promise.resolve({ getAPI: () => ({ repositories: [broken, repository] }) }),
      }),
    },
  });
  return pickBranch;
}

describe('picking a branch', () => {
  it('leaves the focus on the first branch if the current one is left out', async () => {
    const pick = stubPick();
    pick.activeItems = [{ label: 'the first' }];
    const pickBranch = await loadPicker(pick, []);
    const branches = { label: 'main', main: 'main', offered: ['dev'], recent: [] };
    await pickBranch({ branches }, 'Compare', 'Select the other branch', 'main');
    assert.deepEqual(pick.items.map(nameOf), ['Settings', 'dev']);
    assert.deepEqual(pick.activeItems, [{ label: 'the first' }]);
  });

  it('lists each branch that Git can read once, and focuses the one that contains what is typed', async () => {
    const pick = stubPick();
    const pickBranch = await loadPicker(pick, ['main', 'dev-margin', 'margin', 'x']);
    const offered = ['main', 'margin-2', 'dev-margin'];
    const branches = { label: 'main', main: 'main', offered, recent: ['dev-margin', 'old'] };
    assert.equal(await pickBranch({ branches }), undefined);
    const all = ['Settings', ...offered, 'Recent', 'old', 'Git', 'margin', 'x'];
    assert.deepEqual(pick.items.map(nameOf), all);
    for (const [typed, focused] of [
      ['mar', 'margin-2'],
      ['margin', 'margin'],
      ['ev', 'dev-margin'],
      ['new-one', 'new-one'],
      ['', 'main'],
    ] as const) {
      pick.type(typed);
      assert.deepEqual(pick.items.map(nameOf), typed === '' || all.includes(typed) ? all : [...all, typed]);
      assert.deepEqual(pick.activeItems.map(nameOf), [focused]);
    }
  });

  it('offers the last eight branches again, each once', async () => {
    const { Branches: Made } = await loadWithEditor<{ Branches: new (memento: object) => Branches }>(
      'vscode/connection/branches.ts',
      {
        window: { onDidChangeActiveTextEditor: () => undefined },
        workspace: { onDidChangeWorkspaceFolders: () => undefined },
      },
    );
    const branches = new Made(mementoOn());
    for (const name of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '5']) await branches.switchTo(name);
    assert.deepEqual(branches.recent, ['5', '9', '8', '7', '6', '4', '3', '2']);
  });
});
