/** Parses periods: "Q2 2024", "last quarter", "the last 30 days". All days are UTC. */
import { TODAY, addDays } from '../../data/calendar.ts';

export type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A range of ISO days, `[from, to)`. */
export interface Period {
  from: string;
  to: string;
  /** Its name in answers. */
  label: string;
  /** Set if the words name one calendar unit. */
  unit?: Grain;
}

const monthNames = 'January February March April May June July August September October November December'.split(' ');
const monthPattern =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const ordinals: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4 };
const counts = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/**
 * Source of a pattern that matches a period. It has no capturing groups, so that it can be embedded in other patterns.
 */
export const PERIOD = [
  String.raw`20\d\d-\d\d-\d\d`,
  String.raw`${monthPattern} \d{1,2}(?:st|nd|rd|th)?,? 20\d\d`,
  String.raw`\d{1,2}(?:st|nd|rd|th)?(?: of)? ${monthPattern} 20\d\d`,
  String.raw`(?:q[1-4]|(?:the )?(?:first|second|third|fourth) quarter|h[12]|(?:the )?(?:first|second) half)(?:,? (?:of )?20\d\d)?`,
  String.raw`20\d\d[- ]?q[1-4]`,
  String.raw`20\d\d-\d\d`,
  String.raw`${monthPattern}(?:,? (?:of )?20\d\d)?`,
  String.raw`(?:the )?(?:last|past|previous|this|current) (?:year|quarter|month|week)`,
  String.raw`(?:the )?(?:last|past|previous) (?:\d+|${counts.slice(1).join('|')}) (?:day|week|month|quarter|year)s?`,
  String.raw`(?:year|quarter|month) to date|ytd|qtd|mtd|so far this year`,
  'yesterday|today',
  String.raw`20\d\d`,
].join('|');

const [thisYear = 0, thisMonth = 0] = TODAY.split('-').map(Number);
const tomorrow = addDays(TODAY, 1);

const monthStart = (year: number, month: number): string =>
  new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10);

/** @returns the first day of the calendar unit `shift` units after the one that `day` is in */
export function startOf(unit: Grain, day: string, shift = 0): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  if (unit === 'year') return monthStart(year + shift, 1);
  if (unit === 'quarter') return monthStart(year, Math.floor((month - 1) / 3) * 3 + 1 + shift * 3);
  if (unit === 'month') return monthStart(year, month + shift);
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, unit === 'week' ? shift * 7 - weekday : shift);
}

function unitName(unit: Grain, from: string): string {
  const [year = 0, month = 1] = from.split('-').map(Number);
  if (unit === 'year') return String(year);
  if (unit === 'quarter') return `Q${Math.ceil(month / 3)} ${year}`;
  if (unit === 'month') return `${monthNames[month - 1] ?? ''} ${year}`;
  return unit === 'week' ? `the week of ${from}` : from;
}

/** @returns the calendar unit `shift` units after the one that `day` is in */
export function calendarUnit(unit: Grain, day: string, shift = 0): Period {
  const from = startOf(unit, day, shift);
  return { from, to: startOf(unit, from, 1), label: unitName(unit, from), unit };
}

const span = (from: string, to: string, label = `${from} to ${addDays(to, -1)}`): Period => ({ from, to, label });

/** The current unit, from its start through today. */
function unitToDate(unit: Grain): Period {
  const whole = calendarUnit(unit, TODAY);
  return { ...span(whole.from, tomorrow, `${whole.label} so far`), unit };
}

const monthNumber = (word: string): number =>
  monthNames.findIndex((name) => name.toLowerCase().startsWith(word.slice(0, 3))) + 1;

function readDay(words: string): Period | undefined {
  const iso = /^20\d\d-\d\d-\d\d$/.exec(words)?.[0];
  const month = new RegExp(monthPattern).exec(words)?.[0];
  const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b/.exec(words)?.[1];
  const year = /20\d\d/.exec(words)?.[0];
  if (iso !== undefined) return calendarUnit('day', iso);
  if (month === undefined || day === undefined || year === undefined) return undefined;
  return calendarUnit('day', addDays(monthStart(Number(year), monthNumber(month)), Number(day) - 1));
}

