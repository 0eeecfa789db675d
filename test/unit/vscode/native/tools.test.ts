import assert from 'node:assert/strict';
import { afterEach, beforeEach, before, describe, it } from 'mocha';
import type { ModelDefinition } from '../../../../src/shared/wire/toolPayloads.ts';
import { loadWithEditor } from '../../../support/withEditor.ts';
import { reply, services } from '../../api/support/service.ts';
import { cutoff, echo, final, state } from '../../chat/support/answers.ts';
import { open } from '../../chat/support/sessions.ts';

interface Prepared {
  confirmationMessages?: unknown;
}
interface Tool {
  prepareInvocation(options: object): Prepared;
  invoke(options: object, token: object): Promise<{ text: string }>;
}
type ToolsOf = (app: object) => { ask_analytics_agent: Tool; search_data_model: Tool };

const orders = {
  name: 'orders',
  members: [{ name: 'orders.revenue', type: 'measure' }],
} as unknown as ModelDefinition;
const token = { onCancellationRequested: () => ({ dispose: () => undefined }) };
const input = { query: 'revenue' };

describe('The tools', () => {
  const { start, closeAll } = services();
  afterEach(closeAll);
  let toolsOf: ToolsOf;
  let tool: Tool;
  let asked: number;
  let isEnabled: boolean;
  /** Name of the connection of the chat. */
  let home: string;
  const members: { definitions: ModelDefinition[] } = { definitions: [] };
  const redact = (text: string): string => text.replace('the-key', '[redacted]');
  const app = {
    members,
    branches: {
      ...{ label: 'main', main: 'main', current: { name: '', isDefault: true } },
      contextOn: (branch: string) => ({ branch, isDefaultBranch: branch === 'main' }),
    },
    identities: { current: 'Ana' },
    connections: { current: { name: 'Sales' }, several: false },
    log: { error: () => undefined, redact, redactDocument: redact },
  };

  before(async () => {
    ({ toolsOf } = await loadWithEditor<{ toolsOf: ToolsOf }>('vscode/native/tools.ts', {
      workspace: {
        getConfiguration: () => ({ inspect: () => ({ defaultValue: isEnabled }), get: () => isEnabled }),
      },
    }));
  });
  beforeEach(() => {
    home = 'Sales';
    asked = 0;
    isEnabled = true;
    members.definitions = [];
    tool = toolsOf({
      ...app,
      sessions: {
        add: () => {
          asked += 1;
          throw new Error('the agent was asked with the-key');
        },
      },
    }).search_data_model;
  });

  const asking = async (...lines: object[]) => {
    const service = await start((request) => reply(request, cutoff(), echo(request), ...lines, state));
    const { session } = open({ url: service.url });
    const onDidChange = () => ({ dispose: () => undefined });
    const pinned: unknown[] = [];
    const pin = (id: string, to: unknown) => pinned.push([id, to]);
    const connectionOf = () => ({ name: home });
    const sessions = { all: [session], add: () => session, onDidChange, pin, connectionOf };
    const repository = { isReadOnly: () => false };
    const { ask_analytics_agent } = toolsOf({ ...app, repository, sessions, history: () => Promise.resolve({}) });
    const ask = async (input: object = { question: 'how many?' }) =>
      (await ask_analytics_agent.invoke({ input }, token)).text;
    return { ask, asked: service.asked, pinned };
  };

  it('say on which branch and as whom the agent was asked, without secrets', async () => {
    const { ask } = await asking(final('Twelve, says the-key.', 2));
    assert.equal(await ask(), 'Twelve, says [redacted].\n\nAsked on branch main as dev\nchatId: c1');
  });

  it('continue a conversation', async () => {
    const { ask, asked: requests } = await asking(final('Twelve.', 2));
    await ask();
    await ask({ question: 'and in Europe?', chatId: 'c1' });
    assert.deepEqual(
      requests.map(({ body }) => [body['input'], body['chatId']]),
      [
        ['how many?', undefined],
        ['and in Europe?', 'c1'],
      ],
    );
  });

  it('ask nothing in a chat of another connection than the one that was confirmed', async () => {
    const { ask, asked: requests } = await asking(final('Twelve.', 2));
    await ask();
    home = 'Finance';
    const answer = await ask({ question: 'and in Europe?', chatId: 'c1' });
    assert.equal(answer, 'This chat belongs to another connection. Switch to it, then ask again.');
    assert.equal(requests.length, 1);
  });

  it('ask on the branch of the call, or else on the current one, as the current identity', async () => {
    const { ask, pinned } = await asking(final('Twelve.', 2));
    await ask();
    await ask({ question: 'how many?', branch: 'dev' });
    const identity = 'Ana';
    assert.deepEqual(pinned, [
      ['t', { branch: '', isDefaultBranch: true, identity }],
      ['t', undefined],
      ['t', { branch: 'dev', isDefaultBranch: false, identity }],
      ['t', undefined],
    ]);
  });

  it('say that there is no answer', async () => {
    assert.equal(
      await (await asking()).ask(),
      'The agent returned no answer.\n\nAsked on branch main as dev\nchatId: c1',
    );
  });

  it('name the branch and the identity before the question is confirmed', () => {
    const { ask_analytics_agent } = toolsOf(app);
    const confirm = (input: object) =>
      (ask_analytics_agent.prepareInvocation({ input }).confirmationMessages as { message: { value: string } }).message;
    assert.match(confirm({ question: 'why?' }).value, /on branch “main” as “Ana”/);
    assert.match(confirm({ question: 'why?', branch: 'dev' }).value, /on branch “dev” as “Ana”/);
  });

  it('do nothing if they are turned off', async () => {
    isEnabled = false;
    members.definitions = [orders];
    assert.match((await tool.invoke({ input }, token)).text, /turned off/);
    tool.prepareInvocation({ input: { query: 'customers' } });
    assert.match((await tool.invoke({ input: { query: 'customers' } }, token)).text, /turned off/);
    assert.equal(asked, 0);
  });

  it('answer a search from known members without confirmation or a request', async () => {
    members.definitions = [orders];
    assert.equal(tool.prepareInvocation({ input }).confirmationMessages, undefined);
    assert.match((await tool.invoke({ input }, token)).text, /orders\.revenue/);
    assert.equal(asked, 0);
  });

  it('send no request if known members vanish between preparation and call', async () => {
    members.definitions = [orders];
    assert.equal(tool.prepareInvocation({ input }).confirmationMessages, undefined);
    members.definitions = [];
    assert.match((await tool.invoke({ input }, token)).text, /Search again/);
    assert.equal(asked, 0);
  });

  it('send one request for each confirmation, and only what was confirmed', async () => {
    assert.ok(tool.prepareInvocation({ input }).confirmationMessages);
    await tool.invoke({ input: { query: 'customers' } }, token);
    assert.equal(asked, 0);
    assert.equal((await tool.invoke({ input }, token)).text, 'The tool failed: the agent was asked with [redacted]');
    await tool.invoke({ input }, token);
    assert.equal(asked, 1);
  });

  it('ask the agent for each of two equal calls that were confirmed at once', async () => {
    tool.prepareInvocation({ input });
    tool.prepareInvocation({ input });
    await Promise.all([tool.invoke({ input }, token), tool.invoke({ input }, token)]);
    assert.equal(asked, 2);
  });

  it('forget a confirmed call that never came when the members are known at the next one', async () => {
    tool.prepareInvocation({ input });
    members.definitions = [orders];
    tool.prepareInvocation({ input });
    members.definitions = [];
    await tool.invoke({ input }, token);
    assert.equal(asked, 0);
  });
});
