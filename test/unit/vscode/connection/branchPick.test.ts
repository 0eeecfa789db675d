/** The commands and the picker of branches. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as branching from '../../../../src/vscode/connection/branches.ts';
import type * as switching from '../../../../src/vscode/connection/switchContext.ts';
import { Editor, mementoOn, pairs, type Pairs } from '../support.ts';

const namesOf = (items: readonly { label: string }[]): string[] =>
  items.map(({ label }) => label.replace(/^\$\([\w-]+\) /, ''));

describe('picking a branch', () => {
  let editor: Editor;
  let module: typeof switching & typeof branching;
  let two: Pairs;
  /** What is listed and focused for what is typed. */
  let listed: (typed: string) => [items: string[], active: string[]];
  /** The description of the last item. */
  let described: string | undefined;
  /** The same before anything is typed, for each picker. */
  let opened: ReturnType<typeof listed>[];

  beforeEach(async () => {
    [editor, opened] = [new Editor(), []];
    // Git fails on a repository with a missing object, for example.
    const broken = { getBranches: () => Promise.reject(new Error('Failed to execute git')) };
    const names = ['main', 'dev-margin', 'margin', 'x'];
    const getBranches = ({ remote }: { remote: boolean }) =>
      Promise.resolve([...names, ...(remote ? ['origin/main'] : [])].map((name) => ({ name })));
    editor.git = { repositories: [broken, { getBranches }] };
    module = await editor.load('connection/switchContext', 'connection/branches');
    two = pairs({
      branches: { label: 'main', offered: ['main', 'margin-2', 'dev-margin'], recent: ['dev-margin', '', 'old'] },
    });
    editor.onType = (pick, type) => {
      const now = (): ReturnType<typeof listed> => {
        described = pick.items.at(-1)?.description;
        return [namesOf(pick.items), namesOf(pick.activeItems)];
      };
      listed = (typed) => (type(typed), now());
      opened.push(now());
    };
  });
  const all = ['Settings', 'main', 'margin-2', 'dev-margin', 'Recent', 'old', 'Git', 'margin', 'x'];

  it('lists each branch that Git can read once, and focuses the one that contains what is typed', async () => {
    assert.equal(await module.switchBranch(two.services), undefined);
    assert.deepEqual(editor.described[0]?.slice(0, 3), ['', 'main branch · current', '']);
    const focused = { '': 'main', ' mar': 'margin-2', ' margin ': 'margin', ev: 'dev-margin', 'new-one': 'new-one' };
    for (const [typed, name] of Object.entries(focused)) {
      const known = ['', 'margin'].includes(typed.trim());
      assert.deepEqual(listed(typed), [known ? all : [...all, typed.trim()], [name]]);
      assert.equal(described, known ? '' : 'use this name');
    }
    assert.deepEqual(two.done, []);
  });

  it('switches to the picked one, or that of the argument', async () => {
    editor.picks = ['margin'];
    for (const argument of [undefined, ' typed ', ' ']) await module.switchBranch(two.services, argument);
    assert.deepEqual(two.done, ['switch to margin', 'switch to typed']);
  });

  it('leaves the focus on the first branch if the current one is left out, as it is of two to compare', async () => {
    editor.picks = ['main', 'old', 'x', undefined, 'main'];
    const pick = (given?: object) => module.pickBranches(two.services, 'Compare', given);
    assert.deepEqual(await pick(), { left: 'main', right: 'old' });
    assert.deepEqual(opened, [
      [all, ['main']],
      [all.filter((name) => name !== 'main'), ['margin-2']],
    ]);
    assert.deepEqual(await pick({ left: 'y' }), { left: 'y', right: 'x' });
    assert.equal(await pick(), undefined);
    assert.deepEqual(await pick({ right: 'z' }), { left: 'main', right: 'z' });
    assert.deepEqual(editor.prompts, Array(5).fill('Compare'));
    const [first, second] = ['Select the first branch to compare, or', 'Select the branch to compare “main” with, or'];
    assert.deepEqual(editor.placeholders.slice(0, 2), [`${first} type a name`, `${second} type a name`]);
  });

  it('offers the last eight branches again, each once, also without a folder', async () => {
    for (const folders of [editor.folders, []]) {
      editor.folders = folders;
      const branches = new module.Branches(mementoOn() as never);
      for (const name of '1234567895') await branches.switchTo(name);
      assert.deepEqual([branches.recent.join(''), branches.label], ['59876432', '5']);
    }
  });
});
