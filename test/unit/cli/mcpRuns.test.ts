/** A scripted coding agent: it edits the data model, pushes, and checks the change over MCP. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { after, afterEach, before, describe, it } from 'mocha';
import type { ToolReport } from '../../../src/evals/report/toolReport.ts';
import { loadModelFiles, type ModelFiles } from '../../sandbox/semantic/branchFiles.ts';
import { until } from '../../support/until.ts';
import { makeDemoRepository, publishDemoRepository } from '../../vscode/demoRepository.ts';
import { copyWorkspace, removeWorkspace } from '../../vscode/workspace.ts';
import { useSandbox } from '../sandbox/support.ts';
import { Cli } from './support.ts';

const BRANCH = 'dev-net-revenue';
const FILE = 'model/cubes/line_items.yml';
const QUESTIONS = 'agents/eval_questions.yml';
/** Of the demo's questions, four that use revenue and two that don't: more than are asked at once. */
const KEPT =
  /name: (?:revenue_by_month|revenue_by_region|revenue_by_category|revenue_in_germany|orders_last|orders_this)_/;

describe('runs over MCP', function () {
  this.timeout(60_000);
  const cli = new Cli();
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const sandbox = useSandbox();
  let workspace: string;
  let models: ReadonlyMap<string, ModelFiles>;
  const git = (...words: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
      cwd: workspace,
      stdio: 'pipe',
    });

  before(async () => {
    models = await loadModelFiles();
    await cli.build();
    workspace = copyWorkspace('model');
    rmSync(join(workspace, 'agents/eval_questions'), { recursive: true });
    const [head, ...questions] = readFileSync(join(workspace, QUESTIONS), 'utf8').split(/^(?= {2}- name)/m);
    writeFileSync(join(workspace, QUESTIONS), [head, ...questions.filter((each) => KEPT.test(each))].join(''));
    assert.ok(makeDemoRepository(workspace, models));
    publishDemoRepository(workspace);
    git('checkout', '--quiet', BRANCH);
    git('reset', '--quiet', '--hard', 'main');
    git('push', '--quiet', '--force');
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        // Started somewhere else, as some clients do.
        args: [cli.file, 'mcp', workspace],
        cwd: cli.folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          ANALYTICS_CHAT_API_URL: sandbox.chatApiUrl,
          ANALYTICS_CHAT_API_KEY: sandbox.apiKey,
          ANALYTICS_CHAT_EXTERNAL_ID: 'agent',
          ANALYTICS_CHAT_DATA_QUERY_URL: sandbox.dataQueryUrl,
        },
      }),
    );
  });
  after(async () => {
    await client.close();
    removeWorkspace(workspace);
    cli.remove();
  });
  afterEach(() => sandbox.faults());

  async function call(
    name: string,
    input: Record<string, unknown> = {},
    onprogress?: (update: { progress: number; message?: string }) => void,
  ): Promise<ToolReport & { text: string; isError: boolean }> {
    const options = { timeout: 50_000, ...(onprogress ? { onprogress } : {}) };
    const { content, structuredContent, isError } = await client.callTool(
      { name, arguments: input },
      undefined,
      options,
    );
    const [first] = content as { text: string }[];
    return { ...(structuredContent as ToolReport), text: first?.text ?? '', isError: isError === true };
  }

  it('show which answers an edit changes, with their rows and its line, and none once it is reverted', async () => {
    const none = await call('check_change');
    assert.deepEqual([none.summary, none.questions], ['The data model has not changed.', []]);

    writeFileSync(join(workspace, FILE), models.get(BRANCH)!.get(FILE.replace('model/', ''))!);
    git('commit', '--quiet', '--all', '--message', 'Revenue without discounts');
    const unpushed = await call('check_change', { as: 'nobody' });
    assert.match(unpushed.text, /There is no identity “nobody”/);
    git('push', '--quiet');
    const messages: string[] = [];
    const found = await call('check_change', {}, ({ message = '' }) => messages.push(message));
    assert.deepEqual(found.warnings, []);
    assert.match(found.summary, /^4 changed · 24 requests/);
    const { question, file, line, changes, rows, verdict, message, sql } = found.questions.find(
      ({ question: each }) => each === 'revenue by month in 2024',
    )!;
    const lineOf = (path: string, pattern: RegExp): number =>
      readFileSync(join(workspace, path), 'utf8')
        .split('\n')
        .findIndex((text) => pattern.test(text)) + 1;
    assert.match(`${verdict}: ${message}`, /^changed: 12 of 12 rows changed, −\d/);
    assert.equal(line, lineOf(file!, new RegExp(`- name: .*${question.replace(/\W+/g, '.')}|${question}`)) - 1);
    assert.deepEqual(changes, [
      { change: 'Changed: line_items.revenue', file: FILE, line: lineOf(FILE, /- name: revenue$/) },
    ]);
    assert.equal(rows!.match(/^- 2024/gm)?.length, 12);
    assert.equal(rows!.match(/^\+ 2024/gm)?.length, 12);
    assert.match(sql!.actual!, /MEASURE/);
    assert.ok(found.text.includes(`- ${FILE}:${changes![0]!.line}: Changed: line_items.revenue`), found.text);
    assert.ok(found.text.includes(rows!));
    // A client drops updates that come together with the result.
    assert.ok(messages.includes('1 of 4 questions asked, 1 changed'), messages.join('\n'));

    git('revert', '--no-edit', 'HEAD');
    git('push', '--quiet');
    const reverted = await call('check_change');
    assert.deepEqual([reverted.text, reverted.questions], ['The data model has not changed.', []]);
  });

  it('warn of a change that is not pushed', async () => {
    const path = join(workspace, FILE);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, models.get(BRANCH)!.get(FILE.replace('model/', ''))!);
    sandbox.faults({ requests: 100, status: 403 });
    const { warnings } = await call('check_change');
    writeFileSync(path, before);
    assert.deepEqual(warnings, [`${FILE} is not committed; the service answers from what is pushed.`]);
  });

  it('grade the questions of the project, all, by name, and those that did not pass', async () => {
    const early = await call('run_questions', { failed_only: true });
    assert.deepEqual([early.isError, /Omit failed_only/.test(early.text)], [true, true]);
    const unknown = await call('run_questions', { names: ['nothing'] });
    assert.match(unknown.text, /^There is no question with the name “nothing”\.$/);
    const paths = [QUESTIONS];
    const all = await call('run_questions', { paths, names: [], branch: BRANCH });
    const failed = all.questions.filter(({ verdict }) => verdict !== 'passed');
    assert.ok(failed.length > 0 && failed.length < all.questions.length, all.text);
    assert.deepEqual(all.questions.slice(0, failed.length), failed, 'first those that did not pass');
    for (const { name, file, line } of failed) assert.ok(all.text.includes(`${name} (${file}:${line})`), all.text);
    const again = await call('run_questions', { paths, branch: BRANCH, failed_only: true });
    assert.deepEqual(
      again.questions.map(({ name }) => name),
      failed.map(({ name }) => name),
    );
    const { questions } = await call('run_questions', { names: [all.questions.at(-1)!.name], branch: BRANCH });
    assert.deepEqual(
      questions.map(({ name, verdict }) => [name, verdict]),
      [[all.questions.at(-1)!.name, 'passed']],
    );
  });

  it('say once that the service does not serve a branch, and wait for it on request', async () => {
    const input = { names: ['revenue_by_month_2024', 'revenue_by_region_2024'] };
    const from = sandbox.requests.length;
    const refused = await call('run_questions', { ...input, branch: 'nowhere' });
    assert.deepEqual(
      [refused.isError, /does not serve the branch “nowhere”.* with wait 10m\.$/.test(refused.text)],
      [true, true],
    );
    assert.equal(sandbox.requests.length - from, 1);
    sandbox.faults({ badBranch: BRANCH });
    const messages: string[] = [];
    const waiting = { ...input, branch: BRANCH, wait: '1m' };
    const { questions } = await call('run_questions', waiting, ({ message = '' }) => messages.push(message));
    assert.equal(questions.length, 2);
    assert.ok(messages.includes(`Waiting until the service serves the branch “${BRANCH}”…`), messages.join('\n'));
  });

  it('stop on the service when the client cancels', async () => {
    sandbox.faults({ requests: 10, pace: 200 });
    const from = sandbox.requests.length;
    const count = (path: string): number =>
      sandbox.requests.slice(from).filter((request) => request.path.endsWith(path)).length;
    const controller = new AbortController();
    const { signal } = controller;
    const calling = client.callTool({ name: 'run_questions', arguments: {} }, undefined, { signal });
    const rejected = assert.rejects(calling);
    await until(() => count('/chat/stream-chat-state') === 4);
    controller.abort();
    await rejected;
    await until(() => count('/chat/abort') === 4);
    assert.equal(count('/chat/stream-chat-state'), 4);
  });
});
