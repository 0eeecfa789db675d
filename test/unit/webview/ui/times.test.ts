/** Formatting of the times of questions and threads. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { briefTime, dayAndTime, fullTime } from '../../../../webview/ui/times.ts';

const now = new Date(2026, 4, 12, 9, 47);
const today = new Date(2026, 4, 12, 8, 47).getTime();
const yesterday = new Date(2026, 4, 11, 23, 59).getTime();
const lastYear = new Date(2025, 4, 12, 9, 47).getTime();

describe('A point in time', () => {
  it('of today is shown as a time', () => {
    assert.match(dayAndTime(today, now), /8\D47/);
    assert.doesNotMatch(dayAndTime(today, now), /12/);
    assert.equal(briefTime(today, {}, now), dayAndTime(today, now));
  });

  it('of another day is shown with its day, and of another year with its year', () => {
    assert.match(dayAndTime(yesterday, now), /11.*59/);
    assert.doesNotMatch(dayAndTime(yesterday, now), /2026/);
    assert.match(dayAndTime(lastYear, now), /2025/);
    assert.match(dayAndTime(lastYear, now), /12.*47/);
  });

  it('of another day is shown without its time in a list', () => {
    assert.doesNotMatch(briefTime(yesterday, {}, now), /59/);
    assert.match(briefTime(lastYear, {}, now), /2025/);
  });

  it('is shown in full with its weekday and year', () => {
    const weekday = new Date(yesterday).toLocaleDateString(undefined, { weekday: 'long' });
    assert.ok(fullTime(yesterday).includes(weekday));
    assert.match(fullTime(yesterday), /2026/);
  });
});
