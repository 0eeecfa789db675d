/** Parses the time in a question: its range, a second range to compare with, and the grain to group by. */
import { FIRST_DAY, TODAY, addDays } from '../../data/calendar.ts';
import { PERIOD, calendarUnit, clipTo, readPeriod, shiftPeriod, startOf, type Grain, type Period } from './period.ts';
import type { Reader } from './reader.ts';

/** A recurring calendar part to group by. */
export type CalendarPart = 'weekday' | 'hour';

export interface TimeWords {
  range?: Period;
  /** The earlier of two compared ranges; `range` is the later one. */
  against?: Period;
  grain?: Grain | 'auto';
  part?: CalendarPart;
  /** Whether the change from each period to the next is requested. */
  growth?: boolean;
}

const versus = String.raw`(?:,? ?(?:vs\.?|versus|against|compared? (?:to|with)|relative to|than(?: in)?)(?: that of| the same (?:period|time|day|week|month|quarter)(?: of| in)?)? )`;
const unitWord = '(day|week|month|quarter|year)';

function readGrain(reader: Reader, found: TimeWords): void {
  if (
    reader.take(/\b(?:by|per|each|every|for each|across|over the) (?:weekday|week ?day|day of (?:the )?week|dow)s?\b/)
  )
    found.part = 'weekday';
  else if (reader.take(/\b(?:(?:on )?(?:which|what) |the )?(?:weekday|day of (?:the )?week)\b/)) found.part = 'weekday';
  if (
    reader.take(/\b(?:by|per|each|every) (?:hour|time)(?: of (?:the )?day)?\b|\bat what (?:hour|time)\b|\bwhich hour\b/)
  )
    found.part = 'hour';
  const over = reader.take(new RegExp(String.raw`\b${unitWord}[- ](?:over|on)[- ]\1\b|\b(yoy|mom|qoq|wow)\b`));
  if (over) {
    const short = { yoy: 'year', mom: 'month', qoq: 'quarter', wow: 'week' } as const;
    found.grain = (over[1] as Grain | undefined) ?? short[over[2] as keyof typeof short];
    found.growth = true;
  }
  if (reader.take(/\b(?:growth rates?|growth|change from (?:one )?\w+ to (?:the )?(?:next|\w+))\b/))
    found.growth = true;
  const by = reader.take(
    new RegExp(
      String.raw`\b(?:by|per|each|every|for each|for every|a|across|over the|by the) (?:the )?(?:calendar )?${unitWord}s?(?! ago)\b|\b(?:and|then|,) (?:by )?${unitWord}s?\b`,
    ),
  );
  const adverb = reader.take(/\b(daily|weekly|monthly|quarterly|yearly|annual(?:ly)?)\b/)?.[1];
  const adverbs: Record<string, Grain> = { daily: 'day', weekly: 'week', monthly: 'month', quarterly: 'quarter' };
  if (by) found.grain = (by[1] ?? by[2]) as Grain;
  else if (adverb !== undefined) found.grain = adverbs[adverb] ?? 'year';
  if (
    reader.take(
      /\b(?:over time|trend(?:s|ing)?|timeline|history|evolution|develop(?:ment|ed)?|evolve[ds]?|(?:going|gone) (?:up|down)|(?:grow|ris|fall|declin|increas|decreas|dropp)ing)\b/,
    )
  )
    found.grain ??= 'auto';
  const which = reader.take(
    new RegExp(String.raw`\b(which|what|best|worst|busiest|strongest|weakest|slowest|top|peak) ${unitWord}s?\b`),
  );
  if (which) {
    found.grain = which[2] as Grain;
    // Keep the adjective: it determines the sort direction.
    if (which[1] !== 'which' && which[1] !== 'what') reader.put(` ${which[1] ?? ''} `);
  }
}

/** Parses a range that is relative to another: "the year before", "the same quarter of the previous year". */
function readAgainst(words: string, range: Period): Period | undefined {
  const relative =
    /^(?:the )?(?:same (?:period|time) )?(?:of |in )?(?:the )?(?:(?:previous|prior|preceding) (year|quarter|month|week|period)|(year|quarter|month|week) before)$/.exec(
      words,
    );
  const unit = relative?.[1] ?? relative?.[2];
  if (unit === 'period') {
    const days = (Date.parse(range.to) - Date.parse(range.from)) / 86_400_000;
    return range.unit ? calendarUnit(range.unit, range.from, -1) : shiftPeriod(range, 'day', -days);
  }
  return unit === undefined ? undefined : shiftPeriod(range, unit as Grain, -1);
}

const sizes: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];

/**
 * Parses "last year" next to another range. If the range is shorter than a year, or is last year itself, it means the
 * range one year earlier.
 * @returns undefined if the words have their usual meaning, as in "this year compared to last year"
 */
function readLastAgainst(words: string, range: Period): Period | undefined {
  const unit = LAST_UNIT.exec(words)?.[1] as Grain | undefined;
  if (unit === undefined) return undefined;
  const isShorter = sizes.indexOf(range.unit ?? 'day') < sizes.indexOf(unit);
  return isShorter || readPeriod(words)?.from === range.from ? shiftPeriod(range, unit, -1) : undefined;
}

const LAST_UNIT = /^(?:the )?(?:last|past|previous) (year|quarter|month|week)$/;

const readSecond = (words: string, first: Period): Period | undefined =>
  readAgainst(words, first) ?? readLastAgainst(words, first) ?? readPeriod(words);

