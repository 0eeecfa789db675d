/** Reports: Markdown that escapes all text, and a workflow that GitHub can run. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import type { Problem } from '../../../../src/evals/question.ts';
import { ciWorkflow } from '../../../../src/evals/report/ciWorkflow.ts';
import { markdownReport, reportEntry, type ReportEntry } from '../../../../src/evals/report/markdown.ts';
import { Tally } from '../../../../src/evals/report/summary.ts';
import { VERDICT_STATUSES } from '../../../../src/shared/protocol/verdicts.ts';
import { answering, answerOf, questionNamed } from '../support.ts';
import { table } from '../tables.ts';
import { five, run, six } from '../matrix/support.ts';

async function report(names: string[], actual = table('n:number', [5], [7])) {
  const { summary, verdicts } = await run(
    names.map((name) => questionNamed(name)),
    { ask: answering(actual), runSql: () => Promise.resolve(table('n:number', [5], [6])) },
  );
  const entries = verdicts.map(reportEntry);
  const range = { start: { line: 4, character: 0 }, end: { line: 4, character: 0 } };
  return markdownReport(summary, entries, [{ path: 'agents/x.yml', range, message: 'bad\n<b>' }], 'Questions on dev');
}

describe('Markdown report', () => {
  it('contains accuracy, each question, and the rows and SQL of each failure', async () => {
    const text = await report(['revenue']);
    assert.match(text, /^<!-- .* -->\n## Questions on dev\n\n\*\*0 % \(0\/1\) · 1 request · \d+\.\d s\*\*\n/);
    assert.match(text, /\| ❌ \| revenue \| 1 of 2 rows differs \|/);
    assert.match(text, /```diff\n {2}n\n {2}5\n- 6\n\+ 7\n```/);
    assert.match(text, /```sql\nSELECT revenue\n```[^]+```sql\nSELECT answer\n```/);
    assert.match(text, /^- agents\/x\.yml:5: bad &#60;b&#62;$/m);
  });

  it('has no details of a question that passed', async () => {
    const text = await report(['revenue'], table('n:number', [5], [6]));
    assert.match(text, /100 % \(1\/1\)/);
    assert.doesNotMatch(text, /<details>/);
  });

  it('has the details of a failure without rows, and of rows that differ in most answers', async () => {
    const { summary, verdicts } = await run([questionNamed('revenue')], { ask: () => Promise.resolve(answerOf()) });
    const entry = reportEntry(verdicts[0]!);
    const detailsOf = (each: ReportEntry): string =>
      markdownReport(summary, [each], [], 'x').split('\n\n<details>')[1]!;
    assert.equal(
      detailsOf(entry),
      '<summary>revenue</summary>\n\nWhat is revenue?\n\nThe agent ran no query.\n\nExpected SQL\n\n```sql\nSELECT revenue\n```\n\n</details>\n\n',
    );
    const repeated = { passes: { count: 2, of: 3 } };
    const flaky = detailsOf({
      ...entry,
      ...repeated,
      status: 'flaky',
      rows: { expected: 'n\n1', actual: 'n\n2' },
      sql: {},
    });
    assert.match(
      flaky,
      /\n\nFlaky: 2 of 3 answers passed\. The agent ran no query\.\n\n```diff\n {2}n\n- 1\n\+ 2\n```\n\n<\/details>\n\n$/,
    );
  });

  it('says how many of several answers passed', async () => {
    const { summary, first } = await run([questionNamed('revenue')], { ask: answering(six), times: 3 });
    const text = markdownReport(summary, [reportEntry(first)], [], 'x');
    assert.match(text, /\| ❌ \| revenue \| 0 of 3 answers passed\. 1 of 1 rows differs \|/);
  });

  it('says how often each question was asked on each branch, and which failures are known', async () => {
    const { summary, verdicts } = await run([questionNamed('old'), questionNamed('new')], {
      ask: answering(six),
      onMain: answering(five),
      attempts: 3,
    });
    const [old, fresh] = verdicts.map(reportEntry);
    const text = markdownReport({ ...summary, known: 1 }, [{ ...old!, isKnown: true }, fresh!], [], 'x');
    assert.match(text, /\n\*\*0 % \(0\/2\) · 1 known · /);
    assert.match(text, /\| {2}\| Question \| Result \| Attempts \| Time \|\n/);
    assert.match(text, /\| 📌 \| old \| Known: 0 of 3 answers passed\. 1 of 1 rows differs \| 3 \+ 3 \|/);
    assert.match(text, /\| ❌ \| new \| 0 of 3 answers passed\. 1 of 1 rows differs \| 3 \+ 3 \|/);
  });

  it('has no details of a question that could not be asked', async () => {
    const { summary, verdicts } = await run([questionNamed('a')], { ask: () => Promise.reject(new Error('away')) });
    assert.doesNotMatch(markdownReport(summary, verdicts.map(reportEntry), [], 'x'), /<details>/);
  });

  it('is written from entries with what is known about each question', async () => {
    const { verdicts } = await run([questionNamed('a')], { ask: answering(six), times: 2 });
    const { milliseconds, ...entry } = reportEntry(verdicts[0]!);
    assert.equal(milliseconds, verdicts[0]!.milliseconds);
    assert.deepEqual(entry, {
      ...{ name: 'a', question: 'What is a?', path: 'agents/eval_questions.yml', line: 1 },
      ...{ status: 'failed', message: '1 of 1 rows differs', passes: { count: 0, of: 2 }, attempts: [2] },
      rows: { expected: 'n\n5', actual: 'n\n6' },
      sql: { expected: 'SELECT a', actual: 'SELECT answer' },
      chatId: 'chat',
    });
    const failing = await run([questionNamed('a')], {
      ask: () => Promise.reject(new Error('away')),
      runSql: undefined,
    });
    const { sql, ...rest } = reportEntry(failing.first);
    assert.deepEqual([sql, 'rows' in rest, 'chatId' in rest], [{}, false, false]);
  });

  it('has no SQL of an accepted result that was written without one', async () => {
    const baseline = { name: 'a', path: '', sql: '', columns: five.columns, rows: five.rows };
    const question = questionNamed('a', { expectedSql: undefined, baseline });
    const { first } = await run([question], { ask: answering(six), runSql: undefined });
    assert.deepEqual(reportEntry(first).sql, { actual: 'SELECT answer' });
  });

  it('marks each outcome with its own symbol', () => {
    const statuses = VERDICT_STATUSES;
    const tally = new Tally();
    const entries = statuses.map((status): ReportEntry => {
      tally.add({ status, cells: [] });
      const at = { path: 'agents/x.yml', line: 0, milliseconds: 1, attempts: [1] };
      return { name: status, question: 'Why?', status, message: '', sql: {}, ...at };
    });
    const text = markdownReport(tally.summary(1), entries, [], 'Questions');
    const symbols = statuses.map((status) => new RegExp(`\\| (\\S+) \\| ${status} \\|`).exec(text)?.[1]);
    assert.equal(new Set(symbols).size, statuses.length, symbols.join());
    assert.ok(!symbols.includes(undefined), symbols.join());
  });

  it('shows every name and cell as text, whatever it contains', async () => {
    const odd = [
      '<img src=x onerror=alert(1)>',
      '[a](https://x.example)',
      '`a` **b** | c',
      '@everyone #1',
      '![i](https://x.example/i.png)',
    ];
    const html = new MarkdownIt({ html: true, linkify: true }).render(
      await report(odd, table('n:string', ['```\n<img>'], ['</details>'])),
    );
    assert.doesNotMatch(html, /<img|<a [^>]*>[ai]<|<strong>b/);
    assert.equal(html.match(/<\/details>/g)?.length, odd.length);
  });

  const LIVE = [
    '@octocat',
    '@github/security please look',
    'mail me@example.com',
    '#12',
    'GH-12',
    'microsoft/vscode#12',
    'microsoft/vscode@deadbeef1',
    'deadbeef',
    '0123456789abcdef0123456789abcdef01234567',
    'https://evil.example/a',
    'HTTP://evil.example',
    'ftp://evil.example',
    'www.evil.example',
    '&#64;octocat &commat;octocat',
    'a\n@octocat\r#3',
  ];

  /** @returns what GitHub makes live in the text of a page outside code: its own references, and addresses */
  const liveIn = (markdown: string): string[] => {
    const html = new MarkdownIt({ html: true, linkify: true }).render(markdown);
    const text = html
      .replace(/<(pre|code)\b[^]*?<\/\1>/g, '')
      .replace(/&#(\d+);|&commat;/g, (_, code: string | undefined) => String.fromCodePoint(Number(code ?? 64)));
    const references = /(?<![\w`])@[\w-]|(?<!&)#\d|\bGH-\d|\b[\da-f]{7,40}\b|(?:https?|ftp):\/\/|www\.|<a /gi;
    return text.match(references) ?? [];
  };

  it('mentions nobody and has no live link, wherever a text stands', async () => {
    assert.equal(LIVE.filter((text) => liveIn(text).length > 0).length, LIVE.length, 'the reader sees them all');
    const { summary, first } = await run([questionNamed('q')], { ask: () => Promise.reject(new Error('away')) });
    for (const text of LIVE) {
      const entry: ReportEntry = {
        ...reportEntry(first),
        ...{ name: text, question: text, path: text, message: text, status: 'failed' },
        rows: { expected: text, actual: `x ${text}` },
        sql: { expected: text, actual: text },
      };
      const at = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
      const report = markdownReport(
        summary,
        [entry],
        [{ path: text, range: at, message: text }],
        `Questions on ${text}`,
      );
      assert.deepEqual(liveIn(report), [], text);
    }
  });

  it('has no control, bidirectional or invisible characters of the service', async () => {
    const odd = 'a\u001b[2J\u202eb\u{e0041}\u009bc';
    const text = await report([odd], table('n:string', [odd]));
    assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u{e0041}]/u);
  });

  it('shows the name of a branch in its heading as text', () => {
    const summary = new Tally().summary(1);
    const text = markdownReport(summary, [], [], 'Questions on dev/_a_/@everyone/<img/src=x>');
    const heading = new MarkdownIt({ html: true }).render(text.split('\n')[1]!);
    assert.equal(heading, '<h2>Questions on dev/_a_/@\u200beveryone/&lt;img/src=x&gt;</h2>\n');
    assert.doesNotMatch(text, /@everyone/);
  });

  it('stays within the length limit of a comment and says what was omitted', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => [`${index}`.padEnd(60, 'x')]);
    const text = await report(
      Array.from({ length: 40 }, (_, index) => `q${index}`),
      table('s:string', ...rows),
    );
    assert.ok(text.length < 65_536);
    const omitted = Number(/(\d+) more failures are not shown\.\n$/.exec(text)?.[1]);
    assert.ok(omitted > 0 && omitted < 40, String(omitted));
    assert.equal((text.match(/<details>/g)?.length ?? 0) + omitted, 40);
    const { summary, first } = await run([questionNamed('q')], { ask: answering(six) });
    const entry = { ...reportEntry(first), rows: { expected: '', actual: 'x'.repeat(65_536) } };
    const large = markdownReport(summary, [entry], [], 'x');
    assert.match(large, /\n1 more failure is not shown\.\n$/);
    const broken = { ...reportEntry(first), message: `The query failed: ${'SELECT '.repeat(300)}` };
    const failures = markdownReport(summary, Array<ReportEntry>(50).fill(broken), [], 'x');
    assert.ok(failures.length < 65_536, String(failures.length));
  });

  it('stays within that limit with many errors in the files', () => {
    const at = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const problem = {
      path: 'agents/eval_questions.yml',
      range: at,
      message: 'YAML: Tabs are not allowed as indentation',
    };
    const text = markdownReport(new Tally().summary(1), [], Array<Problem>(2000).fill(problem), 'x');
    assert.ok(text.length < 65_536, String(text.length));
    assert.equal(text.match(/^- agents/gm)?.length, 50);
    assert.match(text, /\n\n1,950 more errors are not shown\.\n$/);
  });

  it('stays within that limit with many questions, and leaves out those that passed first', async () => {
    const { summary, first } = await run([questionNamed('q')], { ask: () => Promise.reject(new Error('away')) });
    const errored = (index: number): ReportEntry => ({ ...reportEntry(first), name: `errored ${index}` });
    const passed = { ...reportEntry(first), status: 'passed', name: 'passed '.repeat(20) } as const;
    const mixed = Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? errored(index) : passed));
    const text = markdownReport(summary, mixed, [], 'x');
    assert.ok(text.length < 65_536);
    assert.equal(text.match(/💥/g)?.length, 500);
    const omitted = Number(/\n\n(\d+) more questions are not shown\.\n/.exec(text)?.[1]);
    assert.equal(omitted, 500 - (text.match(/✅/g)?.length ?? 0));
    assert.ok(text.indexOf('passed') < text.indexOf('errored 998'));
  });
});

describe('CI workflow', () => {
  const workflow = parse(ciWorkflow('1.2.3', 'abc  analytics-chat-1.2.3.tgz', 'trunk')) as {
    on: { push: { branches: string[]; paths: string[] } };
    permissions: Record<string, string>;
    jobs: { questions: { steps: { uses?: string; run?: string; env?: Record<string, string> }[] } };
  };
  const { steps } = workflow.jobs.questions;

  it('runs on pull requests and on the main branch, with minimal permissions and actions pinned to a commit', () => {
    assert.deepEqual(Object.keys(workflow.on), ['push', 'pull_request']);
    assert.deepEqual(workflow.on.push.branches, ['trunk']);
    assert.deepEqual(workflow.permissions, { actions: 'read', contents: 'read', 'pull-requests': 'write' });
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    assert.ok(actions.length >= 2);
    for (const action of actions) assert.match(action, /^actions\/[\w-]+@[0-9a-f]{40}$/);
  });

  it('runs the questions of this version, and uses no text of the pull request in scripts', () => {
    const scripts = steps.flatMap(({ run }) => run ?? []);
    assert.match(scripts.join('\n'), /npm pack analytics-chat@1\.2\.3 --ignore-scripts\n/);
    assert.match(scripts.join('\n'), /analytics-chat eval --branch "\$BRANCH" --wait 10m --junit \S+ --markdown \S+/);
    for (const script of scripts) assert.doesNotMatch(script, /\$\{\{/);
  });

  it('runs when the platform’s files change, in the folder that the user sets', () => {
    const moved = parse(ciWorkflow('1.2.3', '', 'main', 'bi/agents')) as typeof workflow;
    assert.ok(moved.on.push.paths.includes('bi/agents/**'));
    const env = moved.jobs.questions.steps.map((step) => step.env?.['ANALYTICS_CHAT_AGENTS_PATH']);
    assert.ok(env.includes('bi/agents'));
  });

  it('passes the last run of the main branch, if there is one', () => {
    const script = steps.find(({ run }) => run?.startsWith('analytics-chat eval'))?.run ?? assert.fail();
    const argumentsWith = (KNOWN: string): string =>
      spawnSync('bash', ['-c', script.replace('analytics-chat', 'printf "<%s>"')], {
        env: { ...process.env, BRANCH: 'my branch', KNOWN },
        encoding: 'utf8',
      }).stdout;
    const all =
      '<eval><--branch><my branch><--wait><10m><--junit><questions.xml><--markdown><questions.md><--json><questions.json>';
    assert.equal(argumentsWith(''), all);
    assert.equal(argumentsWith('main run/q.json'), `${all}<--known><main run/q.json>`);
  });

  const hasJq = spawnSync('jq', ['--version']).status === 0;
  (hasJq ? describe : describe.skip)('on a pull request', () => {
    const bot = { login: 'github-actions[bot]' };
    const report = markdownReport(new Tally().summary(1), [], [], 'Questions on dev');
    const posted = (id: number, body: string, user = bot) => ({ id, body, user });

    /** Runs the step that posts the report, with a stub of `gh`. @returns the calls that write */
    function postWith(...comments: ReturnType<typeof posted>[]): string[] {
      const folder = mkdtempSync(join(tmpdir(), 'post-'));
      try {
        writeFileSync(join(folder, 'comments.json'), JSON.stringify(comments));
        const stub = `#!/bin/sh
case "$*" in
  *--paginate*) jq -r "$5" "$STUB/comments.json" ;;
  *) echo "$*" >> "$STUB/calls" ;;
esac`;
        writeFileSync(join(folder, 'gh'), stub, { mode: 0o755 });
        const { run: script = '', env } = steps.find(({ run: each }) => each?.includes('gh pr comment')) ?? {};
        const all = { ...process.env, ...env, STUB: folder, PATH: `${folder}:${process.env.PATH}` };
        const { status, stderr } = spawnSync('bash', ['-e', '-c', script], {
          env: { ...all, PULL_REQUEST: '7', GITHUB_REPOSITORY: 'o/r' },
          encoding: 'utf8',
        });
        assert.equal(status, 0, stderr);
        return readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
      } finally {
        rmSync(folder, { recursive: true });
      }
    }

    const trunk = { id: 12, head_branch: 'trunk', repository_id: 1, head_repository_id: 1 };

    /** Runs the step that gets the last run of the main branch. @returns what it downloads, and the later variables */
    function lastRun(artifacts: object[], downloads = true): { downloaded: string; variables: string } {
      const folder = mkdtempSync(join(tmpdir(), 'last-run-'));
      try {
        writeFileSync(join(folder, 'artifacts.json'), JSON.stringify({ artifacts }));
        for (const name of ['calls', 'variables']) writeFileSync(join(folder, name), '');
        const stub = `#!/bin/sh
case "$1" in
  api) jq -r "$4" "$STUB/artifacts.json" ;;
  *) echo "$*" >> "$STUB/calls"; exit ${downloads ? 0 : 1} ;;
