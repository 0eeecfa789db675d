import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

describe('asking about a member of the data model', () => {
  it('adds its definition to the composer', async () => {
    const { askAboutSelection } = await loadWithEditor<{
      askAboutSelection(services: object, argument: object): Promise<void>;
    }>('vscode/commands/threads.ts', { Uri: class {} });
    const posted: { draft?: { text: string } }[] = [];
    const view = { post: (message: object) => posted.push(message) };
    await askAboutSelection(
      {
        sessions: { active: { thread: emptyThread('t') } },
        repository: { isReadOnly: () => false },
        views: { focus: () => Promise.resolve(view) },
      },
      { name: 'orders.revenue', languageId: 'yaml', text: '- name: revenue' },
    );
    assert.deepEqual(
      posted.map(({ draft }) => draft?.text),
      ['About orders.revenue:\n```yaml\n- name: revenue\n```\n'],
    );
  });
});
