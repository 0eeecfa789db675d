/** The tools that run questions, with a stub of the editor; their asking fails, which shows who was asked. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type * as native from '../../../../src/vscode/native/runTools.ts';
import { Editor, folders, pairs, questionNamed, sales, TextDocument, TextEditor, token } from '../support.ts';
import type { QuestionContext, Tool } from '../support.ts';

type RunTool = Tool<Promise<{ confirmationMessages?: { title: string; message: { value: string } } }>>;
const questionsOf = new Map([
  ['shop', [questionNamed('a'), questionNamed('b', { identity: 'ana' }), questionNamed('c')]],
  ['bank', [questionNamed('d')]],
]);

describe('The tools that run questions', () => {
  let tool: RunTool;
  let check: RunTool;
  let make: (typeof native)['runTools'];
  let editor: Editor;
  let asked: string[];

  beforeEach(async () => {
    [editor, asked] = [new Editor(), []];
    editor.more = {
      MarkdownString: class {
        readonly value: string;
        constructor(value: string) {
          this.value = value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
        }
      },
    };
    ({ runTools: make } = await editor.load<typeof native>('native/runTools'));
    const { services } = pairs({
      connections: { current: { ...sales, dataQueryUrl: '' } },
      connector: {
        connect: (home: { connection: string }, { branch, identity }: QuestionContext, mayAuthor: boolean) => {
          asked.push(`${home.connection} ${branch} ${identity} ${mayAuthor}`);
          return Promise.reject(new Error('no connection'));
        },
      },
      questionFiles: {
        load: () => Promise.resolve(folders.map((folder) => ({ folder, questions: questionsOf.get(folder.name) }))),
        questionsOf: ({ name }: { name: string }) => Promise.resolve(questionsOf.get(name)),
      },
    });
    const tools = make(services) as unknown as Record<'run_question_tests' | 'check_model_change', RunTool>;
    ({ run_question_tests: tool, check_model_change: check } = tools);
  });

  const confirm = async (input: object) => (await tool.prepareInvocation({ input })).confirmationMessages!;
  const invoke = async (input: object): Promise<string> => (await tool.invoke({ input }, token)).text;
  const call = async (input: object): Promise<string> => (await tool.prepareInvocation({ input }), invoke(input));

  it('say where, on which branch, as whom and how many questions they ask, before anything is asked', async () => {
    editor.active = new TextEditor(new TextDocument('/bank/a.sql', ''));
    editor.settings = { 'bank evals.attempts': 1 };
    for (const [input, text] of [
      [
        { folder: 'shop', branch: 'dev' },
        /^Asking 3 questions on dev, at most 9 requests\s+Asked as “me”, “ana”\s+Connection: sales\s*$/,
      ],
      [{ folder: 'shop', names: ['c'] }, /^Asking 1 question on now, at most 3 requests\s+Asked as “me”\s/],
      [{ folder: 'shop', tag: 'ana' }, /^Asking 1 question on now, at most 3 requests\s+Asked as “ana”\s/],
      // That of the active editor.
      [{ names: 1 }, /^Asking 1 question on trunk, at most 1 request\s/],
    ] as const) {
      const { title, message } = await confirm(input);
      assert.equal(title, 'Run question tests?');
      assert.match(message.value, text);
    }
    editor.active = undefined;
    assert.match((await confirm({})).message.value, /^Asking 3 questions on now, /);
    assert.deepEqual(asked, []);
  });

  it('ask what was confirmed, with authoring off, and return the verdicts; what did not pass can be asked again', async () => {
    assert.match(await call({ failed_only: true }), /Omit failed_only/);
    const input = { names: ['b'], branch: 'dev' };
    const text = await call(input);
    assert.match(text, /^No answers graded · 1 error/);
    assert.match(
      text,
      /### errored: b \(shop\/agents\/eval_questions\.yml:2\)\nWhat is b\?\nThe chat service could not be reached/,
    );
    assert.deepEqual([...new Set(asked.splice(0))], ['sales dev ana false']);
    assert.match(await invoke({ names: ['a'] }), /not confirmed/);
    assert.match((await confirm({ failed_only: true })).message.value, /^Asking 1 question .*\s+Asked as “ana”/);
    assert.deepEqual(asked, []);
  });

  it('say why they ask nothing: no such name or folder, an untrusted workspace, or they are turned off', async () => {
    for (const [input, text] of [
      [{ names: ['nothing'] }, 'There is no question with the name “nothing”.'],
      [{ folder: 'shops' }, 'There is no folder “shops” with question tests.'],
    ] as const)
      assert.equal(await call(input), text);
    editor.isTrusted = false;
    for (const each of [tool, check]) {
      assert.deepEqual(await each.prepareInvocation({ input: {} }), {});
      assert.match((await each.invoke({ input: {} }, token)).text, /Restricted Mode/);
    }
    editor.isTrusted = true;
    editor.settings = { agentsPath: 'bi' };
    for (const [without, text] of [
      [{ questionFiles: { load: () => Promise.resolve([]) } }, /There are no questions to ask\. Add some to bi\/eval_/],
      [{ connections: { current: undefined } }, /There is no connection yet/],
    ] as const) {
      const { run_question_tests: other } = make(pairs(without).services) as never as { run_question_tests: RunTool };
      await other.prepareInvocation({ input: {} });
      assert.match((await other.invoke({ input: {} }, token)).text, text);
    }
    editor.settings = { 'tools.enabled': false };
    assert.deepEqual(await tool.prepareInvocation({ input: {} }), {});
    assert.match(await invoke({}), /turned off/);
    assert.deepEqual(asked, []);
  });
});
