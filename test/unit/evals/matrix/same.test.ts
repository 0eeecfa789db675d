/** The verdict on the answers of two branches, and when they are asked again. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import type { MatrixRow } from '../../../../src/evals/matrix/matrix.ts';
import { same } from '../../../../src/evals/matrix/same.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { answerOf, questionNamed, queryWith } from '../support.ts';
import { table } from '../tables.ts';
import { compare, contextOn } from './support.ts';

const months = (...amounts: number[]): ResultTable =>
  table('month:time revenue:number', ...amounts.map((amount, at) => [`2024-0${at + 1}-01`, amount]));
const asked = (query: ResultTable, sql = 'SELECT 1'): Answer => answerOf({ ...queryWith(query), sql });
const silent = answerOf();
const failed: Answer = { ...answerOf(), error: 'Busy' };
const refused: Answer = { ...failed, isFinal: true };
const lacking = answerOf({ sql: 'SELECT answer' });

type Outcome = Awaited<ReturnType<typeof compare>>;

/** Compares two answers, without asking again. */
const once = (left: Answer, right: Answer, options: Parameters<typeof compare>[1] = {}): Promise<Outcome> =>
  compare([[left], [right]], { attempts: 1, ...options });

const brief = ({ status, change, message }: Outcome): string =>
  [status, change, message].filter((part) => part !== undefined && part !== '').join(' | ');

describe('two answers to a question', () => {
  it('are equal if a test would pass, whatever the order of rows and the layout of the SQL', async () => {
    const reordered = table('revenue:number month:time', [20, '2024-02-01'], [10.00001, '2024-01-01']);
    const verdict = await once(asked(months(10, 20), 'SELECT a,\n  b'), asked(reordered, ' SELECT a, b'));
    assert.equal(brief(verdict), 'same');
  });

  const pairs = (...rows: [string, number][]): Answer => asked(table('k:string n:number', ...rows));
  const narrow = asked(table('month:time', ['2024-01-01'], ['2024-02-01']));
  for (const [what, left, right, expected] of [
    ['numbers', asked(months(100, 50, 50)), asked(months(90, 45, 50)), 'numbers | 2 of 3 rows changed, −7.5 %'],
    ['numbers from zero', asked(months(0)), asked(months(5)), 'numbers | 1 of 1 row changed'],
    ['a total of 0.2 %', asked(months(100000)), asked(months(100200)), 'numbers | 1 of 1 row changed, +0.2 %'],
    [
      'a total of 0.04 %',
      pairs(['a', 8000], ['b', 0]),
      pairs(['a', 8003], ['b', 0]),
      'numbers | 1 of 2 rows changed, +0.04 %',
    ],
    [
      'a total of −0.99 %',
      pairs(['a', 8000], ['b', 0]),
      pairs(['a', 7921], ['b', 0]),
      'numbers | 1 of 2 rows changed, −0.99 %',
    ],
    ['the order of numbers', asked(months(10, 20)), asked(months(20, 10)), 'numbers | 2 of 2 rows changed'],
    ['an added row', asked(months(10, 20)), asked(months(10, 20, 30)), 'rows | 1 row added, +100 %'],
    ['a removed row', asked(months(10, 20, 30)), asked(months(10, 20)), 'rows | 1 row removed, −50 %'],
    [
      'rows and numbers',
      pairs(['a', 1], ['b', 1], ['c', 1]),
      pairs(['a', 1], ['b', 2], ['d', 1]),
      'rows | 1 of 3 rows changed, 1 row added, 1 row removed, +33.3 %',
    ],
    ['a column', asked(months(10, 20)), narrow, 'rows | no column like “revenue”, 2 of 2 rows changed'],
    ['a query that only one side ran', silent, asked(months(1)), 'rows | main: The agent ran no query.'],
    [
      'a query that failed',
      asked(months(1)),
      answerOf({ ...queryWith(undefined), error: 'no such table' }),
      'rows | dev: The agent’s query failed: no such table',
    ],
  ] as const)
    it(`differ in ${what}`, async () => assert.equal(brief(await once(left, right)), `changed | ${expected}`));

  it('are the same if only the SQL differs, which is said', async () => {
    const verdict = await once(asked(months(1), 'SELECT a'), asked(months(1), 'SELECT b'));
    assert.equal(brief(verdict), 'same | sql | Same rows from different SQL');
  });

  it('are to be reviewed if rows are missing, unless all can be loaded, or if neither ran a query', async () => {
    const cut = asked({ ...months(1), totalRows: 3 });
    assert.equal(brief(await once(cut, cut)), 'review | Not comparable: 1 of 3 rows');
    const loaded = await once(cut, cut, {
      runSql: (_sql, _question, { branch }) => Promise.resolve(branch === 'main' ? months(1, 2, 3) : months(1, 2, 4)),
    });
    assert.equal(loaded.message, '1 of 3 rows changed, +16.7 %');
    assert.equal(brief(await once(silent, silent)), 'review | Neither answer ran a query.');
  });

  it('are compared by the last query on the left and any query on the right', async () => {
    const of = (...amounts: number[]): Answer => answerOf(...amounts.map((each) => queryWith(months(each))));
    assert.equal((await once(of(7, 1), of(1, 9))).status, 'same');
    assert.equal((await once(of(1, 7), of(1, 9))).status, 'changed');
    assert.equal((await once(of(100), of(300, 200))).message, '1 of 1 row changed, +100 %');
  });

  it('are equal at the precision of the run', async () => {
    const [left, right] = [asked(months(100)), asked(months(104))];
    assert.equal((await once(left, right)).status, 'changed');
    assert.equal((await once(left, right, { precision: 2 })).status, 'same');
  });

  it('are an error if one failed or lacks rows that can’t be loaded, with the branch', async () => {
    const fine = asked(months(1));
    assert.equal(brief(await once(fine, failed)), 'errored | dev: Busy');
    assert.equal(brief(await once({ ...failed, error: 'Away' }, failed)), 'errored | main: Away\ndev: Busy');
    const cut = asked({ ...months(1), totalRows: 3 });
    const runSql = () => Promise.reject(new Error('No such table'));
    const verdict = await compare([[cut], [fine]], { runSql });
    assert.equal(brief(verdict), 'errored | main: Can’t load all rows: No such table');
    assert.deepEqual(verdict.asked, [1, 1], 'asking again would not load them');
  });
});

