/** The API for other extensions, with the sandbox. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { AnalyticsChatApi, ThreadSummary } from '../../src/vscode/native/publicApi.ts';

async function theApi(): Promise<AnalyticsChatApi> {
  const extension = vscode.extensions.getExtension<AnalyticsChatApi>('analytics-chat.analytics-chat');
  assert.ok(extension);
  return extension.activate();
}

describe('the API for other extensions', () => {
  it('answers with text, queries and rows, in a thread of the history', async () => {
    const api = await theApi();
    assert.equal(api.version, 1);
    const seen: ThreadSummary[] = [];
    const listening = api.onDidChangeThread((thread) => seen.push(thread));
    const answer = await api.ask('revenue by month in 2024');
    listening.dispose();
    assert.equal(answer.outcome, 'done');
    assert.notEqual(answer.text, '');
    assert.equal(answer.queries[0]?.rows.length, 12);
    assert.match(answer.queries[0]?.sql ?? '', /MEASURE\(/);
    assert.equal(api.lastSql(answer.threadId), answer.queries.at(-1)?.sql);
    assert.ok(seen.some(({ threadId, status }) => threadId === answer.threadId && status === 'streaming'));
    const kept = (await api.threads()).find(({ threadId }) => threadId === answer.threadId);
    assert.equal(kept?.title, 'revenue by month in 2024');
  });

  it('continues the given thread', async () => {
    const api = await theApi();
    const first = await api.ask('revenue by month in 2024');
    assert.ok(first.chatId);
    const second = await api.ask('and by quarter', { chatId: first.chatId });
    assert.equal(second.threadId, first.threadId);
    assert.notEqual(second.text, first.text);
  });

  it('stops on request, and leaves no untitled thread behind', async () => {
    const api = await theApi();
    const controller = new AbortController();
    const listening = api.onDidChangeThread(({ status }) => {
      if (status === 'streaming') controller.abort();
    });
    const answer = await api.ask('orders by country in 2024', { signal: controller.signal });
    listening.dispose();
    assert.equal(answer.outcome, 'stopped');
    assert.deepEqual(
      (await api.threads()).filter(({ title }) => title === ''),
      [],
    );
  });

  it('asks nothing without a question, or after it was aborted', async () => {
    const api = await theApi();
    await assert.rejects(api.ask('  '));
    assert.equal((await api.ask('never asked', { signal: AbortSignal.abort() })).outcome, 'stopped');
    const titles = (await api.threads()).map(({ title }) => title.trim());
    assert.ok(!titles.includes('never asked') && !titles.includes(''), titles.join(', '));
  });

  it('exposes no secrets', async () => {
    const api = await theApi();
    const members = Object.keys(api).sort();
    assert.deepEqual(members, ['abort', 'ask', 'lastSql', 'onDidChangeThread', 'threads', 'version']);
    assert.equal(JSON.stringify(await api.threads()).includes(process.env['ANALYTICS_CHAT_API_KEY'] ?? '?'), false);
  });
});
