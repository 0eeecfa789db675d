/** Questions with several turns in one thread. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import { truthFromFiles } from '../../../../src/evals/matrix/asking.ts';
import { expected } from '../../../../src/evals/matrix/expected.ts';
import {
  decidingAnswers,
  decidingTurn,
  type Context,
  type Judge,
  type Verdict,
} from '../../../../src/evals/matrix/matrix.ts';
import { runMatrix, type MatrixOptions } from '../../../../src/evals/matrix/runMatrix.ts';
import { same } from '../../../../src/evals/matrix/same.ts';
import type { TestQuestion } from '../../../../src/evals/question.ts';
import { costText } from '../../../../src/evals/report/summary.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { answerOf, questionNamed, queryWith } from '../support.ts';
import { table } from '../tables.ts';
import { contextOn } from './support.ts';

const turn = (text: string, fields: Partial<TestQuestion> = {}): TestQuestion =>
  questionNamed('q', { text, ...fields });
const thread = (...turns: TestQuestion[]): TestQuestion => questionNamed('q', { expectedSql: undefined, turns });
const open = { expectedSql: undefined };
const first = turn('first', open);
const second = turn('second', { expectedSql: { sql: 'SELECT 5' } });

/** What the agent answers: a number, no query, or an error. */
type Told = number | undefined | 'error';

interface TurnRun {
  judge?: Judge;
  branches?: readonly string[];
  attempts?: number;
  /** Expected by SQL. */
  results?: Readonly<Record<string, number>>;
}

/** @param told the answers by branch, text and time; the last one is repeated */
async function run(
  question: TestQuestion,
  told: (branch: string, text: string) => readonly Told[],
  { judge = expected(), branches = ['dev'], attempts = 1, results = {} }: TurnRun = {},
): Promise<Verdict & { asked: string[]; requests: number; tokens?: number }> {
  const asked: string[] = [];
  const times = new Map<string, number>();
  let verdict: Verdict | undefined;
  const ask: MatrixOptions<Context>['ask'] = ({ text }, { branch }, _signal, { thread: before } = {}) => {
    asked.push(`${branch} ${before?.id ?? ''}>${text}`);
    const key = `${branch} ${text}`;
    const time = times.get(key) ?? 0;
    times.set(key, time + 1);
    const list = told(branch, text);
    const value = list[Math.min(time, list.length - 1)];
    const answer: Answer = {
      ...answerOf(...(typeof value === 'number' ? [queryWith(table('n:number', [value]))] : [])),
      thread: { ...emptyThread(`${text}${time}`), chatId: 'chat' },
      usage: { totalTokens: 10 },
    };
    return Promise.resolve(value === 'error' ? { ...answer, error: 'away' } : answer);
  };
  const summary = await runMatrix([question], () => branches.map((name) => contextOn(name)(undefined)), judge, {
    ask,
    truth: truthFromFiles((sql) => Promise.resolve(table('n:number', [results[sql] ?? 5]))),
    attempts,
    signal: new AbortController().signal,
    onEvent: (event) => {
      if (event.type === 'judged') ({ verdict } = event);
    },
  });
  return { ...(verdict ?? assert.fail()), asked, requests: summary.requests, tokens: summary.tokens };
}
const always = (value: Told) => () => [value];

describe('a question with turns', () => {
  it('asks them in one thread, and counts each as a request', async () => {
    const { asked, status, requests, tokens, message } = await run(thread(first, second), always(5));
    assert.deepEqual(asked, ['dev >first', 'dev first0>second']);
    assert.deepEqual([status, message, requests, tokens], ['passed', '', 2, 20]);
    const cost = { questions: [thread(first, second)], contextsOf: () => [contextOn('dev')(undefined)], attempts: 3 };
    assert.equal(costText(cost, 'dev'), 'Asking 1 question on dev, at most 6 requests');
  });

  it('has the worst verdict of its turns, which is named, with its answer and its expected result', async () => {
    const question = thread(first, second, turn('third', { expectedSql: { sql: 'SELECT 6' } }));
    const verdict = await run(question, always(5), { results: { 'SELECT 6': 6 } });
    assert.match(verdict.message, /^Turn 3: 1 of 1 rows differs/);
    assert.deepEqual([verdict.status, verdict.turn, verdict.expectation?.sql], ['failed', 2, 'SELECT 6']);
    assert.equal(verdict.attempt?.answer?.thread.id, 'third0');
    assert.equal(decidingTurn(verdict).text, 'third');
    const silent = await run(thread(second, first), always(undefined));
    assert.deepEqual([silent.status, silent.message], ['review', 'Turn 1: The agent ran no query.']);
  });

  it('may expect behavior in a turn', async () => {
    const vague = turn('vague', { ...open, behavior: { noQuery: true, uses: [], avoids: [] } });
    const told = (_: string, text: string) => [text === 'vague' ? undefined : 5];
    assert.equal((await run(thread(vague, second), told)).status, 'passed');
    const failed = await run(thread(vague, second), always(5));
    assert.equal(failed.message, 'Turn 1: The agent ran a query.');
  });

  it('is skipped if no turn has an expectation', async () => {
    const { status, message } = await run(thread(first, turn('second', open)), always(5));
    assert.equal(status, 'skipped');
    assert.match(message, /^No turn has an expected result: set “expect”/);
  });

  it('repeats the whole thread, and most answers to a turn decide', async () => {
    const told = (_: string, text: string) => (text === 'second' ? [6, 5] : [5]);
    const { asked, status, message, cells } = await run(thread(first, second), told, { attempts: 3 });
    assert.deepEqual(asked.slice(2), ['dev >first', 'dev first1>second', 'dev >first', 'dev first2>second']);
    assert.deepEqual([status, cells[0]?.answers.length], ['flaky', 3]);
    assert.match(message, /^Turn 2: 1 of 1 rows differs/);
  });

  it('asks no turn after one that could not be answered', async () => {
    const told = (_: string, text: string): Told[] => (text === 'first' ? ['error', 5] : [5]);
    const { asked, status, requests } = await run(thread(first, second), told, { attempts: 3 });
    assert.deepEqual(asked, ['dev >first', 'dev >first', 'dev first1>second']);
    assert.deepEqual([status, requests], ['passed', 3]);
    const failed = await run(thread(first, second), always('error'));
    assert.deepEqual([failed.status, failed.message], ['errored', 'Turn 1: away']);
  });

  it('compares each turn on two branches', async () => {
    const branches = ['main', 'dev'];
    const told = (branch: string, text: string) => [branch === 'dev' && text === 'first' ? 6 : 5];
    const changed = await run(thread(first, second), told, { judge: same(), branches, attempts: 3 });
    assert.match(changed.message, /^Turn 1: 1 of 1 row changed/);
    assert.deepEqual([changed.status, changed.requests, changed.compared?.[0]?.status], ['changed', 12, 'changed']);
    assert.deepEqual(
      decidingAnswers(changed).map((answer) => answer?.thread.id),
      ['first0', 'first0'],
    );
    const equal = await run(thread(first, second), always(5), { judge: same(), branches, attempts: 3 });
    assert.deepEqual([equal.status, equal.requests], ['same', 4]);
  });
});
