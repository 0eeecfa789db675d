import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type * as native from '../../../../src/vscode/native/tools.ts';
import { cutoff, echo, final, open, reply, services as localServices, state } from '../service.ts';
import { Disposable, Editor, pairs, redact, type ServiceStubs } from '../support.ts';

interface Tool {
  prepareInvocation(call: object): { invocationMessage: string; confirmationMessages?: { message: { value: string } } };
  invoke(call: object, token: object): Promise<{ text: string }>;
}

const members = ['revenue', 'costs'].map((name) => ({ name: `orders.${name}`, type: 'measure' }));
const definitions = [{ name: 'orders', members }];
const token = { onCancellationRequested: () => new Disposable(() => undefined) };
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
    return tools.toolsOf(services) as unknown as Record<string, Tool>;
  };

  describe('that ask', () => {
    /** The connection of the chat of the answer. */
    let home: string;

    /** @returns a function that asks a service which answers with these lines */
    async function asking(...lines: object[]) {
      home = 'sales';
      const service = await start((request) => reply(request, cutoff(), echo(request), ...lines, state));
      const { session } = open({ url: service.url });
      const pinned: unknown[] = [];
      const sessions = {
        ...{ all: [pairs().second, session], add: () => session },
        ...{ pin: (id: string, to: unknown) => pinned.push([id, to]), connectionOf: () => ({ name: home }) },
      };
      const tool = toolsOf({ sessions, history: () => Promise.resolve({}) })['ask_analytics_agent']!;
      const ask = async (input: object = { question: ' how many? ' }) => (await tool.invoke({ input }, token)).text;
      return { ask, asked: service.asked, pinned };
    }

    it('say on which branch and as whom the agent was asked, without secrets, also if there is no answer', async () => {
      const where = '\n\nAsked on branch main as dev\nchatId: c1';
      const { ask } = await asking(final('Twelve, say the-key and other-key.', 2));
      assert.equal(await ask(), `${redact('Twelve, say the-key and other-key.')}${where}`);
      assert.equal(await (await asking()).ask(), `The agent returned no answer.${where}`);
      assert.equal(await ask({ question: ' ' }), 'The input needs a question.');
    });

    it('say why the agent gave no answer, or only a part', async () => {
      const failure = { error: 'The warehouse is gone' };
      const abort = { id: '__aborted__', type: 'abort', code: 'chat_aborted', error: 'stopped' };
      for (const [lines, text] of [
        [[abort], /^The answer was stopped\.\n\nAsked on/],
        [[failure], /^The analytics agent could not answer: .*warehouse is gone.*\n\nAsked on/],
        [[final('A part.', 2), failure], /^The analytics agent could not answer: .*gone.*\n\nA part\.\n\nAsked on/],
      ] as const)
        assert.match(await (await asking(...lines)).ask(), text);
    });

    it('continue a conversation, but none of another connection than the one that was confirmed', async () => {
      const { ask, asked } = await asking(final('Twelve.', 2));
      await ask();
      await ask({ question: 'and in Europe?', chatId: 'c1' });
      home = 'finance';
      const answer = await ask({ question: 'and in Asia?', chatId: 'c1' });
      assert.equal(answer, 'This chat belongs to another connection. Switch to it, then ask again.');
      assert.deepEqual(
        asked.map(({ body }) => [body['input'], body['chatId']]),
        [
          ['how many?', undefined],
          ['and in Europe?', 'c1'],
        ],
      );
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
    let tool: Tool;
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
