/** Grading answers against an expected result, and the verdict on several answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import { failureTexts } from '../../../../src/evals/report/verdictText.ts';
import { summaryText } from '../../../../src/evals/report/summary.ts';
import type { TestQuestion } from '../../../../src/evals/question.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { answering, answerOf, questionNamed, queryWith } from '../support.ts';
import { table } from '../tables.ts';
import { five, inTurn, run, six } from './support.ts';

const baselineOf = ({ columns, rows }: ResultTable) => ({ name: 'a', path: '', sql: 'old', columns, rows });
const P = answerOf(queryWith(five));
const F = answerOf(queryWith(six));
const partial = answerOf(queryWith({ ...five, totalRows: 9 }));
const silent = answerOf();
const E: Answer = { ...answerOf(), error: 'away' };
/** A query without a result and without an error. */
const lacking = answerOf({ sql: 'SELECT answer' });

/** A turn that ended with nothing in it. */
const empty: Answer = {
  ...answerOf(),
  text: '',
  thread: { ...emptyThread('t'), messageId: 'm', turns: [{ id: 'm', items: [] }] },
};
/** The expected rows beside an error. */
const cut = answerOf({ ...queryWith(five), error: 'only a part' });

describe('a graded question', () => {
  it('passes with the rows of the SQL, and fails with other rows, with both results and both SQL texts', async () => {
    assert.deepEqual((await run([questionNamed('a')], {})).statuses, ['passed']);
    const { first } = await run([questionNamed('a')], { ask: answering(six) });
    assert.deepEqual([first.status, first.message], ['failed', '1 of 1 rows differs']);
    assert.deepEqual(
      failureTexts(first).map(({ diff }) => diff),
      [
        { expected: 'n\n5', actual: 'n\n6' },
        { expected: 'SELECT a', actual: 'SELECT answer' },
      ],
    );
    assert.equal(first.attempt?.answer?.thread.chatId, 'chat');
  });

  it('expects the SQL, else the accepted result, else nothing, and says how to get an expectation', async () => {
    const both = questionNamed('a', { baseline: baselineOf(six) });
    assert.equal((await run([both], {})).first.expectation?.from, 'sql');
    const without = (await run([both], { runSql: undefined })).first;
    assert.deepEqual([without.expectation?.from, without.status], ['baseline', 'failed']);
    const certified = questionNamed('a', { expectedSql: { sql: 'SELECT 1', certifiedQuery: { name: 'revenue' } } });
    assert.equal((await run([certified], {})).first.expectation?.from, 'certifiedQuery');
    const skipped = (await run([questionNamed('a')], { runSql: undefined })).first;
    assert.equal(skipped.status, 'skipped');
    assert.match(skipped.message, /set a data query URL/);
    assert.deepEqual(skipped.attempt?.actual?.table, five, 'can be accepted');
    const { first } = await run([questionNamed('a', { expectedSql: undefined })], {});
    assert.match(first.message, /: accept a result first\.$/);
  });

  const none = table('n:number');
  const seven = table('n:number', [7]);
  for (const [status, tables] of [
    ['passed', [six, five]],
    ['passed', [five, six]],
    ['passed', [five, none]],
    ['failed', [six, none]],
    ['failed', [undefined]],
    ['review', []],
  ] as const)
    it(`is ${status} by the last query with rows, or any that matches: ${tables.map((each) => each?.rows.length)}`, async () => {
      const answer = answerOf(...tables.map(queryWith));
      assert.equal((await run([questionNamed('a')], { ask: inTurn(answer) })).first.status, status);
    });

  it('fails with the last query with rows, if none has the expected ones', async () => {
    const { first } = await run([questionNamed('a')], { ask: inTurn(answerOf(queryWith(six), queryWith(seven))) });
    assert.deepEqual(first.attempt?.actual?.table, seven);
  });

  it('expects no rows only of an answer whose last query has none', async () => {
    const statusOf = async (...tables: ResultTable[]): Promise<string> => {
      const ask = inTurn(answerOf(...tables.map(queryWith)));
      return (await run([questionNamed('a')], { ask, runSql: () => Promise.resolve(none) })).first.status;
    };
    assert.deepEqual(
      [await statusOf(none), await statusOf(none, five), await statusOf(five, none)],
      ['passed', 'failed', 'passed'],
    );
  });

  it('says why there are no rows: no query ran, or the last one failed', async () => {
    const failing = (error: string) => ({ ...queryWith(undefined), error });
    const messageOf = async (answer: Answer): Promise<string> =>
      (await run([questionNamed('a')], { ask: inTurn(answer) })).first.message;
    assert.equal(await messageOf(silent), 'The agent ran no query.');
    assert.equal(await messageOf(answerOf(failing('no a'), failing('no b'))), 'The agent’s query failed: no b');
  });

  it('loads all rows of a partial answer, and is to be reviewed where it can’t', async () => {
    const all = table('n:number', [1], [2], [3]);
    const part = { ...table('n:number', [1]), totalRows: 3 };
    const queries: string[] = [];
    const runSql = (sql: string) => (queries.push(sql), Promise.resolve(all));
    assert.equal((await run([questionNamed('a')], { ask: answering(part), runSql })).first.status, 'passed');
    assert.deepEqual(queries, ['SELECT a', 'SELECT answer']);
    const baseline = baselineOf(part);
    const { first, summary } = await run([questionNamed('a', { baseline })], {
      ask: answering(part),
      runSql: undefined,
    });
    assert.deepEqual([first.status, first.message], ['review', 'Not comparable: 1 of 3 rows']);
    assert.match(summaryText(summary), /^0 % \(0\/1\) · 1 to review · /);
    const fewer = { ...five, totalRows: 3 };
    const { statuses } = await run([questionNamed('a')], {
      ask: answering(fewer),
      runSql: () => Promise.resolve(five),
    });
    assert.deepEqual(statuses, ['review'], 'the data query API returns no more rows either');
  });

  it('is an error if the missing rows can’t be loaded, or are not those of the answer', async () => {
    const broken = (sql: string) =>
      sql === 'SELECT a' ? Promise.resolve(five) : Promise.reject(new Error('The connection was lost.'));
    const { first } = await run([questionNamed('a')], { ask: inTurn(partial), runSql: broken, attempts: 3 });
    assert.deepEqual([first.status, first.message], ['errored', 'Can’t load all rows: The connection was lost.']);
    assert.equal(first.cells[0]?.answers.length, 1, 'asking again would not load them');
    const whole = table('n:number', [5], [6]);
    const loading = async (part: ResultTable, precision?: number) =>
      (
        await run([questionNamed('a')], {
          ask: answering({ ...part, totalRows: 2 }),
          runSql: () => Promise.resolve(whole),
          precision,
        })
      ).first;
    assert.equal((await loading(table('n:number', [6.00001]))).status, 'passed');
    assert.equal((await loading(table('n:number', [6.4]), 1)).status, 'passed');
    assert.match((await loading(seven)).message, /^Can’t load all rows: These rows differ from those in the answer\./);
  });

  it('compares numbers at the precision of the run', async () => {
    const statusAt = async (precision?: number): Promise<string> =>
      (await run([questionNamed('a')], { ask: answering(table('n:number', [5.04])), precision })).first.status;
    assert.deepEqual([await statusAt(), await statusAt(2)], ['failed', 'passed']);
  });

  it('says that the service sent no result, instead of that the agent ran no query', async () => {
    const { first } = await run([questionNamed('a')], { ask: inTurn(lacking) });
    assert.equal(first.message, 'The service sent no result of the agent’s query.');
    const silence = questionNamed('a', { behavior: { noQuery: true, uses: [], avoids: [] } });
    const { first: ran } = await run([silence], { ask: inTurn(lacking) });
    assert.deepEqual([ran.status, ran.message], ['failed', 'The agent ran a query.']);
  });

  it('is an error if the answer is empty, which proves neither a denial nor that no query runs', async () => {
    for (const rule of [
      { access: { kind: 'denied' } },
      { behavior: { noQuery: true, uses: [], avoids: [] } },
    ] as const) {
      const { first } = await run([questionNamed('a', rule)], { ask: inTurn(empty) });
      assert.deepEqual([first.status, first.message], ['errored', 'The agent returned no answer.']);
    }
  });

  it('says why a query failed that also returned rows', async () => {
    const { first } = await run([questionNamed('a')], { ask: inTurn(cut) });
    assert.equal(first.message, 'The agent’s query failed: only a part');
  });

  it('distinguishes errors of the agent, the connection and the expectation from failures', async () => {
    const { first, summary } = await run([questionNamed('a')], { ask: inTurn(E) });
    assert.deepEqual([first.status, first.message], ['errored', 'away']);
    assert.match(summaryText(summary), /^No answers graded · 1 error · 1 request · /);
    const refused = new ChatError('auth', 'The service returned status 401.', { status: 401 });
    for (const [failure, message] of [
      [new Error('no such table'), 'The expected SQL failed: no such table'],
      [refused, 'The expected SQL failed: The service does not accept the key or token.'],
    ] as const) {
      const { first: errored } = await run([questionNamed('a')], {
        runSql: () => Promise.reject(failure),
        attempts: 3,
      });
      assert.deepEqual([errored.status, errored.message, errored.cells[0]?.answers.length], ['errored', message, 1]);
      assert.ok(errored.attempt?.answer, 'the answer is kept');
    }
    const thrown = await run([questionNamed('a'), questionNamed('b')], { ask: () => Promise.reject(new Error('x')) });
    assert.deepEqual(thrown.statuses, ['errored', 'errored']);
  });
});

