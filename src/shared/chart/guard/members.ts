/** Numbers of a compiled chart that make something in their number, or enlarge the picture. */
import { isFields, listOf, type Fields } from '../json.ts';
import { atMost, limits, refuse } from '../limits.ts';
import type { Bounds } from './bounds.ts';

const sizes = 'offset labelOffset labelPadding titlePadding tickSize padding spacing';
/** The most that a member may be, as a literal or computed. */
const most: Readonly<Record<string, number>> = {
  ...Object.fromEntries('tickCount count symbolLimit columns nice'.split(' ').map((name) => [name, 1_000])),
  scale: 100_000,
};
/** Literals only: what is computed comes from Vega-Lite's own layout. */
const mostLiteral: Readonly<Record<string, number>> = {
  ...Object.fromEntries(sizes.split(' ').map((name) => [name, 5_000])),
  width: 10_000,
  height: 10_000,
};
/** Members of which a small value makes many. */
const least: Readonly<Record<string, number>> = { base: 1.01, precision: 0.1 };

const day = 864e5;
const intervals = { millisecond: 1, second: 1e3, minute: 6e4, hour: 36e5, day, week: 7 * day, month: 30 * day };
const intervalTime: Readonly<Record<string, number>> = { ...intervals, year: 365 * day };

/**
 * Checks the members of one object of a compiled chart.
 * @param value bounds of a literal or an expression
 * @param span milliseconds that a scale of time covers
 * @throws ChartProblem when one asks for too much
 */
export function checkMembers(node: Fields, value: (parameter: unknown) => Bounds, span: number): void {
  checkSizes(node);
  for (const [key, member] of Object.entries(node)) {
    const interval = isFields(member) && 'interval' in member ? member : { interval: member };
    if (Object.hasOwn(most, key) && Object.hasOwn(intervalTime, intervalName(interval.interval)))
      checkInterval(key, interval, span);
    else if (Object.hasOwn(most, key) && (typeof member === 'number' || (isFields(member) && 'signal' in member)))
      atMost(value(member).high, most[key] ?? 0, key);
    else if (Object.hasOwn(least, key)) atMost((least[key] ?? 0) / value(member).low, 1, key);
    else if (/dash$/i.test(key)) checkDash(key, member, value);
    else if (key === 'format' && /\d{4}/.test(String(member))) atMost(Infinity, 999, key);
    else if (key === 'bins' && isFields(member)) checkBins(member, value);
  }
}

/**
 * Checks sizes that are written as numbers, in a Vega-Lite specification as in a compiled one.
 * @throws ChartProblem when one is too large
 */
export function checkSizes(node: Fields): void {
  for (const [key, size] of Object.entries(mostLiteral)) {
    const member = node[key];
    for (const [name, one] of isFields(member) ? Object.entries(member) : [[key, member] as const])
      // Given for each step, it is there many times over.
      if (typeof one === 'number') atMost(Math.abs(one), name === 'step' ? size / 20 : size, key);
  }
}

const intervalName = (interval: unknown): string => String(interval).replace(/^utc|s$/g, '');

/** Ticks by a unit of time are as many as the scale has of it. */
function checkInterval(key: string, { interval, step = 1 }: Fields, span: number): void {
  if (key === 'nice' || Number(step) > 1_000) atMost(Number(step), 1_000, key);
  else atMost(span / ((intervalTime[intervalName(interval)] ?? 1) * Number(step)), 1_000, key);
}

/** Short dashes on a long line are many. Those of a scale are Vega's own. */
function checkDash(key: string, member: unknown, value: (parameter: unknown) => Bounds): void {
  const isPlain = Array.isArray(member) && member.every((one) => typeof one === 'number');
  for (const one of isPlain ? [{ value: member } as Fields] : listOf(member).filter(isFields)) {
    if (one.scale !== undefined) continue;
    const { high } = value(one.signal === undefined ? (one.value ?? refuse(key)) : one);
    if (high !== 0) atMost(0.5 / high, 1, key);
  }
}

function checkBins({ signal, start, stop, step = 1 }: Fields, value: (parameter: unknown) => Bounds): void {
  const bins = typeof signal === 'string' ? value({ signal }).bins : undefined;
  if (bins !== undefined) atMost(bins, limits.rows, 'bins');
  else if (typeof start === 'number') atMost(Math.abs(Number(stop) - start) / Number(step), 1_000, 'bins');
}