esac`;
        writeFileSync(join(folder, 'gh'), stub, { mode: 0o755 });
        const { run: script = '', env } = steps.find(({ run: each }) => each?.includes('gh run download')) ?? {};
        const { status, stderr } = spawnSync('bash', ['-e', '-c', script], {
          env: {
            ...{ ...process.env, ...env, STUB: folder, PATH: `${folder}:${process.env.PATH}` },
            ...{ GITHUB_REPOSITORY: 'o/r', GITHUB_ENV: join(folder, 'variables') },
          },
          encoding: 'utf8',
        });
        assert.equal(status, 0, stderr);
        const read = (name: string): string => readFileSync(join(folder, name), 'utf8').trimEnd();
        return { downloaded: read('calls'), variables: read('variables') };
      } finally {
        rmSync(folder, { recursive: true });
      }
    }

    it('gets the last run of the main branch, not that of a fork or of another branch', () => {
      const runs = [
        { ...trunk, id: 14, head_repository_id: 2 },
        { ...trunk, id: 13, head_branch: 'dev' },
        trunk,
        { ...trunk, id: 11 },
      ];
      const { downloaded, variables } = lastRun(runs.map((run) => ({ workflow_run: run })));
      assert.equal(downloaded, 'run download 12 --repo o/r --name analytics-questions-main --dir main-run');
      assert.equal(variables, 'KNOWN=main-run/questions.json');
    });

    it('knows no failures before the main branch ran, or when its run has expired', () => {
      assert.deepEqual(lastRun([]), { downloaded: '', variables: '' });
      assert.equal(lastRun([{ workflow_run: trunk }], false).variables, '');
    });

    it('updates its own comment, not the newest one of another workflow or a copy by somebody else', () => {
      const comments = [
        posted(1, report),
        posted(2, '## Coverage'),
        posted(3, `> ${report}`),
        posted(4, report, { login: 'someone' }),
      ];
      assert.deepEqual(postWith(...comments), [
        'api --method PATCH repos/o/r/issues/comments/1 --field body=@questions.md --silent',
      ]);
    });

    it('adds a comment if it has none', () => {
      assert.deepEqual(postWith(posted(2, '## Coverage')), ['pr comment 7 --body-file questions.md']);
    });
  });
});
