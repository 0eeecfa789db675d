import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { specDocument } from '../../../../src/shared/chart/document.ts';

describe('a chart’s specification as a document', () => {
  it('is laid out for people', () => {
    assert.equal(specDocument('{"mark":"bar"}'), '{\n  "mark": "bar"\n}\n');
  });

  it('names no schema, which the editor would load from wherever it is', () => {
    const spec = { $schema: 'https://evil.example/?rows', mark: 'bar' };
    assert.deepEqual(JSON.parse(specDocument(JSON.stringify(spec))), { mark: 'bar' });
  });

  it('is what the service wrote where that is no JSON', () => {
    assert.equal(specDocument('{"mark":'), '{"mark":');
  });
});
