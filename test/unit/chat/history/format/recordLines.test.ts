import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { joined } from '../../../../../src/chat/history/files/files.ts';
import {
  encodeRecord,
  LineSplitter,
  parseRecord,
  type ParsedRecord,
} from '../../../../../src/chat/history/format/records.ts';

function readAll(bytes: Uint8Array, chunk = bytes.length): ParsedRecord[] {
  const found: ParsedRecord[] = [];
  const lines = new LineSplitter((line) => found.push(parseRecord(line)));
  for (let at = 0; at < bytes.length; at += chunk) lines.push(bytes.subarray(at, at + chunk));
  lines.finish();
  return found;
}

const text = (line: string): Uint8Array => new TextEncoder().encode(line);
const values = (found: readonly ParsedRecord[]): object[] =>
  found.flatMap((one) => (one.state === 'record' ? [one.value] : []));
const states = (bytes: Uint8Array): string[] => readAll(bytes).map(({ state }) => state);

const records = [{ kind: 'one', text: 'é\n"x"' }, { kind: 'two' }, { kind: 'three', text: '🙂'.repeat(9) }];
const parts = records.map(encodeRecord);
const file = joined(parts);

describe('a record in a history file', () => {
  it('is restored with any content, however the file is split into chunks', () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), fc.integer({ min: 1, max: 40 }), (wanted, chunk) => {
        const found = readAll(joined(wanted.map(encodeRecord)), chunk);
        assert.deepEqual(values(found), JSON.parse(JSON.stringify(wanted)));
        assert.equal(found.length, wanted.length);
      }),
    );
  });

  it('is read if it precedes a cut, and the cut record counts as truncated, not as corrupt', () => {
    for (let length = 0; length <= file.length; length += 1) {
      let end = 0;
      // The last newline adds nothing to a record.
      const whole = parts.filter((part) => (end += part.length) - 1 <= length).length;
      const found = readAll(file.subarray(0, length));
      assert.deepEqual(values(found), records.slice(0, whole));
      assert.ok(!found.some(({ state }) => state === 'corrupt'), `cut at ${length}`);
    }
  });

  it('is read after a truncated record, which still does not count as corrupt', () => {
    const [first, second] = [parts[0]!, parts[1]!];
    for (let length = 0; length <= first.length; length += 1) {
      const found = readAll(joined([first.subarray(0, length), second]));
      assert.deepEqual(values(found).at(-1), records[1]);
      assert.ok(!found.some(({ state }) => state === 'corrupt'), `cut at ${length}`);
    }
  });

  it('is corrupt if its line is not a JSON object, has bytes after it, or has another shape', () => {
    for (const line of ['{"kind":"on', '{"kind":"one"}x', '[1]', '12345678', 'null', '5f7347c8 9 [1]'])
      assert.deepEqual(states(joined([text(`\n${line}\n`), parts[1]!])), ['corrupt', 'record'], line);
  });

  it('never makes reading throw, whatever the file contains', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => Array.isArray(readAll(bytes))));
  });
});
