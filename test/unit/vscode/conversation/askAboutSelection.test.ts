import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { draftMessage, type Draft } from '../../../../src/shared/protocol/chat.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';

interface Threads {
  askAboutSelection(services: object): Promise<void>;
  askAboutMember(services: object, argument: unknown): Promise<void>;
}

/** @returns the texts that a command adds to the composer */
async function composed(editor: object, ask: (threads: Threads, services: object) => Promise<void>): Promise<string[]> {
  const threads = await loadWithEditor<Threads>('vscode/conversation/chatCommands.ts', {
    ...editor,
  });
  const posted: { draft: Draft }[] = [];
  const view = { post: (message: { draft: Draft }) => posted.push(message) };
  const services = {
    sessions: { active: { thread: emptyThread('t') } },
    repository: { isReadOnly: () => false },
    views: { focus: () => Promise.resolve(view) },
  };
  await ask(threads, services);
  return posted.flatMap(({ draft }) => [
    ...(draft.attachments ?? []).map(({ name }) => name),
    draftMessage(draft).text,
  ]);
}

describe('asking about the file of the editor', () => {
  it('attaches the selected text with its lines, or all of it if nothing is selected', async () => {
    for (const [isEmpty, chip, text] of [
      [false, 'a.sql:3–5', 'b'],
      [true, 'a.sql', 'a b c'],
    ] as const) {
      const getText = (range?: object): string => (range === undefined ? 'a b c' : isEmpty ? '' : 'b');
      const document = { uri: { scheme: 'file', path: '/model/a.sql' }, languageId: 'sql', getText };
      const window = {
        activeTextEditor: { document, selection: { isEmpty, start: { line: 2 }, end: { line: 4 } } },
        visibleTextEditors: [],
      };
      const editor = { window, workspace: { asRelativePath: () => 'a.sql' } };
      const texts = await composed(editor, (threads, services) => threads.askAboutSelection(services));
      assert.deepEqual(texts, [chip, `About a.sql:\n\`\`\`sql\n${text}\n\`\`\``]);
    }
  });
});

describe('asking about a member of the data model', () => {
  const questions = [
    { text: 'Revenue by month?', name: 'monthly', path: 'agents/eval_questions.yml' },
    { text: 'Revenue today?', name: 'Revenue today?', path: '' },
  ];

  it('lists the questions that use it, and adds the chosen one, or one sentence about it, to the composer', async () => {
    const listed: string[][] = [];
    const choose = (at: number): Promise<unknown> => {
      const window = {
        showQuickPick: (items: { label: string; description?: string }[]) => {
          listed.push(items.map(({ label, description }) => [label, description].filter(Boolean).join(' · ')));
          return Promise.resolve(items[at]);
        },
      };
      return composed({ window }, (threads, services) =>
        threads.askAboutMember(services, { name: 'orders.revenue', questions }),
      );
    };
    assert.deepEqual(await choose(0), ['What is orders.revenue, and how is it calculated?']);
    assert.deepEqual(await choose(2), ['Revenue by month?']);
    assert.deepEqual(await choose(9), [], 'canceled');
    assert.deepEqual(listed[0], [
      '$(comment) Ask about orders.revenue',
      'Questions that use it',
      '$(beaker) Revenue by month? · monthly',
      '$(history) Revenue today?',
    ]);
  });

  it('does nothing with an argument that is not from a lens', async () => {
    for (const argument of [undefined, {}, { name: 'orders.revenue', questions: ['Revenue?'] }])
      assert.deepEqual(await composed({}, (threads, services) => threads.askAboutMember(services, argument)), []);
  });
});
