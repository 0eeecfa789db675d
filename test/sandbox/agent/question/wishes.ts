/** Parses the presentation requested in a question: sort direction, number of rows, kind of chart. */
import type { ChartKind } from './intent.ts';
import type { Reader } from './reader.ts';

export interface Wishes {
  direction?: 'desc' | 'asc';
  limit?: number;
  chart?: ChartKind;
  cumulative: boolean;
}

const counts = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const toCount = (word: string): number => (counts.includes(word) ? counts.indexOf(word) + 1 : Number(word));
const number = String.raw`(\d+|${counts.join('|')})`;
const high = 'top|best|highest|largest|biggest|greatest|leading|strongest|most|busiest|peak';
const low = 'bottom|worst|lowest|smallest|fewest|least|weakest|slowest';

const charts: readonly (readonly [ChartKind, RegExp])[] = [
  ['none', /\b(?:no|without(?: a| any)?|skip the) (?:chart|graph|plot)s?\b|\b(?:just|only|as) (?:a |the )?table\b/],
  ['pie', /\b(?:as |in |with )?(?:a )?(?:pie|donut|doughnut)(?: chart| graph)?\b/],
  [
    'scatter',
    /\b(?:as |in |with )?(?:a )?scatter(?: ?plot| chart| graph)?\b|\bcorrelat(?:ion|e|es|ed)\b|\brelationship\b/,
  ],
  ['stacked', /\b(?:as |in |with )?(?:a )?stacked(?: bars?| columns?| area)?(?: chart| graph)?\b/],
  ['area', /\b(?:as |in |with )?(?:an? )?area (?:chart|graph|plot)\b/],
  ['bar', /\b(?:as |in |with )?(?:a )?(?:bar|column) ?(?:chart|graph|plot|s)?\b/],
  ['line', /\b(?:as |in |with )?(?:a )?line (?:chart|graph|plot)\b/],
];

function readRank(reader: Reader, wishes: Wishes): void {
  if (reader.take(/\bbest[- ]?sell(?:ing|ers?)\b|\btop[- ]?sell(?:ing|ers?)\b/)) {
    wishes.direction = 'desc';
    reader.put(' units sold ');
  }
  if (reader.take(/\bmost (?:popular|used|common|frequent)\b/)) {
    wishes.direction = 'desc';
    reader.put(reader.has(/\b(?:product|item|brand|categor)/) ? ' units sold ' : ' orders ');
  }
  if (reader.take(/\b(?:returned|sent back|come back) (?:the )?most(?: often)?\b|\bmost(?: often)? returned\b/)) {
    wishes.direction = 'desc';
    reader.put(' returns ');
  }
  if (reader.take(/\b(?:most expensive|dearest|priciest)\b(?! (?:list )?price)/)) {
    wishes.direction = 'desc';
    reader.put(' average list price ');
  }
  if (reader.take(/\b(?:least expensive|cheapest)\b(?! (?:list )?price)/)) {
    wishes.direction = 'asc';
    reader.put(' average list price ');
  }
  const counted = reader.take(
    new RegExp(String.raw`\b(${high}|${low}|first)[- ]${number}\b|\b${number} (${high}|${low})\b`),
  );
  const end =
    counted ?? reader.take(new RegExp(String.raw`\b(${high}|${low})\b(?! (?:list |catalogue )?price| recent)`));
  if (!end) return;
  const word = end[1] ?? end[4] ?? '';
  wishes.direction = new RegExp(`^(?:${low})$`).test(word) ? 'asc' : 'desc';
  if (counted) wishes.limit = toCount(counted[2] ?? counted[3] ?? '10');
}

/** Removes these requests from the question. */
export function readWishes(reader: Reader): Wishes {
  const wishes: Wishes = { cumulative: false };
  for (const [kind, pattern] of charts) if (wishes.chart === undefined && reader.take(pattern)) wishes.chart = kind;
  if (reader.take(/\b(?:cumulative(?:ly)?|running (?:total|sum)|accumulated)\b/)) wishes.cumulative = true;
  readRank(reader, wishes);
  if (
    wishes.direction === undefined &&
    reader.take(/\b(?:sorted |ordered |ranked )?(?:descending|in descending order|from high to low)\b/)
  )
    wishes.direction = 'desc';
  if (
    wishes.direction === undefined &&
    reader.take(/\b(?:sorted |ordered |ranked )?(?:ascending|in ascending order|from low to high)\b/)
  )
    wishes.direction = 'asc';
  if (reader.take(/\brank(?:ed|ing)?\b/)) wishes.direction ??= 'desc';
  return wishes;
}
