/** Functions of Vega's expression language that read dates and format numbers as the grid does. */
import { expressionFunction } from 'vega';
import { calendarDate } from '../../src/shared/chart/cellReader.ts';
import { isNull } from '../../src/shared/results/cells.ts';
import { tooltipNumber } from './exactNumbers.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const local = (value: unknown): unknown => (typeof value === 'string' ? (calendarDate(value) ?? value) : value);
const dateOf = (value: unknown): Date => new Date((isNull(value) ? NaN : local(value)) as string);

/**
 * In expressions, as in columns, a date without a zone is a calendar day: makes all functions parse it in local time,
 * where JavaScript uses UTC. The parts of null are null; JavaScript returns those of 1970.
 */
function readDatesLocally(): void {
  // The interpreter treats a single number as a year.
  expressionFunction('datetime', (...parts: [number]) => (parts.length > 1 ? new Date(...parts) : dateOf(parts[0])));
  const parts = {
    year: 'getFullYear',
    month: 'getMonth',
    date: 'getDate',
    day: 'getDay',
    hours: 'getHours',
    minutes: 'getMinutes',
    seconds: 'getSeconds',
    milliseconds: 'getMilliseconds',
    time: 'getTime',
  } as const;
  for (const [name, part] of Object.entries(parts))
    expressionFunction(name, (value: unknown) => (isNull(value) ? null : dateOf(value)[part]()));
  for (const name of ['toDate', 'timeFormat', 'quarter', 'week', 'dayofyear']) {
    const original = expressionFunction(name) as unknown as AnyFunction;
    const read: AnyFunction = function (value, ...rest) {
      if (name !== 'timeFormat') return isNull(value) ? null : original.call(this, local(value), ...rest);
      // It reads no text.
      return original.call(this, typeof value === 'string' ? dateOf(value) : value, ...rest);
    };
    expressionFunction(name, read);
  }
}
readDatesLocally();

/** In tooltips, whole numbers keep all digits, such as those of ids. */
function showWholeNumbers(): void {
  const original = expressionFunction('format') as unknown as AnyFunction;
  const format: AnyFunction = function (value, pattern) {
    const isWhole = Number.isSafeInteger(value) && String(pattern).endsWith(tooltipNumber);
    return original.call(this, value, isWhole ? String(pattern).replace(tooltipNumber, ',d') : pattern);
  };
  expressionFunction('format', format);
}
showWholeNumbers();
