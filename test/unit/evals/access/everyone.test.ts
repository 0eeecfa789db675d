/** One question asked as several identities. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { accessFindings, forbiddenRows, unknownIdentities } from '../../../../src/evals/access/identities.ts';
import type { AccessRule, TestQuestion } from '../../../../src/evals/question.ts';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { answerOf, questionNamed, queryWith } from '../support.ts';
import { table } from '../tables.ts';

const QUESTION = 'revenue by region';
const regions = (...rows: [string | null, string][]): ResultTable => table('region:string revenue:number', ...rows);
const all = regions(['Europe', '10.5'], ['Asia', '20']);
const europe = regions(['Europe', '10.50']);

describe('the access tests of a project', () => {
  const only: AccessRule = { kind: 'only', values: new Map([['region', ['Europe']]]) };
  const rule = (name: string, identity: string, access: AccessRule, text = QUESTION): TestQuestion =>
    questionNamed(name, { identity, access, text });
  const answers = (seen: Record<string, ResultTable | undefined>): Map<string, Answer> =>
    new Map(Object.entries(seen).map(([name, each]) => [name, answerOf(queryWith(each))]));
  const findings = (seen: Parameters<typeof answers>[0], ...tests: TestQuestion[]): string[] => {
    const found = accessFindings(QUESTION, answers(seen), tests, 4);
    return found.map(({ identity, status, message, rule: name }) => `${name}: ${identity} ${status}: ${message}`);
  };

  it('name the rows that an identity must not see, and stay silent about the others', () => {
    const tests = [rule('eu', 'ana', only), rule('eu for ben', 'ben', only)];
    assert.deepEqual(findings({ ana: all, ben: europe }, ...tests), [
      'eu: ana forbidden: 1 of 2 rows must not be seen: region Asia',
    ]);
  });

  it('apply the values of a column to every question, and other rules only to their own', () => {
    const other = 'orders by region';
    const tests = [rule('eu', 'ana', only, other), rule('none', 'ben', { kind: 'empty' }, other)];
    assert.deepEqual(findings({ ana: all, ben: all }, ...tests), [
      'eu: ana forbidden: 1 of 2 rows must not be seen: region Asia',
    ]);
    assert.deepEqual(findings({ ben: all }, rule('none', 'ben', { kind: 'empty' }, ' Revenue  BY region')), [
      'none: ben forbidden: 2 rows must not be seen',
    ]);
  });

  it('compare identities with each other without asking again', () => {
    const same: AccessRule = { kind: 'sameAs', identity: 'admin' };
    assert.deepEqual(findings({ ana: europe, admin: europe }, rule('same', 'ana', same)), []);
    assert.match(findings({ ana: europe, admin: all }, rule('same', 'ana', same)).join(), /^same: ana forbidden/);
    assert.deepEqual(findings({ ana: europe }, rule('same', 'ana', same)), []);
  });

  it('say that an answer without rows proves nothing, if the test is about this question', () => {
    const none = regions();
    assert.deepEqual(findings({ ana: none }, rule('eu', 'ana', only)), ['eu: ana unproven: Inconclusive: no rows.']);
    assert.deepEqual(findings({ ana: none }, rule('eu', 'ana', only, 'orders')), []);
  });

  it('say the same about an identity only once', () => {
    const tests = [rule('eu', 'ana', only), rule('eu again', 'ana', only), rule('eu for ben', 'ben', only)];
    assert.deepEqual(
      findings({ ana: all, ben: all }, ...tests).map((line) => line.split(':')[0]),
      ['eu', 'eu for ben'],
    );
  });

  it('are found among other questions, which are not graded', () => {
    assert.deepEqual(findings({ ana: all }, questionNamed('a', { identity: 'ana', text: QUESTION })), []);
  });

  it('mark no rows of an answer without a result', () => {
    assert.equal(forbiddenRows(QUESTION, 'ana', answerOf(), [rule('none', 'ana', { kind: 'empty' })]).size, 0);
  });

  it('mark the rows themselves', () => {
    const answer = answerOf(queryWith(all));
    const rows = (identity: string, ...tests: TestQuestion[]): unknown[] => [
      ...forbiddenRows(QUESTION, identity, answer, tests),
    ];
    assert.deepEqual(rows('ana', rule('eu', 'ana', only, 'orders'), rule('none', 'ben', { kind: 'empty' })), [
      all.rows[1],
    ]);
    assert.deepEqual(rows('ben', rule('none', 'ben', { kind: 'empty' })), all.rows);
    assert.deepEqual(rows('ana', rule('same', 'ana', { kind: 'sameAs', identity: 'x' })), []);
    assert.deepEqual(rows('ben', rule('none', 'ben', { kind: 'empty' }, 'orders')), []);
  });

  it('mark the rows of a query that also failed', () => {
    const answer = answerOf({ ...queryWith(all), error: 'only a part' });
    const tests = [rule('none', 'ben', { kind: 'empty' })];
    assert.deepEqual([...forbiddenRows(QUESTION, 'ben', answer, tests)], all.rows);
  });

  it('mark a row with one forbidden value, although its other values are allowed', () => {
    const values = new Map([...(only.kind === 'only' ? only.values : []), ['revenue', ['10.5']]]);
    const seen = regions(['Europe', '10.50'], ['Europe', '20']);
    const rows = forbiddenRows(QUESTION, 'ana', answerOf(queryWith(seen)), [
      rule('eu', 'ana', { kind: 'only', values }),
    ]);
    assert.deepEqual([...rows], [seen.rows[1]]);
  });

  it('mark the rows of every column that the name may mean', () => {
    const seen = table('orders.region customers.region', ['Europe', 'Asia'], ['Asia', 'Europe']);
    const rows = (name: string): unknown[] => [
      ...forbiddenRows(QUESTION, 'ana', answerOf(queryWith(seen)), [
        rule('eu', 'ana', { kind: 'only', values: new Map([[name, ['Europe']]]) }),
      ]),
    ];
    assert.deepEqual(rows('region'), seen.rows);
    assert.deepEqual(rows('customers.region'), [seen.rows[0]]);
  });

  it('say that a query without the column proves nothing, although another one complies', () => {
    const seen = new Map([['ana', answerOf(queryWith(table('city', ['Tokyo'])), queryWith(europe))]]);
    const found = accessFindings(QUESTION, seen, [rule('eu', 'ana', only)], 4);
    assert.deepEqual(
      found.map(({ message }) => message),
      ['Inconclusive: no column like “region”'],
    );
  });

  it('define no identities: names that the settings lack are reported', () => {
    const tests = [
      rule('a', 'ana', only),
      rule('b', 'guest', { kind: 'sameAs', identity: 'root' }),
      rule('c', 'guest', only),
    ];
    assert.deepEqual(unknownIdentities(tests, ['ana']), ['guest', 'root']);
    assert.deepEqual(unknownIdentities([questionNamed('q', { identity: 'x' })], []), []);
  });
});
