/**
 * Properties of the parts of a compiled chart: which are allowed, and the limits of those that multiply work or enlarge
 * the picture.
 */
import { isFields, listOf, type Fields } from '../json.ts';
import { atMost, limits, refuse } from '../limits.ts';
import type { Bounds } from './bounds.ts';

/** Allowed properties of the parts of a compiled chart; all others are rejected. */
export const members = {
  scope:
    '$schema description background padding width height autosize style data signals scales projections axes legends ' +
    'marks title layout encode config name type from sort transform clip interactive aria role zindex key',
  data: 'name values source transform format',
  signal: 'name description value update init on react push',
};

/** @throws ChartProblem if a part has any other property */
export function only(part: Fields, known: string): void {
  for (const key of Object.keys(part)) if (!known.split(' ').includes(key)) refuse(key);
}

/** Maximum value of a property, as a literal or computed. */
const most: Readonly<Record<string, number>> = {
  ...{ tickCount: 1_000, count: 1_000, symbolLimit: 1_000, columns: 1_000, nice: 1_000, scale: 100_000 },
};
/** Properties of which a small value creates many items. */
const least: Readonly<Record<string, number>> = { base: 1.01, precision: 0.1 };

const day = 864e5;
/** Milliseconds of each time unit. */
const intervals: Readonly<Record<string, number>> = {
  ...{ millisecond: 1, second: 1e3, minute: 6e4, hour: 36e5, day, week: 7 * day, month: 30 * day, year: 365 * day },
};

/**
 * Checks the properties of one object of a compiled chart.
 * @param value bounds of a literal or an expression
 * @param span milliseconds that a time scale covers
 * @param bins the number of bins in a signal
 * @throws ChartProblem if a property exceeds its limit
 */
export function checkMembers(
  node: Fields,
  value: (parameter: unknown) => Bounds,
  span: number,
  bins: (signal: unknown) => number | undefined,
): void {
  for (const [key, member] of Object.entries(node)) {
    const { interval = member, step = 1, signal } = isFields(member) ? member : {};
    const unit = intervals[String(interval).replace(/^utc|s$/g, '')];
    if (Object.hasOwn(most, key) && unit !== undefined) {
      // The number of ticks by a time unit depends on the span of the scale.
      atMost(Number(step), 1_000, key);
      if (key !== 'nice') atMost(span / (unit * Number(step)), 1_000, key);
    } else if (Object.hasOwn(most, key) && (typeof member === 'number' || signal !== undefined))
      atMost(value(member).high, most[key] ?? 0, key);
    else if (Object.hasOwn(least, key)) atMost((least[key] ?? 0) / value(member).low, 1, key);
    else if (/dash$/i.test(key)) checkDash(key, member, value);
    else if (key === 'format' && /\d{4}/.test(String(member))) atMost(Infinity, 999, key);
    else if (key === 'bins' && isFields(member)) {
      const { start, stop } = member;
      const fixed = typeof start === 'number' ? Math.abs(Number(stop) - start) / Number(step) : 0;
      atMost(bins(signal) ?? fixed, limits.rows, 'bins');
    }
  }
}

/** Short dashes on a long line are many. Those of scales come from Vega itself. */
function checkDash(key: string, member: unknown, value: (parameter: unknown) => Bounds): void {
  const isPlain = Array.isArray(member) && member.every((one) => typeof one === 'number');
  for (const one of isPlain ? [{ value: member } as Fields] : listOf(member)) {
    if (!isFields(one) || one.scale !== undefined) continue;
    const { high } = value(one.signal === undefined ? (one.value ?? refuse(key)) : one);
    if (high !== 0) atMost(0.5 / high, 1, key);
  }
}
