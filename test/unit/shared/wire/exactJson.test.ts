import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseExact, quoteInexact } from '../../../../src/shared/wire/exactJson.ts';

describe('exact JSON', () => {
  it('keeps the digits of numbers that a double would change', () => {
    const text = '{"a": [9007199254740993, 12.50, 1e3, -0, 0.1, 5, "7.0", "\\"8.0", null]}';
    const exact = { a: ['9007199254740993', '12.50', '1e3', '-0', 0.1, 5, '7.0', '"8.0', null] };
    assert.deepEqual(parseExact(text), exact);
    assert.deepEqual(JSON.parse(quoteInexact(text)), exact);
  });

  it('falls back to JSON.parse without source text access', () => {
    fc.assert(
      fc.property(fc.json(), (text) => assert.deepEqual(JSON.parse(quoteInexact(text)), parseExact(text))),
      { numRuns: 500 },
    );
  });
});