describe('several answers to a graded question', () => {
  /** `status passed/counted asked` */
  const outcome = async (answers: readonly Answer[], options: { times?: number; attempts?: number }) => {
    const question = questionNamed('a', { baseline: baselineOf(five) });
    const { first } = await run([question], { ask: inTurn(...answers), runSql: undefined, ...options });
    return `${first.status} ${first.passes?.count}/${first.passes?.of} asked ${first.cells[0]?.answers.length}`;
  };
  const refused: Answer = { ...E, isFinal: true };
  for (const [name, answers, expected] of [
    ['passed', [P], 'passed 1/1 asked 1'],
    ['failed, then passed twice', [F, P, P], 'flaky 2/3 asked 3'],
    ['failed twice', [F, F], 'failed 0/2 asked 2'],
    ['failed, passed and failed', [F, P, F], 'failed 1/3 asked 3'],
    ['had an error, then passed', [E, P], 'passed 1/1 asked 2'],
    ['had an error, then failed twice', [E, F], 'failed 0/2 asked 3'],
    ['failed, had an error and failed', [F, E, F], 'failed 0/2 asked 3'],
    ['failed, had an error and passed', [F, E, P], 'errored 1/2 asked 3'],
    ['failed, then was refused', [F, refused], 'errored 0/1 asked 2'],
    ['had two errors, then passed', [E, E, P], 'passed 1/1 asked 3'],
    ['had two errors, then failed', [E, E, F], 'errored 0/1 asked 3'],
    ['had only errors', [E, E], 'errored 0/0 asked 3'],
    ['was refused', [refused], 'errored 0/0 asked 1'],
    ['was refused after an error', [E, refused], 'errored 0/0 asked 2'],
    ['was empty, then passed', [empty, P], 'passed 1/1 asked 2'],
    ['was always empty', [empty], 'errored 0/0 asked 3'],
    ['lacked the result of its query, then passed', [lacking, P], 'passed 1/1 asked 2'],
    ['always lacked the result of its query', [lacking], 'errored 0/0 asked 3'],
    ['lacked the result of one of two queries', [answerOf(queryWith(five), ...lacking.queries)], 'passed 1/1 asked 1'],
    ['failed with a part of the rows', [cut], 'failed 0/2 asked 2'],
    ['ran no query, then passed twice', [silent, P, P], 'flaky 2/3 asked 3'],
    ['ran no query twice', [silent, silent], 'review 0/2 asked 2'],
    ['lacked rows', [answerOf(queryWith({ ...five, rows: [] }))], 'review 0/1 asked 1'],
    ['lacked rows of another number', [partial], 'review 0/2 asked 2'],
    ['lacked rows of another number, then passed twice', [partial, P, P], 'flaky 2/3 asked 3'],
  ] as const)
    it(`is ${expected.split(' ')[0]} if it ${name}`, async () =>
      assert.equal(await outcome(answers, { attempts: 3 }), expected));

  it('is asked again also at two attempts, of which one that passes is enough', async () => {
    assert.equal(await outcome([F, P], { attempts: 2 }), 'flaky 1/2 asked 2');
    assert.equal(await outcome([F, F], { attempts: 2 }), 'failed 0/2 asked 2');
    assert.equal(await outcome([F, E], { attempts: 2 }), 'errored 0/1 asked 2');
    assert.equal(await outcome([F, P], { times: 2 }), 'failed 1/2 asked 2');
  });

  for (const [answers, expected] of [
    [[P, P, P], 'passed 3/3 asked 3'],
    [[P, F, P], 'flaky 2/3 asked 3'],
    [[F, P, F], 'failed 1/3 asked 3'],
    [[P, E, P], 'flaky 2/3 asked 3'],
    [[P, E, E], 'errored 1/3 asked 3'],
    [[E, partial, F], 'failed 0/3 asked 3'],
    [[E, partial, E], 'review 0/3 asked 3'],
  ] as const)
    it(`is ${expected} if it is asked three times in any case`, async () =>
      assert.equal(await outcome(answers, { times: 3 }), expected));

  it('has the first answer that did not pass, or else the last', async () => {
    const deciding = async (...answers: Answer[]) => {
      const { first } = await run([questionNamed('a')], { ask: inTurn(...answers), times: answers.length });
      return [first.attempt?.answer, first.deciding] as const;
    };
    assert.deepEqual(await deciding(P, F, E), [F, [1]]);
    const last = { ...P };
    assert.deepEqual(await deciding(P, last), [last, [1]]);
  });

  it('is asked once if nothing is expected, and the expected SQL runs once', async () => {
    const { first } = await run([questionNamed('a')], { runSql: undefined, times: 3 });
    assert.deepEqual([first.status, first.cells[0]?.answers.length], ['skipped', 1]);
    let ran = 0;
    await run([questionNamed('a')], { runSql: () => ((ran += 1), Promise.resolve(five)), times: 3 });
    assert.equal(ran, 1);
  });
});

