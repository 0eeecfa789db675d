import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { gradeTable } from '../../../../src/evals/grading/grade.ts';
import { table } from '../tables.ts';

describe('difference of two results', () => {
  const expected = table('month:time revenue:number', ['2024-01-01', 100], ['2024-02-01', 200], ['2024-03-01', 300]);

  it('has lines that differ exactly where rows differ', () => {
    const actual = table('sales:number m:time', ['300.001', '2024-03-01'], [250, '2024-02-01'], [100, '2024-01-01']);
    const grade = gradeTable(expected, actual);
    assert.ok(grade.status === 'failed');
    assert.equal(grade.message, '1 of 3 rows differs');
    assert.deepEqual(grade.difference.counts, { same: 2, changed: 1, missing: 0, unexpected: 0 });
    assert.deepEqual(grade.difference.text.expected.split('\n'), [
      'month       revenue',
      '2024-01-01      100',
      '2024-02-01      200',
      '2024-03-01      300',
    ]);
    assert.deepEqual(grade.difference.text.actual.split('\n'), [
      'month       revenue',
      '2024-01-01      100',
      '2024-02-01      250',
      '2024-03-01      300',
    ]);
  });

  it('lists missing and unexpected rows with their number', () => {
    const grade = gradeTable(expected, table('month:time revenue:number', ['2024-01-01', 100], ['2024-04-01', 400]));
    assert.ok(grade.status === 'failed');
    assert.equal(grade.message, 'Expected 3 rows, got 2');
    assert.deepEqual(grade.difference.counts, { same: 1, changed: 0, missing: 2, unexpected: 1 });
    assert.match(grade.difference.text.actual, /2024-04-01 +400$/);
  });

  it('names an expected column without a match', () => {
    const grade = gradeTable(
      expected,
      table('month:time region:string', ['2024-01-01', 'EU'], ['2024-02-01', 'EU'], ['2024-03-01', 'US']),
    );
    assert.ok(grade.status === 'failed');
    assert.equal(grade.message, 'The answer has no column that matches “revenue”');
    assert.deepEqual(grade.difference.missingColumns, ['revenue']);
  });

  it('folds many equal rows and distinguishes null, empty and control characters', () => {
    const rows = Array.from({ length: 50 }, (_, index): unknown[] => [`k${index}`, index]);
    const odd = [
      ['x', null],
      ['', 1],
      ['a\nb', 2],
    ];
    const grade = gradeTable(
      table('k:string v:number', ...rows, ...odd),
      table('k:string v:number', ...rows, ['x', 7], ['', 1], ['a\nb', 3]),
    );
    assert.ok(grade.status === 'failed');
    assert.match(grade.difference.text.expected, /\nk0 +0\nk1 +1\n… 47 equal rows\nk49 +49\n/);
    assert.match(grade.difference.text.expected, /x +NULL\n'' +1\na\\nb +2$/);
    assert.ok(grade.difference.text.expected.split('\n').length < 12);
  });
});
