import assert from 'node:assert/strict';
import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { crc32 } from '../../../src/chat/history/crc32.ts';
import { frame, Lines, unframe, type Unframed } from '../../../src/chat/history/recordLines.ts';
import { joined } from '../../../src/chat/history/files.ts';

function readAll(bytes: Uint8Array, chunk = bytes.length): Unframed[] {
  const found: Unframed[] = [];
  const lines = new Lines((line) => found.push(unframe(line)));
  for (let at = 0; at < bytes.length; at += chunk) lines.push(bytes.subarray(at, at + chunk));
  lines.finish();
  return found;
}

const values = (found: readonly Unframed[]): unknown[] =>
  found.flatMap((one) => (one.state === 'good' ? [one.value] : []));
const spoilt = (found: readonly Unframed[]): boolean =>
  found.some((one) => one.state === 'spoilt' || (one.state === 'good' && one.rubbish));

const records = [{ kind: 'one', text: 'é\n"x"' }, { kind: 'two' }, { kind: 'three', text: '🙂'.repeat(9) }];
const parts = records.map(frame);
const file = joined(parts);

describe('records in a file', () => {
  it('have the checksum that the rest of the world calls CRC-32', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 99 }), (bytes) => crc32(bytes) === zlibCrc32(bytes)));
  });

  it('come back whatever they hold, however the file is cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), fc.integer({ min: 1, max: 40 }), (wanted, chunk) => {
        const bytes = joined(wanted.map(frame));
        assert.deepEqual(values(readAll(bytes, chunk)), JSON.parse(JSON.stringify(wanted)));
        assert.ok(!spoilt(readAll(bytes, chunk)));
      }),
    );
  });

  it('are lost one at most by a flipped bit, which is noticed unless it hit a newline that is there twice', () => {
    for (let bit = 0; bit < file.length * 8; bit += 1) {
      const bytes = file.slice();
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const found = readAll(bytes);
      const kept = values(found);
      let start = 0;
      records.forEach((record, at) => {
        const end = start + parts[at]!.length;
        const hit = bit >> 3 >= start && bit >> 3 < end;
        const isKept = kept.some((value) => JSON.stringify(value) === JSON.stringify(record));
        assert.ok(isKept || hit, `bit ${bit} cost record ${at}`);
        if (!isKept) assert.ok(spoilt(found), `bit ${bit} cost record ${at} silently`);
        start = end;
      });
      assert.ok(kept.every((value) => records.some((record) => JSON.stringify(record) === JSON.stringify(value))));
    }
  });

  it('are all there up to where a file was cut off, and a torn end is no damage', () => {
    for (let length = 0; length <= file.length; length += 1) {
      const found = readAll(file.subarray(0, length));
      let end = 0;
      // The last newline adds nothing to a record.
      const whole = parts.filter((part) => (end += part.length) - 1 <= length).length;
      assert.deepEqual(values(found), records.slice(0, whole));
      assert.ok(!spoilt(found), `cut at ${length}`);
    }
  });

  it('are not touched by a torn record before them', () => {
    const [first, second] = [parts[0]!, parts[1]!];
    for (let length = 0; length <= first.length; length += 1) {
      const found = readAll(joined([first.subarray(0, length), second]));
      assert.deepEqual(values(found).at(-1), records[1]);
      assert.ok(!spoilt(found), `torn at ${length}`);
    }
  });

  it('never make reading throw, whatever a file holds', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => Array.isArray(readAll(bytes))));
  });
});
