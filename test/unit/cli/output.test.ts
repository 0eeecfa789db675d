/** What the command line writes, whatever the service sends: no commands to CI runners, no lost characters. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { askProgress, Output, runProgress } from '../../../src/cli/output.ts';
import { scriptedService, type ScriptedService } from '../../support/service/scriptedService.ts';
import { Written } from '../../support/service/writtenService.ts';
import { repoRoot } from '../../vscode/paths.ts';
import { Cli } from './support.ts';

/** White space of .NET's `TrimStart`, which the runner calls on each line. */
const BLANK = /^[\t\n\v\f\r\u0085\p{Zs}\u2028\u2029]+/u;

/** @returns the lines that the runner of GitHub Actions reads as commands, as its `ActionCommand` parses them */
const commandsIn = (output: string): string[] =>
  output.split(/\r\n|[\r\n]/).filter((line) => {
    const start = line.replace(BLANK, '');
    const isCommand = start.startsWith('::') && start.includes('::', 2);
    const old = line.indexOf('##[');
    return isCommand || (old >= 0 && line.includes(']', old));
  });

const HOSTILE = [
  '::add-mask::x',
  'a\n::error file=x::y',
  ' \t\u00a0\u3000::warning::z',
  '\u2028::notice::u',
  'a\r::debug::b',
  '\u0085::group::g',
  '\u001b::endgroup::',
  'before ##[error]x',
  '###[command]y',
  ':::set-output name=a::b',
];

