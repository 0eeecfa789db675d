import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { exportComparison } from '../../../src/compare/compareExport.ts';
import { compareTables } from '../../../src/compare/compareTables.ts';
import { contextLabels } from '../../../src/shared/protocol/runs.ts';
import { COLUMNS, left, right, table } from './support.ts';

describe('the sides of a comparison', () => {
  it('are named by what differs: branch, identity or both', () => {
    const labels = (...pairs: [string, string][]): string[] =>
      contextLabels(pairs.map(([branch, identity]) => ({ branch, identity })));
    assert.deepEqual(labels(['main', 'ana'], ['dev', 'ana']), ['main', 'dev']);
    assert.deepEqual(labels(['main', 'ana'], ['main', 'bob'], ['main', 'eve']), ['ana', 'bob', 'eve']);
    assert.deepEqual(labels(['main', 'ana'], ['dev', 'bob']), ['main · ana', 'dev · bob']);
  });
});

describe('an exported comparison', () => {
  const labels = ['main', '=dev'];
  it('is a Markdown table', () => {
    assert.equal(
      exportComparison(compareTables([left, right], undefined), 'markdown', ['main', 'dev']),
      [
        '| status | status | revenue (main) | revenue (dev) | revenue change | revenue % |',
        '| --- | --- | ---: | ---: | ---: | ---: |',
        '| same | new | 100.00 | 100 |  |  |',
        '| added | returned |  | 3 |  |  |',
        '| changed | shipped | 250.5 | 200.25 | -50.25 | -20.06 |',
        '| removed | lost | 7 |  |  |  |',
        '',
      ].join('\n'),
    );
  });

  it('has a column for each of three sides, of which the second has no result', () => {
    assert.equal(
      exportComparison(compareTables([left, undefined, right], undefined), 'csv', ['main', 'dev', 'net']),
      [
        'status,status,revenue (main),revenue (dev),revenue (net)',
        'same,new,100.00,"",100',
        'added,returned,"","",3',
        'changed,shipped,250.5,"",200.25',
        'removed,lost,7,"",""',
        '',
      ].join('\r\n'),
    );
  });

  it('is CSV without formulas', () => {
    const csv = exportComparison(
      compareTables([table(COLUMNS, [['=1+1', -1]]), table(COLUMNS, [['=1+1', -2]])], undefined),
      'csv',
      labels,
    );
    assert.equal(
      csv,
      "status,status,revenue (main),revenue (=dev),revenue change,revenue %\r\nchanged,'=1+1,-1,-2,-1,-100.00\r\n",
    );
  });

  it('has no changes of a column of text that only one side has', () => {
    const noted = table(['note:string', 'revenue:number'], [['rounded', 3]]);
    const comparison = compareTables([table(['revenue:number'], [[1]]), noted], undefined);
    assert.equal(
      exportComparison(comparison, 'csv', ['main', 'dev']),
      'status,revenue (main),revenue (dev),revenue change,revenue %,note (main),note (dev)\r\n' +
        'changed,1,3,2,200.00,"",rounded\r\n',
    );
  });

  it('distinguishes null from a row that a side lacks', () => {
    const comparison = compareTables([table(COLUMNS, [['a', null]]), table(COLUMNS, [['b', 1]])], undefined);
    const [, removed, added] = exportComparison(comparison, 'csv', labels).split('\r\n');
    assert.deepEqual([removed, added], ['removed,a,,"","",""', 'added,b,"",1,"",""']);
  });
});