describe('answers that differ', () => {
  const [a, b, c, d] = [1, 2, 3, 4].map((amount) => asked(months(amount))) as [Answer, Answer, Answer, Answer];
  const cut = asked({ ...months(1), totalRows: 9 });
  const wide = asked(table('month:time revenue:number share:number', ['2024-01-01', 1, 7]));
  const counts = '1 of 1 row changed, +100 %';
  for (const [what, left, right, expected, requests] of [
    ['at first', [a], [a], 'same', [1, 1]],
    ['never again', [a, a, a], [b, b, b], `changed | numbers | ${counts}`, [3, 3]],
    [
      'because one of three was odd on dev',
      [a, a],
      [b, a, a],
      'same | main: 2 of 2 answers equal · dev: 2 of 3 answers equal',
      [2, 3],
    ],
    [
      'because one of three was odd on main',
      [b, a, a],
      [a, a],
      'same | main: 2 of 3 answers equal · dev: 2 of 2 answers equal',
      [3, 2],
    ],
    [
      'and one of main is odd too',
      [a, c, a],
      [b, b, b],
      `changed | numbers | ${counts} · main: 2 of 3 answers equal · dev: 3 of 3 answers equal`,
      [3, 3],
    ],
    [
      'although one of dev equals main',
      [a, a, a],
      [b, b, a],
      'unstable | The answers vary. main: 3 of 3 answers equal · dev: 2 of 3 answers equal',
      [3, 3],
    ],
    [
      'among themselves on dev',
      [a, a],
      [b, c, d],
      'unstable | The answers vary. main: 2 of 2 answers equal · dev: 3 different answers',
      [2, 3],
    ],
    ['in whether a query ran', [a], [silent], 'changed | rows | dev: The agent ran no query.', [3, 3]],
    [
      'because one ran no query',
      [a],
      [silent, a],
      'same | main: 2 of 2 answers equal · dev: 2 of 3 answers equal',
      [2, 3],
    ],
    [
      'because one of main has another column',
      [wide, a],
      [a],
      'same | main: 2 of 2 answers equal · dev: 2 of 2 answers equal',
      [2, 2],
    ],
    [
      'because one of main has more rows than came',
      [cut, a],
      [a],
      'same | main: 2 of 3 answers equal · dev: 2 of 2 answers equal',
      [3, 2],
    ],
    [
      'also after one of main that has more rows than came',
      [cut, a],
      [b],
      `changed | numbers | ${counts} · main: 2 of 3 answers equal · dev: 3 of 3 answers equal`,
      [3, 3],
    ],
    ['in how many rows they have of which not all came', [cut], [a], 'review | Not comparable: 1 of 9 rows', [3, 3]],
    ['in nothing but rows that did not come', [cut], [cut], 'review | Not comparable: 1 of 9 rows', [1, 1]],
    [
      'because each of main and one of dev have another column',
      [wide],
      [a, wide, a],
      'same | main: 2 of 2 answers equal · dev: 2 of 3 answers equal',
      [2, 3],
    ],
    ['after an error, which is no answer', [failed, a], [a], 'same', [2, 1]],
    ['while errors leave too few answers', [a], [b, failed], 'errored | dev: Busy', [2, 3]],
    ['while the service refuses to answer', [a], [refused], 'errored | dev: Busy', [1, 1]],
    ['while nothing but errors come', [a], [failed], 'errored | dev: Busy', [1, 3]],
    [
      'while the service sends no result of a query',
      [a],
      [lacking],
      'errored | dev: The service sent no result of the agent’s query.',
      [1, 3],
    ],
  ] as const)
    it(`${what}: ${expected.split(' ')[0]}`, async () => {
      const verdict = await compare([left, right]);
      assert.equal(brief(verdict), expected);
      assert.deepEqual(verdict.asked, requests);
    });

  it('are decided by the number of attempts', async () => {
    assert.deepEqual((await compare([[a], [b, a, a]], { attempts: 1 })).status, 'changed');
    const two = await compare([[a], [b, a]], { attempts: 2 });
    assert.deepEqual([two.status, two.asked], ['unstable', [2, 2]]);
    const five = await compare([[a], [b, b, a, a, a]], { attempts: 5 });
    assert.deepEqual([five.status, five.asked], ['same', [3, 5]]);
  });

  it('are represented by answers of the majorities', async () => {
    assert.deepEqual((await compare([[c, a, a], [b]])).deciding, [1, 0]);
    assert.deepEqual((await compare([[a], [b, c, d]])).deciding, [0, 0]);
  });
});

describe('answers in more than two contexts', () => {
  const row = (attempts: number, ...tables: (ResultTable | undefined)[]): MatrixRow => ({
    question: questionNamed('q'),
    cells: tables.map((each, at) => ({
      context: contextOn(`b${at}`)(undefined),
      answers: [each ? asked(each) : silent],
    })),
    attempts,
  });
  const judge = same();

  it('are each compared with the first, and the worst decides about the question', () => {
    const judgment = judge(row(1, months(1), months(1), months(2), undefined));
    assert.ok('compared' in judgment);
    assert.deepEqual(
      judgment.compared?.map(({ status }) => status),
      ['same', 'changed', 'changed'],
    );
    assert.deepEqual([judgment.status, judgment.deciding], ['changed', [0, 0, 0, 0]]);
  });

  it('are asked again only where they differ, and in the first context', () => {
    assert.deepEqual(judge(row(3, months(1), months(1), months(2))), { again: [0, 2] });
  });
});
