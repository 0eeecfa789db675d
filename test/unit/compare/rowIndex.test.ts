import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { cellKey } from '../../../src/compare/rowIndex.ts';

describe('the key of a cell', () => {
  for (const [one, other] of [
    [1, '1.0'],
    ['-0', 0],
    ['1e3', 1000],
    ['2024-01-01', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01 10:00', '2024-01-01T12:00:00+02:00'],
    [null, undefined],
    [{ a: 1 }, { a: 1 }],
    [true, true],
  ])
    it(`is the same for ${JSON.stringify(String(one))} and ${JSON.stringify(String(other))}`, () =>
      assert.equal(cellKey(one), cellKey(other)));

  for (const [one, other] of [
    [1, -1],
    [1, 10],
    [null, ''],
    [null, 'null'],
    [{ a: 1 }, '{"a":1}'],
    ['2024-01-01', '2024-01-02'],
    ['2024-01-01T10:00:00Z', '2024-01-01T10:00:00+02:00'],
    ['a', 'A'],
    [true, false],
  ])
    it(`differs for ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () =>
      assert.notEqual(cellKey(one), cellKey(other)));

  it('is the exact text in a column of text', () => {
    assert.notEqual(cellKey('1.1', true), cellKey('1.10', true));
    assert.notEqual(cellKey('2024-01-01', true), cellKey('2024-01-01T00:00:00', true));
    assert.notEqual(cellKey(null, true), cellKey('null', true));
    assert.equal(cellKey(1, true), cellKey(1));
  });
});