const isPartial = (period: Period): boolean =>
  period.unit !== undefined && period.to < startOf(period.unit, period.from, 1);

function setPair(found: TimeWords, first: Period, second: Period): void {
  const [early, late] = first.from <= second.from ? [first, second] : [second, first];
  found.range = late;
  found.against = isPartial(late) ? clipTo(early, late) : early;
}

/** @param previous the range of the previous question, for a follow-up such as "against 2023" */
function readRanges(reader: Reader, found: TimeWords, previous: Period | undefined): void {
  const relative = String.raw`(?:the )?(?:same (?:period|time) )?(?:of |in )?(?:the )?(?:(?:previous|prior|preceding) (?:year|quarter|month|week|period)|(?:year|quarter|month|week) before)`;
  // "with" and "to" separate two ranges only after "compare".
  const beside = reader.has(/\bcompar/) ? `(?:${versus}| with | to )` : versus;
  const two = reader.take(
    new RegExp(
      String.raw`\b(?:in |for |of |between |from )?(${PERIOD})${beside}(?:in |the same period (?:of |in )?)?(${relative}|${PERIOD})\b`,
    ),
  );
  if (two) {
    const [, a = '', b = ''] = two;
    const first = readPeriod(a);
    const second = first && readSecond(b, first);
    if (first && second) return setPair(found, first, second);
  }
  const between = reader.take(
    new RegExp(
      String.raw`\b(?:between|from) (${PERIOD}) (?:and|to|until|through|till) (${PERIOD})\b|\b(${PERIOD}) ?(?:–|-|to|through|until) ?(${PERIOD})\b`,
    ),
  );
  const [, a = between?.[3] ?? '', b = between?.[4] ?? ''] = between ?? [];
  const start = readPeriod(a);
  const end = readPeriod(b);
  if (start && end) {
    // After "compare", "between 2023 and 2024" names two ranges, not one.
    if (reader.has(/\b(?:compare|difference|change)\b/)) return setPair(found, start, end);
    // In "from January to March 2024" the year applies to both months.
    const from = start.from > end.from ? shiftPeriod(start, 'year', -1).from : sameYear(a, b, start, end);
    found.range = { from, to: end.to, label: `${from} to ${addDays(end.to, -1)}` };
    return;
  }
  const pair = reader.take(new RegExp(String.raw`\b(?:in |for |of )?(${PERIOD}) and (?:in )?(${PERIOD})\b`));
  const one = readPeriod(pair?.[1] ?? '');
  const other = readPeriod(pair?.[2] ?? '');
  if (one && other) {
    if (found.grain === undefined || reader.has(/\bcompar/)) return setPair(found, one, other);
    found.range = { from: one.from, to: other.to, label: `${one.label} and ${other.label}` };
    return;
  }
  const open = reader.take(
    new RegExp(
      String.raw`\b(since|after|starting(?: in| from)?|from|before|until|up to|till) (?:the (?:start|beginning|end) of )?(${PERIOD})(?: on(?:wards?)?)?\b`,
    ),
  );
  const edge = readPeriod(open?.[2] ?? '');
  if (open && edge) {
    const word = open[1] ?? '';
    const back = /before|until|up to|till/.test(word);
    const from = back ? FIRST_DAY : word === 'after' ? edge.to : edge.from;
    const to = back ? (word === 'before' ? edge.from : edge.to) : addDays(TODAY, 1);
    found.range = { from, to, label: back ? `up to ${addDays(to, -1)}` : `since ${from}` };
    return;
  }
  const comparison = new RegExp(String.raw`${versus}(?:in )?(${relative}|${PERIOD})\b`);
  const compareWith = (base: Period, words: string): boolean => {
    const second = readSecond(words, base);
    if (second) setPair(found, base, second);
    return second !== undefined;
  };
  // A follow-up such as "against 2023" refers to the range of the previous question.
  const more = previous && reader.take(comparison);
  if (previous && more && compareWith(previous, more[1] ?? '')) return;
  // "Compared to last year" without another range compares the current year to date.
  const last = reader.take(new RegExp(String.raw`${versus}((?:the )?(?:last|previous) (?:year|quarter|month|week))\b`));
  const single = reader.take(
    new RegExp(
      String.raw`\b(?:in |for |during |of |on |within |over |from |as of )?(?:the year )?(${PERIOD})\b(?:'s)?`,
    ),
  );
  found.range = readPeriod(single?.[1] ?? '') ?? found.range;
  if (last) {
    const words = last[1] ?? '';
    const base = found.range ?? readPeriod(words.replace(/last|previous/, 'this'));
    if (base) compareWith(base, words);
    return;
  }
  const against = found.range && reader.take(comparison);
  if (found.range && against) compareWith(found.range, against[1] ?? '');
}

function sameYear(a: string, b: string, start: Period, end: Period): string {
  const named = /20\d\d/;
  if (named.test(a) || !named.test(b) || !start.unit || !/^[a-zq]/.test(a)) return start.from;
  const years = Number(end.from.slice(0, 4)) - Number(start.from.slice(0, 4));
  const moved = shiftPeriod(start, 'year', years).from;
  return moved <= end.from ? moved : start.from;
}

/** Removes all time expressions from the question. */
export function readTime(reader: Reader, previous?: Period): TimeWords {
  const found: TimeWords = {};
  readGrain(reader, found);
  readRanges(reader, found, previous);
  return found;
}
