import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as native from '../../../../src/vscode/native/tools.ts';
import { answering, chatOn, final, services as localServices } from '../service.ts';
import { Editor, pairs, redact, token, type ServiceStubs, type Tool } from '../support.ts';

interface Prepared {
  invocationMessage: string;
  confirmationMessages?: { message: { value: string } };
}

const members = ['revenue', 'costs'].map((name) => ({ name: `orders.${name}`, type: 'measure' }));
const definitions = [{ name: 'orders', members }];
const query = 'revenue';

describe('The tools', () => {
  const { start, closeAll } = localServices();
  afterEach(closeAll);
  let editor: Editor;
  let tools: typeof native;
  beforeEach(async () => {
    editor = new Editor();
    tools = await editor.load<typeof native>('native/tools');
  });
  let logged: string[];
  const toolsOf = (stubs: ServiceStubs) => {
    const { services, done } = pairs(stubs);
    logged = done;
    return tools.toolsOf(services) as unknown as Record<string, Tool<Prepared>>;
  };

  describe('that ask', () => {
    /** The connection of the chat of the answer. */
    let home: string;
    let added: number;

    /** @returns a function that asks a service which answers with these lines */
    async function asking(...lines: object[]) {
      [home, added] = ['sales', 0];
      const service = await start(answering(...lines));
      const { sessions } = chatOn({ url: service.url });
      const pinned: unknown[] = [];
      const pin = (id: string, to: unknown) => pinned.push([id, to]);
      const connectionOf = () => ({ name: home });
      const add = () => ((added += 1), sessions.add());
      const tool = toolsOf({ sessions: { ...sessions, add, pin, connectionOf } })['ask_analytics_agent']!;
      const ask = async (input: object = { question: ' how many? ' }) => (await tool.invoke({ input }, token)).text;
      return { ask, asked: service.asked, pinned };
    }

    it('say on which branch and as whom the agent was asked, without secrets, and why there is no whole answer', async () => {
      const failure = { error: 'The warehouse is gone' };
      const abort = { id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'stopped' };
      const where = '\n\nAsked on branch main as dev\nchatId: c1';
      const gone =
        'The analytics agent could not answer: The agent couldn’t finish the answer. The service said: “The warehouse is gone”';
      for (const [lines, text] of [
        [[final('Twelve, say the-key and other-key.', 2)], redact('Twelve, say the-key and other-key.')],
        [[], 'The agent returned no answer.'],
        [[abort], 'The answer was stopped.'],
        [[failure], gone],
        [[final('A part.', 2), failure], `${gone}\n\nA part.`],
      ] as const)
        assert.equal(await (await asking(...lines)).ask(), `${text}${where}`);
      assert.equal(await (await asking()).ask({ question: ' ' }), 'The input needs a question.');
    });

    it('continue a conversation, but none of another connection than the one that was confirmed', async () => {
      const { ask, asked } = await asking(final('Twelve.', 2));
      await ask();
      await ask({ question: 'and in Europe?', chatId: 'c1' });
      home = 'finance';
      const refused = await ask({ question: 'and in Asia?', chatId: 'c1' });
      assert.equal(refused, 'This chat belongs to another connection. Switch to it, then ask again.');
      assert.deepEqual(
        asked.map(({ body }) => [body['input'], body['chatId']]),
        [
          ['how many?', undefined],
          ['and in Europe?', 'c1'],
        ],
      );
      assert.equal(added, 1);
    });

    it('ask on the branch of the call, or else on the current one, as the current identity, as was confirmed', async () => {
      const { ask, pinned } = await asking(final('Twelve.', 2));
      const tool = toolsOf({})['ask_analytics_agent']!;
      for (const [branch, name] of [
        [undefined, 'now'],
        ['dev', 'dev'],
        ['main', 'main'],
      ] as const) {
        const input = { question: 'why?', branch };
        const { invocationMessage, confirmationMessages } = tool.prepareInvocation({ input });
        const { message } = confirmationMessages!;
        assert.equal(invocationMessage, 'Asking the analytics agent');
        assert.match(message.value, new RegExp(`on branch “${name}” as “me”\\s+why`));
        await ask(input);
        assert.deepEqual(pinned.splice(0), [
          ['t', { branch: name, isDefaultBranch: name === 'main', identity: 'me' }],
          ['t', undefined],
        ]);
      }
    });
  });

  describe('that search', () => {
    let asked: string[];
    let known: object[];
    let tool: Tool<Prepared>;
    beforeEach(() => {
      [asked, known] = [[], []];
      const fail = (): never => {
        asked.push('agent');
        throw new Error('asked with the-key');
      };
      tool = toolsOf({
        members: {
          get definitions() {
            return known;
          },
        },
        sessions: { add: fail },
      })['search_data_model']!;
    });
    /** Confirms a search; if it needs no confirmation, it has none. */
    const prepare = (input: object = { query }) => tool.prepareInvocation({ input }).confirmationMessages;
    const invoke = async (input: object = { query }): Promise<string> => (await tool.invoke({ input }, token)).text;

    it('do nothing if they are turned off, or without a query', async () => {
      assert.equal(await invoke({ query: ' ' }), 'The input needs a query.');
      editor.settings = { 'tools.enabled': false };
      prepare();
      for (known of [definitions, []]) assert.match(await invoke(), /turned off/);
      assert.deepEqual(asked, []);
    });

    it('answer from known members without confirmation or a request, and ask nothing if these vanish', async () => {
      known = definitions;
      assert.deepEqual(tool.prepareInvocation({ input: { query } }), { invocationMessage: 'Searching the data model' });
      const found = await invoke();
      assert.match(found, /orders\.revenue/);
      assert.doesNotMatch(found, /orders\.costs/);
      known = [];
      assert.match(await invoke(), /Search again/);
      assert.deepEqual(asked, []);
    });

    it('send only what was confirmed, without secrets in what they return', async () => {
      assert.match(prepare()!.message.value, /on branch “now” as “me”\s+Which measures and dimensions .*revenue/);
      assert.match(await invoke({ query: 'customers' }), /Search again/);
      assert.deepEqual(asked, []);
      assert.equal(await invoke(), 'The tool failed: asked with [redacted]');
      assert.match(logged.join(), /^A tool failed\. Error: asked/);
      // The next call needs no confirmation, as its members are known, until they are not.
      known = definitions;
      prepare();
      known = [];
      await invoke();
      assert.equal(asked.length, 1);
    });
  });
});
