/**
 * Reads the times of a column in the notations that services send. A calendar day stays the day in the cell, in every
 * time zone of the browser.
 */
import { hasZone, isDateTime, isNull, timeSpan } from '../results/cells.ts';
import { offsetAt } from '../results/zones.ts';

/** A point in time, in milliseconds since 1970. */
interface Moment {
  /** The time as written, as if it were UTC. */
  clock: number;
  /** The instant, if the cell contains one: a Unix time, or a time with its zone. */
  instant?: number;
}

const day = 86_400_000;

/** How digits such as 20241 and 202405 are read. */
type Unit = 'week' | 'quarter' | 'month';

const unitOfName = (name: string): Unit =>
  /week|wk|ww|woche|semaine/i.test(name) ? 'week' : /quarter|qtr|quartal|trimestre/i.test(name) ? 'quarter' : 'month';

interface TimeOptions {
  /** Name of the column, which says whether 202405 is a week or a month. */
  name: string;
  /** Whether the chart shows UTC instead of local time. */
  utc: boolean;
  /** IANA name of the time zone in which instants are shown, instead of that of the browser. */
  zone?: string | undefined;
}

/**
 * @param cells cells of the column, from which its notation is found
 * @returns a function that returns a time in ISO format, without a zone for local time; null for null and for a cell that
 * is not a time
 */
export function timeReader(
  cells: readonly unknown[],
  { name, utc, zone }: TimeOptions,
): (cell: unknown) => string | null {
  const read = momentReader(cells, unitOfName(name));
  const instants = cells.map(read).filter((moment) => moment?.instant !== undefined);
  // Midnights, in UTC or in the zone of the service, are calendar days.
  const areDays = instants.every((moment) => moment!.clock % day === 0);
  return (cell) => {
    const { clock, instant } = read(cell) ?? { clock: NaN };
    const isInstant = instant !== undefined && !areDays;
    const time = !isInstant ? clock : zone === undefined ? instant : instant + offsetAt(instant, zone);
    if (!(Math.abs(time) <= 8.64e15)) return null;
    const isLocal = !utc && (!isInstant || zone !== undefined);
    return new Date(time).toISOString().replace(/(\.000)?Z$/, isLocal ? '' : 'Z');
  };
}

const number = /^-?\d{1,20}(\.\d{0,20})?$/;

function momentReader(cells: readonly unknown[], unit: Unit): (cell: unknown) => Moment | undefined {
  const texts = cells.flatMap((cell) => (isNull(cell) ? [] : [textOf(cell)]));
  const numbers = texts.filter((text) => number.test(text));
  // If a single number of a length is no date, the others of that length are none either.
  const lengths = new Set(numbers.map(({ length }) => length));
  const dated = new Set(
    [...lengths].filter((length) => numbers.every((text) => text.length !== length || keyOf(text, unit))),
  );
  const scale = scaleOf(
    Math.max(0, ...numbers.filter(({ length }) => !dated.has(length)).map((text) => Math.abs(Number(text)))),
  );
  const dayFirst = texts.some((text) => /^(1[3-9]|[23]\d)[/-]\d/.test(text));
  return (cell) => {
    const text = textOf(cell);
    if (!number.test(text)) return writtenMoment(text, dayFirst);
    if (dated.has(text.length)) return { clock: keyOf(text, unit)! };
    const instant = Number(text) * scale;
    return Number.isNaN(instant) ? undefined : { clock: instant, instant };
  };
}

const textOf = (cell: unknown): string =>
  typeof cell === 'string' || typeof cell === 'number'
    ? String(cell)
        .trim()
        .replace(/^(\d+)\.0+$/, '$1')
    : '';

/** @returns the milliseconds of the unit of Unix times up to the given one; NaN if it is too small for a Unix time */
function scaleOf(largest: number): number {
  const units = [
    [1e17, 1e-6],
    [1e14, 1e-3],
    [1e11, 1],
    [1e8, 1_000],
  ] as const;
  return units.find(([least]) => largest >= least)?.[1] ?? NaN;
}