class Memory extends Writable {
  text = '';
  isTTY = false;
  override _write(chunk: unknown, _: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

/** Calls back with an output whose environment has these variables. */
function withOutput(
  variables: Record<string, string>,
  use: (output: Output, stdout: Memory, stderr: Memory) => void,
): void {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    const [stdout, stderr] = [new Memory(), new Memory()];
    use(new Output({ stdout, stderr }), stdout, stderr);
  } finally {
    process.env = before;
  }
}

describe('output of the command line', () => {
  it('has no commands to the runner of GitHub Actions, whatever text it contains', () => {
    assert.equal(commandsIn(HOSTILE.join('\n')).length, HOSTILE.length - 1);
    const parts = fc.array(
      fc.constantFrom(...HOSTILE, ':', '::', ' ', '\n', '\r', '#', '##', '[', ']', 'x', '\u0085', '\u2028'),
    );
    fc.assert(
      fc.property(
        parts.map((all) => all.join('')),
        (text) =>
          withOutput({ GITHUB_ACTIONS: 'true' }, (output, stdout, stderr) => {
            output.result(text);
            output.data(`${text}\n`);
            output.note(text);
            assert.deepEqual(commandsIn(stdout.text + stderr.text), []);
          }),
      ),
    );
  });

  it('is unchanged elsewhere, and keeps SQL casts in Actions', () => {
    withOutput({ GITHUB_ACTIONS: '' }, (output, stdout) => {
      output.result('::error::x ##[y]');
      assert.equal(stdout.text, '::error::x ##[y]\n');
    });
    withOutput({ GITHUB_ACTIONS: 'true' }, (output, stdout) => {
      output.result('SELECT a::date\n  b::int');
      assert.equal(stdout.text, 'SELECT a::date\n  b::int\n');
    });
  });

  it('has one writer besides that of the MCP server', () => {
    const folder = join(repoRoot, 'src', 'cli');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const writers = names.filter((name) =>
      /\.write\(|console\.|process\.std(?:out|err)\b(?!,|\])/.test(
        readFileSync(join(folder, name), 'utf8').replace('stream === process.stdout', ''),
      ),
    );
    assert.deepEqual(writers.sort(), [join('mcp', 'stdioTransport.ts'), 'output.ts']);
  });

  it('sends no cursor movements to a dumb terminal', () => {
    for (const [TERM, isBar] of [
      ['dumb', false],
      ['xterm', true],
    ] as const)
      withOutput({ TERM }, (output, _, stderr) => {
        stderr.isTTY = true;
        const stop = new AbortController();
        const progress = runProgress(output, 2, stop.signal);
        progress.stop();
        assert.equal(stderr.text.includes('\u001b'), isBar, TERM);
      });
  });

  it('has none of several secrets', () => {
    const stream = new PassThrough({ encoding: 'utf8' });
    const output = new Output({ stdout: stream, stderr: stream });
    const keys = ['ak/7f3kQ9+zLw2"XeVb5T=Ra8Nd', 'token_of.the-other\\connection'];
    for (const key of keys) output.addSecret(key);
    for (const write of [output.result, output.note]) write.call(output, keys.join(' and '));
    output.data(JSON.stringify([keys.join(' and ')]));
    assert.equal(String(stream.read()).match(/\[redacted\] and \[redacted\]/g)?.length, 3);
  });

  it('reports steps of the agent without characters that reorder or hide text', () => {
    withOutput({}, (output, _, stderr) => {
      askProgress((text) => output.note(text)).onTool?.('1', { kind: 'modelSearch', searchQuery: 'a\u202eb\u{e0041}' });
      assert.equal(stderr.text, 'Model search: ab\n');
    });
  });
});

describe('rows from ask', () => {
  const cells = [
    ...HOSTILE,
    'a\rb',
    '\u007f\u0085\u009f',
    '=1+1',
    '\u202ex\u2028',
    'a "b", c ',
    '\u{e0041}',
    'last\r\n ',
  ];
  const cli = new Cli();
  let service: ScriptedService;

  before(async () => {
    await cli.build();
    service = await scriptedService((request, response) => {
      const written = new Written(request, response);
      const sqlQuery = `SELECT 1\n${HOSTILE.join('\n')}`;
      const data = cells.map((cell, at) => [cell, String(at)]);
      const schema = ['::error::name', 'n'].map((name) => ({ name, column_type: 'string' }));
      written.tool('t', 'svcSqlApi', { sqlQuery, queryTitle: HOSTILE.join('\n') });
      written.tool('t', 'svcSqlApi', { sqlQuery, queryTitle: 'Q' }, { sqlQuery, schema, data });
      if (request.body['input'] === 'fail')
        return void response.end(`${JSON.stringify({ error: HOSTILE.join('\n') })}\n`);
      written.answer(HOSTILE.join('\n'));
    });
    const names = HOSTILE.map((name) => `  - {name: ${JSON.stringify(name)}, question: fail}\n`).join('');
    cli.write({
      'a/.analytics-chat/questions.yml': `eval_questions:\n${names}  - {name: ok, question: q}\n`,
      'a/.analytics-chat/baselines/ok.yml': 'name: ok\ncolumns: [x]\nrows: [["::error::y"]]\n',
    });
  });
  after(async () => {
    await service.stop();
    cli.remove();
  });

  const run = async (args: string[], more: Record<string, string> = {}) =>
    cli.run(args, {
      ANALYTICS_CHAT_API_URL: service.chatApiUrl,
      ANALYTICS_CHAT_SERVICE_TOKEN: 'some.jwt.token',
      ...more,
    });
  const rowsOf = (csv: string): string[] => (parse(csv) as string[][]).slice(1).map(([cell = '']) => cell);

  it('keep every character in JSON and in raw CSV', async () => {
    const json = JSON.parse((await run(['ask', 'q', '--format', 'json'])).stdout) as { rows: Record<string, string>[] };
    assert.deepEqual(
      json.rows.map((row) => row['::error::name']),
      cells,
    );
    assert.deepEqual(rowsOf((await run(['ask', 'q', '--format', 'csv', '--raw'])).stdout), cells);
  });

  it('have formulas as text in CSV unless it is raw', async () => {
    const guarded = cells.map((cell) => (cell === '=1+1' ? `'${cell}` : cell));
    assert.deepEqual(rowsOf((await run(['ask', 'q', '--format', 'csv'])).stdout), guarded);
    const { code, stderr } = await run(['ask', 'q', '--raw']);
    assert.deepEqual([code, stderr.trimEnd().split('\n').at(-1)], [2, '--raw needs --format csv.']);
  });

  it('contain no raw control or bidirectional characters in JSON', async () => {
    const { stdout } = await run(['ask', 'q', '--format', 'json']);
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u{e0041}]/u);
  });

  it('are no commands in GitHub Actions, in any command and format, and JSON stays the same', async () => {
    const actions = { GITHUB_ACTIONS: 'true' };
    for (const args of [
      ['ask', 'q', '--sql'],
      ['ask', 'q', '--format', 'md', '--sql'],
      ['ask', 'q', '--format', 'csv', '--raw', '--sql'],
      ['ask', 'q', '--format', 'json'],
      ['ask', 'fail'],
      ['eval', 'a'],
      ['compare', 'q', '--branches', 'main,::error::x'],
      ['compare', 'fail', '--branches', 'main,dev'],
      ['::error::x'],
    ]) {
      const { stdout, stderr } = await run(args, actions);
      assert.deepEqual([commandsIn(stdout), commandsIn(stderr)], [[], []], args.join(' '));
    }
    for (const args of [
      ['ask', 'q', '--sql'],
      ['eval', 'a'],
    ])
      assert.notDeepEqual(commandsIn((await run(args)).stdout), [], args.join(' '));
    const parsed = async (more: Record<string, string>): Promise<unknown> => {
      const { rows } = JSON.parse((await run(['ask', 'q', '--format', 'json'], more)).stdout) as { rows: unknown };
      return rows;
    };
    assert.deepEqual(await parsed(actions), await parsed({}));
  });
});
