/** Chooses the grain for a question that asks for a trend without naming one. */
import { FIRST_DAY, TODAY, addDays } from '../../data/calendar.ts';
import type { Grain, Period } from './period.ts';
import type { TimeWords } from './time.ts';

/** A grain that gives a readable number of points in a chart. */
export function autoGrain(range: Period | undefined): Grain {
  const { from, to } = range ?? { from: FIRST_DAY, to: addDays(TODAY, 1) };
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  return days <= 45 ? 'day' : days <= 190 ? 'week' : 'month';
}

export function grainOf(time: TimeWords): Grain | undefined {
  return time.grain === 'auto' ? autoGrain(time.range) : time.grain;
}
