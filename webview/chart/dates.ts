/** In expressions, as in columns, a date without a zone is a calendar day. */
import { expressionFunction } from 'vega';
import { calendarDate } from '../../src/shared/chart/dates.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const local = (value: unknown): unknown => (typeof value === 'string' ? (calendarDate(value) ?? value) : value);
const dateOf = (value: unknown): Date => new Date(local(value) as string);

/** Makes all functions parse such dates in local time, where JavaScript uses UTC. Call it once. */
export function readDatesLocally(): void {
  // The interpreter treats a single number as a year.
  expressionFunction('datetime', (...parts: [number]) => (parts.length > 1 ? new Date(...parts) : dateOf(parts[0])));
  const parts: Readonly<Record<string, (date: Date) => number>> = {
    year: (date) => date.getFullYear(),
    month: (date) => date.getMonth(),
    date: (date) => date.getDate(),
    day: (date) => date.getDay(),
    hours: (date) => date.getHours(),
    minutes: (date) => date.getMinutes(),
    seconds: (date) => date.getSeconds(),
    milliseconds: (date) => date.getMilliseconds(),
    time: (date) => date.getTime(),
  };
  for (const [name, part] of Object.entries(parts)) {
    expressionFunction(name, (value: unknown) => part(dateOf(value)));
  }
  for (const name of ['toDate', 'timeFormat', 'quarter', 'week', 'dayofyear']) {
    const original = expressionFunction(name) as unknown as AnyFunction;
    const read: AnyFunction = function (value, ...rest) {
      return original.call(this, local(value), ...rest);
    };
    expressionFunction(name, read);
  }
}
