/** In expressions, as in columns, a date without a zone is a calendar day. */
import { expressionFunction } from 'vega';
import { calendarDate } from '../../src/shared/chart/cells.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const local = (value: unknown): unknown => (typeof value === 'string' ? (calendarDate(value) ?? value) : value);
const dateOf = (value: unknown): Date => new Date(local(value) as string);

/** Makes all functions parse such dates in local time, where JavaScript uses UTC. Call it once. */
export function readDatesLocally(): void {
  // The interpreter treats a single number as a year.
  expressionFunction('datetime', (...parts: [number]) => (parts.length > 1 ? new Date(...parts) : dateOf(parts[0])));
  const parts = {
    ...({ year: 'getFullYear', month: 'getMonth', date: 'getDate', day: 'getDay', time: 'getTime' } as const),
    ...({ hours: 'getHours', minutes: 'getMinutes', seconds: 'getSeconds', milliseconds: 'getMilliseconds' } as const),
  };
  for (const [name, part] of Object.entries(parts)) expressionFunction(name, (value: unknown) => dateOf(value)[part]());
  for (const name of ['toDate', 'timeFormat', 'quarter', 'week', 'dayofyear']) {
    const original = expressionFunction(name) as unknown as AnyFunction;
    const read: AnyFunction = function (value, ...rest) {
      return original.call(this, local(value), ...rest);
    };
    expressionFunction(name, read);
  }
}
