/** The tools that run questions, with a stub of the editor; their asking fails, which shows who was asked. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { Uri } from '../../../support/editorValues.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { questionNamed } from '../../evals/support.ts';

interface Tool {
  prepareInvocation(call: object): Promise<{ confirmationMessages?: { title: string; message: { value: string } } }>;
  invoke(call: object, token: object): Promise<{ text: string }>;
}
type RunTools = (services: object) => { run_question_tests: Tool; check_model_change: Tool };

const token = { onCancellationRequested: () => ({ dispose: () => undefined }) };
const folder = { uri: Uri.file('/shop'), name: 'shop' };

describe('The tools that run questions', () => {
  let tool: Tool;
  let check: Tool;
  let isTrusted: boolean;
  let isEnabled: boolean;
  let asked: string[];
  const questions = [questionNamed('a'), questionNamed('b', { identity: 'europe' }), questionNamed('c')];

  beforeEach(async () => {
    [isTrusted, isEnabled, asked] = [true, true, []];
    const editor = {
      MarkdownString: class {
        readonly value: string;
        constructor(value: string) {
          this.value = value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
        }
      },
      window: {},
      workspace: {
        get isTrusted() {
          return isTrusted;
        },
        asRelativePath: ({ path }: Uri) => path.slice('/shop/'.length),
        getConfiguration: () => ({
          get: () => undefined,
          inspect: () => ({ globalValue: isEnabled }),
        }),
      },
    };
    const { runTools } = await loadWithEditor<{ runTools: RunTools }>('vscode/native/runTools.ts', editor);
    const connect = (
      _home: unknown,
      { branch, identity }: { branch: string; identity: string },
      mayAuthor: boolean,
    ) => {
      asked.push(`${branch} ${identity} ${mayAuthor}`);
      return Promise.reject(new Error('no connection'));
    };
    ({ run_question_tests: tool, check_model_change: check } = runTools({
      branches: { mainOf: () => 'main', currentIn: () => ({ name: '', isDefault: true }) },
      connections: { current: { name: '', chatApiUrl: 'https://agent.example/chat' }, several: false },
      connector: { connect },
      identities: { current: 'Ana' },
      log: { error: () => undefined, redactDocument: (text: string) => text },
      questionFiles: {
        load: () => Promise.resolve([{ folder, questions }]),
        questionsOf: () => Promise.resolve(questions),
      },
    }));
  });

  const called = async (input: object): Promise<string> => {
    await tool.prepareInvocation({ input });
    return (await tool.invoke({ input }, token)).text;
  };

  it('say on which branch, as whom and how many questions they ask, before anything is asked', async () => {
    const confirm = async (input: object) => (await tool.prepareInvocation({ input })).confirmationMessages!;
    const { title, message } = await confirm({ branch: 'dev' });
    assert.equal(title, 'Run question tests?');
    assert.match(message.value, /^Asking 3 questions on dev, at most 9 requests\s+Asked as “Ana”, “europe”\s*$/);
    assert.match(
      (await confirm({ names: ['c'] })).message.value,
      /^Asking 1 question on main, at most 3 requests\s+Asked as “Ana”/,
    );
    assert.deepEqual(asked, []);
  });

  it('ask what was confirmed, with authoring off, and return the verdicts', async () => {
    const text = await called({ names: ['b'], branch: 'dev' });
    assert.match(text, /^No answers graded · 1 error/);
    assert.match(
      text,
      /### errored: b \(agents\/eval_questions\.yml:2\)\nWhat is b\?\nThe chat service could not be reached/,
    );
    assert.deepEqual([...new Set(asked)], ['dev europe false']);
    asked = [];
    assert.match((await tool.invoke({ input: { names: ['b'], branch: 'dev' } }, token)).text, /not confirmed/);
    assert.deepEqual(asked, []);
  });

  it('ask again only what did not pass', async () => {
    assert.match(await called({ failed_only: true }), /Omit failed_only/);
    await called({ names: ['a'] });
    const { confirmationMessages } = await tool.prepareInvocation({ input: { failed_only: true } });
    assert.match(confirmationMessages!.message.value, /^Asking 1 question /);
  });

  it('say that a name is unknown, and ask nothing', async () => {
    assert.equal(await called({ names: ['nothing'] }), 'There is no question with the name “nothing”.');
    assert.deepEqual(asked, []);
  });

  it('ask in the named folder, and in no other if there is none of that name', async () => {
    const { confirmationMessages } = await tool.prepareInvocation({ input: { folder: 'shop' } });
    assert.match(confirmationMessages!.message.value, /^Asking 3 questions /);
    assert.equal(await called({ folder: 'shops' }), 'There is no folder “shops” with question tests.');
    assert.deepEqual(asked, []);
  });

  it('ask nothing in an untrusted workspace, or if they are turned off', async () => {
    isTrusted = false;
    const input = {};
    for (const each of [tool, check]) {
      assert.deepEqual(await each.prepareInvocation({ input }), {});
      assert.match((await each.invoke({ input }, token)).text, /Restricted Mode/);
    }
    isTrusted = true;
    isEnabled = false;
    assert.match(await called({}), /turned off/);
    assert.deepEqual(asked, []);
  });
});