/** Years, months, days, hours, minutes and seconds as digits, such as `20240131`. */
const key =
  /^((?:1[6-9]|2[01])\d\d)(?:(0[1-9]|1[0-2])(?:(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])(?:([0-5]\d)([0-5]\d)?)?)?)?)?$/;

/** Years and weeks of ISO 8601, such as `2024-W05`, and `202405` in a column of weeks. */
const week = /^(\d{4})(-?W)?(0[1-9]|[1-4]\d|5[0-3])$/i;

/** @returns the Monday of a week; that of the first week is the one nearest to New Year */
function mondayOf(year: number, number: number): number {
  const fourth = Date.UTC(year, 0, 4);
  return fourth + (7 * (number - 1) - ((new Date(fourth).getUTCDay() + 6) % 7)) * day;
}

function keyOf(text: string, unit: Unit): number | undefined {
  if (unit === 'week' && text.length === 6) {
    const [, year, , number] = week.exec(text) ?? [];
    return year === undefined ? undefined : mondayOf(Number(year), Number(number));
  }
  if (unit === 'quarter' && /^[12]\d{3}[1-4]$/.test(text))
    return Date.UTC(Number(text.slice(0, 4)), Number(text.slice(4)) * 3 - 3);
  const match = key.exec(text);
  if (!match) return undefined;
  const [year, month = 1, date = 1, ...clock] = match
    .slice(1)
    .flatMap((part) => (part === undefined ? [] : [Number(part)]));
  return Date.UTC(year!, month - 1, date, ...clock);
}

const quarter = /^(?:(\d{4})[- ]?Q([1-4])|Q([1-4])[- ](\d{4}))$/i;
/** A date in numbers, with a year of four digits at its start or its end, and its time of day. */
const numeric = /^(\d{1,4})([./-])(\d{1,2})(?:\2(\d{1,4}))?(?:(?: |, ?|T)(\d.*))?$/;
const month =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;

function writtenMoment(text: string, dayFirst: boolean): Moment | undefined {
  if (isDateTime(text) || /^\d{4}-\d\d$/.test(text)) {
    const [clock, instant] = [true, false].map((asWritten) => Math.floor(timeSpan(text, asWritten)![0] / 1_000));
    return { clock: clock!, ...(hasZone(text) ? { instant: instant! } : {}) };
  }
  if (text.length > 60) return undefined;
  const [, year, quarterOf, otherQuarter, otherYear] = quarter.exec(text) ?? [];
  if (year ?? otherYear)
    return { clock: Date.UTC(Number(year ?? otherYear), Number(quarterOf ?? otherQuarter) * 3 - 3) };
  const [, weekYear, isWeek, weekNumber] = week.exec(text) ?? [];
  if (isWeek !== undefined) return { clock: mondayOf(Number(weekYear), Number(weekNumber)) };
  // JavaScript reads a date in almost any text, so only those with a year and a month are passed on.
  const english = month.test(text) && /\b\d{4}\b/.test(text) ? text : inEnglish(text, dayFirst);
  if (english === undefined) return undefined;
  const zone = /(?:Z|UTC|GMT|(?<=:\d\d ?)[+-]\d\d:?\d\d)$/.exec(english)?.[0] ?? '';
  const clock = Date.parse(`${english.slice(0, english.length - zone.length)} UTC`);
  if (Number.isNaN(clock)) return undefined;
  return { clock, ...(zone === '' ? {} : { instant: Date.parse(english) }) };
}

/** @returns a date in numbers as month/day/year and time; undefined for other text */
function inEnglish(text: string, dayFirst: boolean): string | undefined {
  const match = numeric.exec(text);
  if (!match) return undefined;
  const [, first = '', separator, second, third, clock = ''] = match;
  if (first.length === 4) return `${second}/${third ?? 1}/${first} ${clock}`;
  if (third?.length !== 4) return undefined;
  return `${separator === '.' || dayFirst ? `${second}/${first}` : `${first}/${second}`}/${third} ${clock}`;
}
