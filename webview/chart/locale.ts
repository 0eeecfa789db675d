import type { Fields } from '../../src/shared/chart/json.ts';

const day = 86_400_000;
/** A Sunday, in UTC. */
const sunday = Date.UTC(2023, 0, 1);

const known = new Map<string, Fields>();

/** Vega's number and time locale, derived from the browser's `Intl`. */
export function vegaLocale(language: string): Fields {
  // Vega's default is English, and querying `Intl` takes longer than drawing a small chart.
  if (/^en(-US)?$/.test(language)) return {};
  const locale = known.get(language) ?? makeLocale(language);
  known.set(language, locale);
  return locale;
}

function makeLocale(language: string): Fields {
  const parts = new Intl.NumberFormat(language).formatToParts(-1_234_567.5);
  const part = (type: string, fallback: string): string => parts.find((one) => one.type === type)?.value ?? fallback;
  const names = (options: Intl.DateTimeFormatOptions, count: number, at: (index: number) => number): string[] => {
    const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
    return Array.from({ length: count }, (_, index) => format.format(at(index)));
  };
  const weekday = (index: number): number => sunday + index * day;
  const month = (index: number): number => Date.UTC(2023, index, 15);
  return {
    number: { decimal: part('decimal', '.'), thousands: part('group', ','), grouping: [3], currency: ['$', ''] },
    time: {
      dateTime: '%x, %X',
      date: '%Y-%m-%d',
      time: '%H:%M:%S',
      periods: ['AM', 'PM'],
      days: names({ weekday: 'long' }, 7, weekday),
      shortDays: names({ weekday: 'short' }, 7, weekday),
      months: names({ month: 'long' }, 12, month),
      shortMonths: names({ month: 'short' }, 12, month),
    },
  };
}
