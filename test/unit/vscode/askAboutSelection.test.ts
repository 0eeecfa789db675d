import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread } from '../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../support/withEditor.ts';

const about = { name: 'orders.revenue', languageId: 'yaml', text: '- name: revenue' };
const expected = 'About orders.revenue:\n```yaml\n- name: revenue\n```\n';

describe('asking about a member of the data model', () => {
  async function ask(view: object | undefined, before = ''): Promise<unknown[]> {
    const { askAboutSelection } = await loadWithEditor<{
      askAboutSelection(services: object, argument: object): Promise<void>;
    }>('vscode/commands/threads.ts', { Uri: class {} });
    const kept: unknown[] = [];
    const active = { thread: emptyThread('t') };
    await askAboutSelection(
      {
        sessions: {
          active,
          draft: () => ({ text: before, images: [] }),
          keepDraft: (id: string, { text }: { text: string }) => kept.push([id, text]),
        },
        repository: { isReadOnly: () => false },
        views: { focus: () => Promise.resolve(view) },
      },
      about,
    );
    return kept;
  }

  it('adds its definition to the composer', async () => {
    const posted: { draft?: { text: string } }[] = [];
    assert.deepEqual(await ask({ post: (message: object) => posted.push(message) }), []);
    assert.deepEqual(
      posted.map(({ draft }) => draft?.text),
      [expected],
    );
  });

  it('adds it to the draft if the view has never been opened', async () => {
    assert.deepEqual(await ask(undefined), [['t', expected]]);
    assert.deepEqual(await ask(undefined, 'Why?'), [['t', `${expected}\nWhy?`]]);
  });
});
