/** Parses dates and times as services write them: ISO 8601 text, with `T` or a space, with or without a zone. */

const DATE_TIME =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?)?\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/;
const CLOCK = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;

/** Microseconds per unit; years and months vary in length and are computed. */
const DAY = 86_400_000_000;
const HOUR = 3_600_000_000;
const MINUTE = 60_000_000;
const SECOND = 1_000_000;

/** @returns whether the text is a full date, with or without a time of day */
export const isDateTime = (text: string): boolean => text.length >= 10 && DATE_TIME.test(text);

function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'UTC') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0);
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE;
}

const micros = (fraction: string | undefined): number =>
  fraction === undefined ? 0 : Number(fraction.slice(0, 6).padEnd(6, '0'));

/**
 * Parses the period that the text names: `2024-03` is a month, `2024-03-01` a day.
 * @returns its start and its end (exclusive) in microseconds since 1970, with text without a zone read as UTC;
 * `undefined` if the text is neither a date nor a time of day
 */
export function timeSpan(text: string): readonly [number, number] | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return /^\d{4}$/.test(text) ? timeSpanOfYear(Number(text)) : clockSpan(text);
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const months = microsOf(Number(year), Number(month) - 1, Number(day ?? 1));
  if (day === undefined) return [months, microsOf(Number(year), Number(month), 1)];
  const clock = Number(hour ?? 0) * HOUR + Number(minute ?? 0) * MINUTE + Number(second ?? 0) * SECOND;
  const start = months + clock + micros(fraction) - offsetOf(zone);
  if (hour === undefined) return [start, start + DAY];
  if (second === undefined) return [start, start + MINUTE];
  return [start, start + (fraction === undefined ? SECOND : 10 ** Math.max(0, 6 - fraction.length))];
}

const timeSpanOfYear = (year: number): readonly [number, number] => [microsOf(year, 0, 1), microsOf(year + 1, 0, 1)];

/** `Date.UTC` maps the years 0 to 99 to 1900 to 1999, but databases can contain them. */
const microsOf = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month, day) * 1000;

function clockSpan(text: string): readonly [number, number] | undefined {
  const match = CLOCK.exec(text);
  if (!match) return undefined;
  const [, hour, minute, second, fraction] = match;
  const start = Number(hour) * HOUR + Number(minute) * MINUTE + Number(second ?? 0) * SECOND + micros(fraction);
  return [start, start + (second === undefined ? MINUTE : fraction === undefined ? SECOND : 1)];
}