function readRelative(words: string): Period | undefined {
  if (words === 'today') return calendarUnit('day', TODAY);
  if (words === 'yesterday') return calendarUnit('day', TODAY, -1);
  if (/^(?:ytd|year to date|so far this year)$/.test(words)) return unitToDate('year');
  if (/^(?:qtd|quarter to date)$/.test(words)) return unitToDate('quarter');
  if (/^(?:mtd|month to date)$/.test(words)) return unitToDate('month');
  const match = /^(?:the )?(last|past|previous|this|current) (?:(\w+) )?(day|week|month|quarter|year)s?$/.exec(words);
  if (!match) return undefined;
  const [, which = '', number, unitWord] = match;
  const unit = unitWord as Grain;
  if (number === undefined)
    return which === 'this' || which === 'current' ? unitToDate(unit) : calendarUnit(unit, TODAY, -1);
  const count = counts.includes(number) ? counts.indexOf(number) : Number(number);
  // Days include today; longer units are complete ones before the current unit.
  if (unit === 'day') return span(addDays(tomorrow, -count), tomorrow);
  return span(startOf(unit, TODAY, -count), startOf(unit, TODAY));
}

function readNamed(words: string): Period | undefined {
  const year = Number(/20\d\d/.exec(words)?.[0] ?? 0);
  const ordinal = ordinals[/first|second|third|fourth/.exec(words)?.[0] ?? ''];
  const quarter = Number(/q([1-4])/.exec(words)?.[1] ?? (words.includes('quarter') ? ordinal : 0));
  // Without a year: the latest such quarter or month that has begun.
  if (quarter > 0) {
    const month = quarter * 3 - 2;
    return calendarUnit('quarter', monthStart(year || (month <= thisMonth ? thisYear : thisYear - 1), month));
  }
  const half = Number(/h([12])/.exec(words)?.[1] ?? (words.includes('half') ? ordinal : 0));
  if (half > 0) {
    const of = year || (half === 1 ? thisYear : thisYear - 1);
    return span(monthStart(of, half * 6 - 5), monthStart(of, half * 6 + 1), `H${half} ${of}`);
  }
  const numeric = /^20\d\d-(\d\d)$/.exec(words)?.[1];
  const name = new RegExp(`^${monthPattern}`).exec(words)?.[0];
  const month = numeric === undefined ? (name === undefined ? 0 : monthNumber(name)) : Number(numeric);
  if (month > 0)
    return calendarUnit('month', monthStart(year || (month <= thisMonth ? thisYear : thisYear - 1), month));
  return year > 0 ? calendarUnit('year', monthStart(year, 1)) : undefined;
}

/** @param words lower-case words that match `PERIOD` */
export function readPeriod(words: string): Period | undefined {
  return readRelative(words) ?? readDay(words) ?? readNamed(words);
}

/** @returns the period moved by a number of calendar units; ends of months stay ends of months */
export function shiftPeriod(period: Period, unit: Grain, by: number): Period {
  const move = (day: string): string => {
    if (unit === 'day' || unit === 'week') return addDays(day, unit === 'week' ? by * 7 : by);
    const months = by * { month: 1, quarter: 3, year: 12 }[unit];
    const [year = 0, month = 0, date = 1] = day.split('-').map(Number);
    const first = monthStart(year, month + months);
    const last = addDays(startOf('month', first, 1), -1);
    const moved = addDays(first, date - 1);
    return moved < last ? moved : last;
  };
  const from = move(period.from);
  const to = period.to === startOf('month', period.to) ? move(period.to) : addDays(move(addDays(period.to, -1)), 1);
  if (period.unit && to === startOf(period.unit, from, 1) && from === startOf(period.unit, from))
    return calendarUnit(period.unit, from);
  return span(from, to);
}

/** @returns `period` truncated to the length of `model`, to compare last year with the current year to date */
export function clipTo(period: Period, model: Period): Period {
  const days = (Date.parse(model.to) - Date.parse(model.from)) / 86_400_000;
  const to = addDays(period.from, days);
  return to < period.to ? span(period.from, to) : period;
}
