/** Numbers of a compiled chart that make something in their number, or enlarge the picture. */
import { isFields, listOf, type Fields } from '../json.ts';
import { limits, atMost, refuse } from '../limits.ts';
import type { Bounds } from './bounds.ts';

const most: Readonly<Record<string, number>> = {
  tickCount: 1_000,
  count: 1_000,
  symbolLimit: 1_000,
  columns: 1_000,
  nice: 1_000,
};
/** Literals only: where they are computed, it is from a layout of ours. */
const mostLiteral: Readonly<Record<string, number>> = {
  width: 10_000,
  height: 10_000,
  offset: 5_000,
  labelOffset: 5_000,
  labelPadding: 5_000,
  titlePadding: 5_000,
  tickSize: 5_000,
  padding: 5_000,
  spacing: 1_000,
};
/** Those of them that may be given for each step. */
const mostStep: Readonly<Record<string, number>> = { width: 500, height: 500 };

const intervalTime: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1e3,
  minute: 6e4,
  hour: 36e5,
  day: 864e5,
  week: 6048e5,
  month: 2592e6,
  year: 31536e6,
};

type Value = (parameter: unknown) => Bounds;

/**
 * Checks the members of one object of a compiled specification.
 * @param span milliseconds or units that a scale covers
 * @throws ChartProblem when one asks for too much
 */
export function checkMembers(node: Fields, value: Value, span: number): void {
  checkSizes(node);
  for (const [key, member] of Object.entries(node)) {
    if (Object.hasOwn(most, key)) checkCount(key, member, value, span);
    else if (/dash$/i.test(key)) checkDash(key, member, value);
    else if (key === 'format' && typeof member === 'string' && /\d{4,}/.test(member)) atMost(Infinity, 999, key);
    else if (key === 'base') atMost(1.01 / value(member).low, 1, key);
    else if (key === 'precision') atMost(0.1 / value(member).low, 1, key);
    else if (key === 'scale' && typeof member !== 'string') atMost(value(member).high, 100_000, key);
    else if (key === 'bins' && !Array.isArray(member)) checkBins(member, value);
  }
}

function checkCount(key: string, member: unknown, value: Value, span: number): void {
  if (typeof member === 'boolean') return;
  const interval = typeof member === 'string' ? { interval: member } : member;
  if (!isFields(interval) || interval.interval === undefined) {
    if (typeof member === 'number' || (isFields(member) && member.signal !== undefined))
      atMost(value(member).high, most[key] ?? 0, key);
    return;
  }
  const { step = 1 } = interval;
  const unit = intervalTime[String(interval.interval).replace(/^utc|s$/g, '')] ?? 1;
  if (key === 'nice' || Number(step) > 1_000) atMost(Number(step), 1_000, key);
  else atMost(span / (unit * Math.max(Number(step), 1e-3)), most[key] ?? 0, key);
}

/**
 * Checks sizes that are written as numbers, in a Vega-Lite specification as in a compiled one.
 * @throws ChartProblem when one is too large
 */
export function checkSizes(node: Fields): void {
  for (const [key, member] of Object.entries(node)) {
    const limit = Object.hasOwn(mostLiteral, key) ? (mostLiteral[key] ?? 0) : undefined;
    if (limit === undefined) continue;
    if (typeof member === 'number') atMost(Math.abs(member), limit, key);
    for (const [name, part] of isFields(member) ? Object.entries(member) : [])
      if (typeof part === 'number') atMost(Math.abs(part), name === 'step' ? (mostStep[key] ?? limit) : limit, key);
  }
}

/** Short dashes on a long line are many; those of a scale are Vega's own. */
function checkDash(key: string, member: unknown, value: Value): void {
  const all = Array.isArray(member) && member.every((one) => typeof one === 'number') ? [member] : listOf(member);
  for (const one of all) {
    if (typeof one === 'string' || (isFields(one) && one.scale !== undefined)) continue;
    const { high } = value(isFields(one) && one.signal === undefined ? (one.value ?? refuse(key)) : one);
    if (high !== 0) atMost(0.5 / high, 1, key);
  }
}

function checkBins(member: unknown, value: Value): void {
  if (!isFields(member)) return;
  if (member.signal !== undefined) return atMost(value(member).bins ?? 0, limits.items, 'bins');
  const { start = 0, stop = 0, step = 1 } = member;
  if ([start, stop].every((one) => typeof one === 'number')) {
    atMost(Math.abs((Number(stop) - Number(start)) / Number(step)), 1_000, 'bins');
  }
}
