import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isDateTime, timeSpan } from '../../../../src/shared/results/cells.ts';

/** @returns the span in ISO format, to the millisecond */
const span = (text: string): string[] | undefined =>
  timeSpan(text)?.map((micros) => new Date(micros / 1000).toISOString());
/** @returns the length of the span in microseconds */
const lengthOf = (text: string): number => {
  const [start = 0, end = 0] = timeSpan(text) ?? [];
  return end - start;
};

describe('the span of a date or time', () => {
  it('is the year, month or day that the text names', () => {
    assert.deepEqual(span('2024'), ['2024-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z']);
    assert.deepEqual(span('2024-12'), ['2024-12-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z']);
    assert.deepEqual(span('2024-02-29'), ['2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z']);
    assert.equal(span('0050-01-01')?.[0], '0050-01-01T00:00:00.000Z');
  });

  it('is before the first year for dates before Christ', () => {
    assert.deepEqual(span('0001-12-31 BC'), ['0000-12-31T00:00:00.000Z', '0001-01-01T00:00:00.000Z']);
    for (const text of ['0044-03-15 BC', '0044-03-15 (BC)', '-0043-03-15', '0044-03-15 00:00:00+00 BC'])
      assert.equal(span(text)?.[0], '-000043-03-15T00:00:00.000Z', text);
  });

  it('is the minute, second or fraction of a time', () => {
    assert.deepEqual(span('2024-01-02T03:04'), ['2024-01-02T03:04:00.000Z', '2024-01-02T03:05:00.000Z']);
    assert.deepEqual(span('2024-01-02 03:04:05'), ['2024-01-02T03:04:05.000Z', '2024-01-02T03:04:06.000Z']);
    assert.deepEqual(span('2024-01-02 03:04:05.25')?.[0], '2024-01-02T03:04:05.250Z');
    assert.equal(timeSpan('2024-01-02 03:04:05.1234569')?.[0], timeSpan('2024-01-02 03:04:05.123456')?.[0]);
    assert.deepEqual(
      ['.5', '.25', '.250', '.000001', '.0000001'].map((fraction) => lengthOf(`2024-01-02 03:04:05${fraction}`)),
      [100_000, 10_000, 1_000, 1, 1],
    );
  });

  it('is in UTC, east and west of it', () => {
    for (const zone of ['', 'Z', ' UTC', '+00', '+00:00'])
      assert.equal(span(`2024-01-02T12:00:00${zone}`)?.[0], '2024-01-02T12:00:00.000Z', zone);
    for (const zone of ['+05:30', '+0530'])
      assert.equal(span(`2024-01-02T12:00:00${zone}`)?.[0], '2024-01-02T06:30:00.000Z', zone);
    assert.equal(span('2024-01-02T12:00:00-08')?.[0], '2024-01-02T20:00:00.000Z');
    assert.equal(span('2024-01-02T12:00:00-03:30')?.[0], '2024-01-02T15:30:00.000Z');
  });

  it('is at the time of a named zone, in summer and winter and where the clock changes', () => {
    for (const [text, start] of [
      ['2024-01-01 00:00:00.000 Europe/Berlin', '2023-12-31T23:00:00.000Z'],
      ['2024-07-01 00:00:00.000 Europe/Berlin', '2024-06-30T22:00:00.000Z'],
      ['2024-03-31 03:00 Europe/Berlin', '2024-03-31T01:00:00.000Z'],
      ['2024-10-27 02:30 Europe/Berlin', '2024-10-27T00:30:00.000Z'],
      ['2024-03-31 01:59 Europe/Berlin', '2024-03-31T00:59:00.000Z'],
      ['2024-03-10T03:00:00 America/New_York', '2024-03-10T07:00:00.000Z'],
      ['2024-01-01 00:00:00 Asia/Kolkata', '2023-12-31T18:30:00.000Z'],
      ['2024-01-01 00:00:00 America/Argentina/Buenos_Aires', '2024-01-01T03:00:00.000Z'],
      ['2024-01-01 00:00:00 Etc/GMT+5', '2024-01-01T05:00:00.000Z'],
      ['2024-01-01 00:00:00 GMT', '2024-01-01T00:00:00.000Z'],
      ['2024-01-01T00:00+01:00[Europe/Berlin]', '2023-12-31T23:00:00.000Z'],
      ['2024-01-01T00:00:00Z[UTC]', '2024-01-01T00:00:00.000Z'],
    ] as const)
      assert.equal(span(text)?.[0], start, text);
    for (const text of ['2024-01-01 00:00 Europe/Nowhere', '2024-01-01 00:00 CST', '2024-01-01 00:00[UTC]'])
      assert.deepEqual([timeSpan(text), isDateTime(text)], [undefined, false], text);
  });

  it('is that of the text if zones are ignored', () => {
    for (const text of ['2024-01-01 00:00:00 Asia/Kolkata', '2024-01-01 00:00:00+01', '2024-01-01 00:00:00'])
      assert.equal(timeSpan(text, true)?.[0], timeSpan('2024-01-01T00:00:00Z')?.[0], text);
  });

  it('is a time of day since midnight', () => {
    assert.deepEqual(span('01:02'), ['1970-01-01T01:02:00.000Z', '1970-01-01T01:03:00.000Z']);
    assert.deepEqual(span('23:59:58'), ['1970-01-01T23:59:58.000Z', '1970-01-01T23:59:59.000Z']);
    assert.deepEqual([span('00:00:01.5')?.[0], lengthOf('00:00:01.5')], ['1970-01-01T00:00:01.500Z', 1]);
  });

  it('does not exist for other text', () => {
    for (const text of ['', 'May 2024', '20245', '2024-1-1', '1:02', '2024-01-02T03', '2024-01-02x', 'x2024-01-02'])
      assert.equal(timeSpan(text), undefined, text);
  });
});

describe('a full date', () => {
  it('has a day, with or without a time', () => {
    for (const text of ['2024-01-02', '2024-01-02T03:04:05Z', '2024-01-02 03:04']) assert.ok(isDateTime(text), text);
    for (const text of ['2024', '2024-01', '03:04:05', '2024-01-02 and more']) assert.ok(!isDateTime(text), text);
  });
});
