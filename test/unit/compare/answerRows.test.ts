import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { allRowsOf, AnswerRows, describeDifference, type RowDifference } from '../../../src/compare/answerRows.ts';
import type { Rows } from '../../../src/shared/results/cells.ts';

const columns = [
  { name: 'day', type: 'time' },
  { name: 'revenue', type: 'number' },
];
const first: Rows = [
  ['2024-01-01', 10.5],
  ['2024-01-02', 20],
];

async function differenceOf(batches: Rows[], totalRows: number, isComplete = true): Promise<RowDifference | undefined> {
  const answer = new AnswerRows({ columns, rows: first, totalRows });
  const stream = async function* (): AsyncGenerator<{ rows: Rows }> {
    for (const rows of batches) yield { rows };
  };
  const passed: Rows[] = [];
  for await (const { rows } of answer.watch(stream())) passed.push(rows);
  assert.deepEqual(passed, batches);
  return answer.difference(isComplete);
}

describe('the rows of a data query', () => {
  it('equal those of the answer in any order, batches and spelling', async () => {
    assert.equal(await differenceOf([[['2024-01-03', 5]], [first[1]!, first[0]!]], 3), undefined);
    const spelled = [
      ['2024-01-01T00:00:00.000', '10.50'],
      ['2024-01-02T00:00:00Z', '20.0'],
    ];
    assert.equal(await differenceOf([spelled], 2), undefined);
  });

  it('equal those of the answer with other rounding errors of floats', async () => {
    const noisy = [
      ['2024-01-01', 10.500000000000002],
      ['2024-01-03', 10.5000000001],
      ['2024-01-02', 20],
    ];
    assert.equal(await differenceOf([noisy], 3), undefined);
    assert.equal((await differenceOf([noisy.slice(1)], 2))?.missing, 1);
  });

  it('differ if a row of the answer is missing', async () => {
    const net = [['2024-01-01', 9.5], first[1]!, ['2024-01-03', 5]];
    assert.deepEqual(await differenceOf([net], 3), { missing: 1, compared: 2 });
  });

  it('differ if a duplicate row is missing', async () => {
    const answer = new AnswerRows({ columns, rows: [first[0]!, first[0]!], totalRows: 3 });
    const stream = async function* (): AsyncGenerator<{ rows: Rows }> {
      yield { rows: [first[0]!, first[1]!, first[1]!] };
    };
    for await (const batch of answer.watch(stream())) assert.equal(batch.rows.length, 3);
    assert.deepEqual(answer.difference(true), { missing: 1, compared: 2 });
    assert.deepEqual(await differenceOf([[first[0]!, first[0]!]], 2), { missing: 1, compared: 2 });
  });

  it('distinguish null from an empty text', async () => {
    const answer = new AnswerRows({ columns, rows: [['', null]], totalRows: 1 });
    const stream = async function* (): AsyncGenerator<{ rows: Rows }> {
      yield { rows: [[null, '']] };
    };
    for await (const batch of answer.watch(stream())) assert.equal(batch.rows.length, 1);
    assert.equal(answer.difference(true)?.missing, 1);
  });

  it('differ if their number is not the one in the answer', async () => {
    assert.deepEqual(await differenceOf([[...first]], 3), {
      missing: 0,
      compared: 2,
      counts: { answer: 3, loaded: 2 },
    });
  });

  it('are not compared by number while more may arrive, or before as many arrived as in the answer', async () => {
    assert.equal(await differenceOf([[...first]], 3, false), undefined);
    assert.equal(await differenceOf([[['2025-01-01', 1]]], 3, false), undefined);
    const others = [
      ['2025-01-01', 1],
      ['2025-01-02', 2],
    ];
    assert.deepEqual(await differenceOf([others], 3, false), { missing: 2, compared: 2 });
  });

  it('are described with the differing numbers', () => {
    assert.equal(
      describeDifference({ missing: 3, compared: 100, counts: { answer: 366, loaded: 1200 } }),
      'These rows differ from those in the answer. 3 of the 100 rows in the answer are missing. There are 1,200 rows; the ' +
        'answer had 366. The data may have changed since, or the data query API ignores the branch or the identity.',
    );
    assert.doesNotMatch(describeDifference({ missing: 3, compared: 100 }), /There are/);
    const fewer = describeDifference({ missing: 0, compared: 3, counts: { answer: 3, loaded: 1 } });
    assert.match(fewer, /There is 1 row; the answer had 3\./);
    assert.doesNotMatch(fewer, /missing/);
    assert.match(describeDifference({ missing: 1, compared: 100 }), /1 of the 100 rows in the answer is missing\./);
  });
});

describe('all rows of an answer', () => {
  const { signal } = new AbortController();
  const answer = { columns, rows: first, totalRows: 3 };
  const loaded =
    (...rows: Rows[number][]) =>
    () =>
      Promise.resolve({ columns, rows, totalRows: rows.length });
  const third = ['2024-01-03', 5];

  it('are loaded if some are missing and can be loaded', async () => {
    const whole = { ...answer, totalRows: 2 };
    assert.equal(await allRowsOf(whole, loaded(third), { signal }), whole);
    assert.equal(await allRowsOf(answer, undefined, { signal }), answer);
    assert.deepEqual((await allRowsOf(answer, loaded(...first, third), { signal })).rows, [...first, third]);
    assert.equal((await allRowsOf(answer, loaded(...first), { signal })).totalRows, 3);
  });

  it('must contain those of the answer, at the precision', async () => {
    const other = loaded(first[0]!, ['2024-01-02', 20.001], third);
    await assert.rejects(allRowsOf(answer, other, { signal }), /1 of the 2 rows in the answer is missing/);
    assert.equal((await allRowsOf(answer, other, { signal, precision: 4 })).rows.length, 3);
    const notes: string[] = [];
    await allRowsOf(answer, other, { signal, onDifference: (message) => notes.push(message) });
    assert.match(notes.join(), /is missing/);
  });

  it('are not checked if loading was canceled', async () => {
    const table = await allRowsOf(answer, loaded(third), { signal: AbortSignal.abort() });
    assert.equal(table.totalRows, 3);
  });
});
