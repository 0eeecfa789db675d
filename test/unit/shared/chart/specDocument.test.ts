import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { specDocument } from '../../../../src/shared/chart/json.ts';

describe('a chart’s specification as a document', () => {
  it('is formatted', () => {
    assert.equal(specDocument('{"mark":"bar"}'), '{\n  "mark": "bar"\n}\n');
  });

  it('has no schema, which the editor would download', () => {
    const spec = { $schema: 'https://evil.example/?rows', mark: 'bar' };
    assert.deepEqual(JSON.parse(specDocument(JSON.stringify(spec))), { mark: 'bar' });
  });

  it('is the original text if that is not JSON', () => {
    assert.equal(specDocument('{"mark":'), '{"mark":');
  });
});
