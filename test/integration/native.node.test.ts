/** The extension in VS Code's own chat and as tools of language models, through VS Code's APIs. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { skipUnlessCi } from '../support/skipUnlessCi.ts';
import { until } from '../support/until.ts';
import type { AnalyticsChatApi, ThreadSummary } from '../../src/vscode/native/publicApi.ts';

async function threads(): Promise<readonly ThreadSummary[]> {
  const api = await vscode.extensions.getExtension<AnalyticsChatApi>('analytics-chat.analytics-chat')?.activate();
  assert.ok(api);
  return api.threads();
}

async function toolSays(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

const setting = (name: string, value: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration('analyticsChat').update(name, value, vscode.ConfigurationTarget.Global);

describe('language-model tools', () => {
  after(() => setting('tools.enabled', undefined));

  it('are listed with the descriptions that a model needs', () => {
    for (const name of ['ask_analytics_agent', 'search_data_model', 'run_question_tests', 'check_model_change']) {
      const tool = vscode.lm.tools.find((each) => each.name === name);
      assert.ok(tool?.description && tool.inputSchema, name);
    }
  });

  it('answer a question with SQL and rows', async () => {
    const text = await toolSays('ask_analytics_agent', { question: 'revenue by month in 2024' });
    assert.match(text, /```sql\nSELECT[\s\S]+MEASURE\(/);
    assert.match(text, /\| --- \|/);
    const lines = text.split('\n').filter((line) => line.startsWith('| 2024-'));
    assert.equal(lines.length, 12, text);
  });

  it('ask on the given branch, and return a message if it does not exist', async () => {
    const text = await toolSays('ask_analytics_agent', { question: 'revenue in 2024', branch: 'no-such-branch' });
    assert.match(text, /branch/i);
    assert.doesNotMatch(text, /\bat \w+.*:\d+:\d+/);
  });

  it('find members of the model by topic', async () => {
    assert.match(await toolSays('search_data_model', { query: 'revenue' }), /`\w+\.\w*revenue/);
  });

  it('return no data when they are turned off', async () => {
    await setting('tools.enabled', false);
    const text = await toolSays('search_data_model', { query: 'revenue' }).catch(String);
    assert.doesNotMatch(text, /`\w+\.\w*revenue/);
  });
});

describe('the chat participant', function () {
  this.timeout(90_000);

  interface Answered {
    metadata?: { threadId?: string };
    errorDetails?: { message: string };
  }
  const say = (query: string): Thenable<Answered | undefined> =>
    vscode.commands.executeCommand('workbench.action.chat.open', { query, blockOnResponse: true });

  before(async function () {
    const models = vscode.extensions.getExtension('analytics-chat-test.model-provider');
    // VS Code calls no participant if there is no language model.
    if (models === undefined) return skipUnlessCi(this, 'there is no language model');
    await models.activate();
    // The chat detects the model with a delay; until then it rejects requests.
    for (let tries = 0; tries < 50; tries += 1)
      if ((await say('@analytics /branch main'))?.errorDetails === undefined) return;
    assert.fail('the chat has not taken up the language model');
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar'));

  it('answers in a thread of the history, and continues it', async () => {
    const first = await say('@analytics orders by country in 2024');
    const threadId = first?.metadata?.threadId;
    assert.ok(threadId, JSON.stringify(first));
    const title = (await threads()).find((thread) => thread.threadId === threadId)?.title;
    assert.equal(title, 'orders by country in 2024');
    const second = await say('@analytics and by month');
    assert.equal(second?.metadata?.threadId, threadId);
  });

  it('starts a new thread on request', async () => {
    const before = await say('@analytics revenue in 2024');
    const fresh = await say('@analytics /new revenue by month in 2024');
    assert.ok(fresh?.metadata?.threadId);
    assert.notEqual(fresh.metadata.threadId, before?.metadata?.threadId);
  });

  it('switches the branch, and keeps the thread', async () => {
    const before = await say('@analytics revenue in 2024');
    const switched = await say('@analytics /branch dev-margin');
    assert.equal(switched?.metadata?.threadId, before?.metadata?.threadId);
    await say('@analytics /branch main');
  });

  it('leaves no untitled thread in the history', async () => {
    assert.deepEqual(
      (await threads()).filter(({ title }) => title === ''),
      [],
    );
  });

  it('can call the tools, and a check runs only after the user has confirmed it', async () => {
    const { exports } = vscode.extensions.getExtension<readonly string[]>('analytics-chat-test.model-provider')!;
    const called = async (decision: 'accept' | 'skip'): Promise<string> => {
      const { length } = exports;
      // Resolves when the call waits for its confirmation.
      const waiting = await say('@caller check_model_change {}');
      assert.equal(exports.length, length, JSON.stringify(waiting));
      await vscode.commands.executeCommand(`workbench.action.chat.${decision}Tool`);
      return until(() => exports[length]);
    };
    assert.doesNotMatch(await called('skip'), /changed/);
    const text = await called('accept');
    assert.match(text, /^\d+ changed/);
    assert.match(text, /^- model\/cubes\/\w+\.yml:\d+: /m);
  });
});
