import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

interface Threads {
  askAboutSelection(services: object, argument?: object): Promise<void>;
}

/** @returns the texts that are added to the composer */
async function composed(editor: object, argument?: object): Promise<(string | undefined)[]> {
  const { askAboutSelection } = await loadWithEditor<Threads>('vscode/conversation/chatCommands.ts', {
    Uri: class {},
    ...editor,
  });
  const posted: { draft?: { text: string } }[] = [];
  const view = { post: (message: object) => posted.push(message) };
  const services = {
    sessions: { active: { thread: emptyThread('t') } },
    repository: { isReadOnly: () => false },
    views: { focus: () => Promise.resolve(view) },
  };
  await askAboutSelection(services, argument);
  return posted.map(({ draft }) => draft?.text);
}

describe('asking about the file of the editor', () => {
  it('adds the selected text to the composer, or all of it if nothing is selected', async () => {
    for (const [isEmpty, text] of [
      [false, 'b'],
      [true, 'a b c'],
    ] as const) {
      const getText = (range?: object): string => (range === undefined ? 'a b c' : isEmpty ? '' : 'b');
      const document = { uri: { scheme: 'file' }, languageId: 'sql', getText };
      const window = { activeTextEditor: { document, selection: { isEmpty } }, visibleTextEditors: [] };
      const editor = { window, workspace: { asRelativePath: () => 'a.sql' } };
      assert.deepEqual(await composed(editor), [`About a.sql:\n\`\`\`sql\n${text}\n\`\`\`\n`]);
    }
  });
});

describe('asking about a member of the data model', () => {
  it('adds its definition to the composer', async () => {
    const member = { name: 'orders.revenue', languageId: 'yaml', text: '- name: revenue' };
    assert.deepEqual(await composed({}, member), ['About orders.revenue:\n```yaml\n- name: revenue\n```\n']);
  });
});