describe('a question that is expected to be answered as on main', () => {
  const against = async (onMain: readonly Answer[], own: readonly Answer[], attempts = 3) => {
    const { first } = await run([questionNamed('a')], { ask: inTurn(...own), onMain: inTurn(...onMain), attempts });
    const asked = first.cells.map(({ answers }) => answers.length);
    return [first.status, first.message, asked.join()].filter(Boolean).join(' | ');
  };
  const seven = answerOf(queryWith(table('n:number', [7])));
  const wide = answerOf(queryWith(table('n:number share:number', [5, 1])));
  for (const [name, onMain, own, expected] of [
    ['equal', [P], [P], 'passed | 1,1'],
    ['different each time', [P], [F], 'failed | 1 of 1 rows differs | 3,3'],
    [
      'odd twice here',
      [P],
      [F, P, F],
      'unstable | The answers vary. main: 2 of 2 answers equal · dev: 2 of 3 answers equal | 2,3',
    ],
    [
      'odd twice on main',
      [F, F, P],
      [P],
      'unstable | The answers vary. main: 2 of 3 answers equal · dev: 3 of 3 answers equal | 3,3',
    ],
    ['odd in the same way on both', [P, P, seven], [F, F, seven], 'failed | 1 of 1 rows differs | 3,3'],
    ['without a query here', [P], [silent], 'review | The agent ran no query. | 3,3'],
    ['odd once on main', [F, P], [P, P], 'passed | 3,2'],
    ['odd once here', [P], [F, P], 'flaky | 1 of 1 rows differs | 2,3'],
    [
      'different among themselves on main',
      [F, P, seven],
      [P],
      'unstable | The answers vary. main: 3 different answers | 3,2',
    ],
    ['errors on main', [E], [P], 'errored | main: away | 3,1'],
    [
      'without a query on main',
      [silent],
      [P],
      'skipped | No expected result: the agent ran no query on the other branch. | 2,2',
    ],
    ['once without a query on main', [silent, P], [P], 'passed | 3,2'],
    [
      'without a query on both',
      [silent],
      [silent],
      'skipped | No expected result: the agent ran no query on the other branch. | 1,1',
    ],
    ['once with another column on main', [wide, P], [P], 'passed | 2,2'],
  ] as const)
    it(`is ${expected.split(' ')[0]} if the answers are ${name}`, async () =>
      assert.equal(await against(onMain, own), expected));

  it('is failed at once if nothing is repeated', async () =>
    assert.equal(await against([P], [F], 1), 'failed | 1 of 1 rows differs | 1,1'));

  it('expects all rows of that answer if they can be loaded', async () => {
    const cut = answering({ ...six, totalRows: 2 });
    const all = table('n:number', [5], [6]);
    const statusWith = async (runSql: (() => Promise<ResultTable>) | undefined): Promise<string> =>
      (await run([questionNamed('a')], { ask: answering(all), onMain: cut, runSql })).first.status;
    assert.equal(await statusWith(undefined), 'review');
    assert.equal(await statusWith(() => Promise.resolve(all)), 'passed');
    assert.equal(await statusWith(() => Promise.reject(new Error('away'))), 'errored');
  });
});

describe('the summary of a graded run', () => {
  it('has accuracy, requests, tokens and time', async () => {
    const ask = ({ name }: TestQuestion): Promise<Answer> =>
      Promise.resolve({
        ...(Number(name) < 43 ? P : F),
        usage: name === '0' ? { totalTokens: 50_000 } : { inputTokens: 10, outputTokens: 5 },
      });
    const { summary } = await run(
      Array.from({ length: 50 }, (_, index) => questionNamed(String(index))),
      { ask },
    );
    assert.match(summaryText(summary), /^86 % \(43\/50\) · 50 requests · 50,735 tokens · \d+\.\d s$/);
    assert.match(summaryText({ ...summary, milliseconds: 83_400 }), /1 min 23 s$/);
    assert.match(summaryText({ ...summary, counts: { ...summary.counts, passed: 999, failed: 1 } }), /^99 %/);
  });
});
