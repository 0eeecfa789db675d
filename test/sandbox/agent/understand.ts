/** From the words of a question to what it asks of the data model. */
import { FIRST_DAY, TODAY, addDays } from '../data/calendar.ts';
import { readBounds } from './bounds.ts';
import type { Intent, Understanding, ValueFilter } from './intent.ts';
import type { Concept, Lexicon } from './lexicon.ts';
import { findMentions, type Mention } from './mentions.ts';
import type { Grain, Period } from './period.ts';
import { Reader } from './reader.ts';
import { readTime, type TimeWords } from './time.ts';
import { readWishes } from './wishes.ts';

/** What is taken for granted when a question ranks things without saying by what. */
const DEFAULT_MEASURE = 'line_items.revenue';

const shareWords = /^(?:shares?|proportion|percent|percentage|contribution|mix|split|breakdown|distribution)$/;
const helpWords =
  /\b(?:help|what can (?:you|i)|hello|hi|hey|what do you know|which (?:data|measures|metrics|dimensions|members)|what (?:data|measures|metrics))\b/;
const explainWords =
  /\b(?:defin(?:e|ed|ition)|mean(?:s|ing)?|calculated|computed|explain|what is an?|how do you (?:define|calculate|compute))\b/;

const isMeasure = ({ member }: Concept): boolean => member.kind === 'measure';

/** A phrase may name a measure and a dimension ("customers"): where it stands decides. */
function choose(mention: Mention, ranked: boolean, hasMeasure: boolean): Concept | undefined {
  const measures = mention.concepts.filter(isMeasure);
  const dimensions = mention.concepts.filter((concept) => !isMeasure(concept));
  const [measure] = measures;
  const [dimension] = dimensions;
  if (!measure || !dimension) return measure ?? dimension;
  const wantsDimension = mention.grouping || (hasMeasure && ranked) || (ranked && mention.before === '|');
  if (wantsDimension) return dimension;
  // "What enterprise customers spent": the customers only say whose spending is meant.
  return hasMeasure && mention.before !== 'and' && mention.before !== ',' ? undefined : measure;
}

/** "between Europe and Asia": values of one dimension, to be set beside each other or put together. */
function toFilters(mentions: readonly Mention[], reader: Reader): { filters: ValueFilter[]; split: Concept[] } {
  const words = reader.rest.split(' ').filter((word) => word !== '');
  const filters = new Map<string, ValueFilter>();
  for (const { values, at } of mentions) {
    // A city and a country of one name: the wider one.
    const known = values.find(({ concept }) => concept.member.name !== 'city') ?? values[0];
    if (!known) continue;
    const before = words.slice(Math.max(0, at - 3), at).join(' ');
    const exclude = /\b(?:not|without|excluding|except|besides|outside)(?: \w+)?$/.test(before);
    const key = `${known.concept.key} ${exclude}`;
    const held = filters.get(key)?.values ?? [];
    filters.set(key, { concept: known.concept, values: [...new Set([...held, known.value])], exclude });
  }
  const together = / or /.test(reader.rest);
  const split = [...filters.values()].filter(({ values, exclude }) => values.length > 1 && !exclude && !together);
  return { filters: [...filters.values()], split: split.map(({ concept }) => concept) };
}

/** A grain that gives a chart of a readable number of points. */
function autoGrain(range: Period | undefined): Grain {
  const { from, to } = range ?? { from: FIRST_DAY, to: addDays(TODAY, 1) };
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  return days <= 45 ? 'day' : days <= 190 ? 'week' : 'month';
}

function grainOf(time: TimeWords): Grain | undefined {
  return time.grain === 'auto' ? autoGrain(time.range) : time.grain;
}

const unique = (concepts: readonly Concept[]): Concept[] => [...new Set(concepts)];

/**
 * @param question as asked
 * @param previous what the question before it asked, for follow-ups such as "by region" or "against 2023"
 */
export function understand(question: string, lexicon: Lexicon, previous?: Intent): Understanding {
  const reader = new Reader(question);
  const asked = reader.rest;
  reader.take(/\b(?:may|can|could) (?:i|we|you)\b/);
  const explains = explainWords.test(asked);
  const time = readTime(reader, previous?.range);
  const wishes = readWishes(reader);
  const bounds = readBounds(reader, lexicon);
  const { found, unused } = findMentions(reader.rest, lexicon);

  const certain = found.filter(({ concepts }) => concepts.length > 0 && concepts.every(isMeasure));
  const ranked = wishes.direction !== undefined || bounds.length > 0;
  const chosen = found.flatMap((mention) => {
    if (mention.values.length > 0 && !(mention.concepts.length > 0 && mention.grouping)) return [];
    const concept = choose(mention, ranked, certain.length > 0 || bounds.length > 0);
    return concept ? [{ concept, mention }] : [];
  });
  const valueMentions = found.filter(
    ({ values, concepts, grouping }) => values.length > 0 && !(concepts.length > 0 && grouping),
  );
  const { filters, split } = toFilters(valueMentions, reader);

  const share = unused.some(({ word }) => shareWords.test(word));
  const left = unused.filter(({ word }) => !shareWords.test(word));
  let measures = unique(chosen.map(({ concept }) => concept).filter(isMeasure));
  const timeMember = chosen.find(
    ({ concept }) => concept.member.kind === 'dimension' && concept.member.type === 'time',
  )?.concept;
  let dimensions = unique([
    ...chosen.map(({ concept }) => concept).filter((concept) => !isMeasure(concept) && concept !== timeMember),
    ...split,
  ]);
  // A dimension that is only named to say what a value is of ("the region Europe") is not a grouping.
  dimensions = dimensions.filter(
    (dimension) =>
      split.includes(dimension) ||
      chosen.some(({ concept, mention }) => concept === dimension && mention.grouping) ||
      !filters.some(({ concept, values, exclude }) => concept === dimension && values.length === 1 && !exclude),
  );

  if (explains && measures.length + dimensions.length > 0)
    return { kind: 'explain', concepts: [...measures, ...dimensions] };
  const blocking = left.filter(({ grouping }) => grouping).map(({ word }) => word);
  const missing = left.map(({ word }) => word);
  if (blocking.length > 0) return { kind: 'unknown', missing: blocking, near: measures };

  const hasTime = time.range !== undefined || time.grain !== undefined || time.part !== undefined;
  const refines =
    dimensions.length > 0 || filters.length > 0 || hasTime || wishes.chart !== undefined || ranked || share;
  const follows =
    measures.length === 0 && bounds.length === 0 && previous !== undefined && refines && left.length === 0;
  if (follows) return { kind: 'query', intent: followUp(previous, { time, wishes, dimensions, filters, share }) };

  let assumed = false;
  if (measures.length === 0 && bounds.length > 0)
    measures = unique(bounds.map(({ concept }) => concept).filter(isMeasure));
  if (
    measures.length === 0 &&
    left.length === 0 &&
    (ranked || share || time.growth || wishes.cumulative) &&
    (dimensions.length > 0 || hasTime)
  ) {
    measures = lexicon.concepts.filter(({ key }) => key === DEFAULT_MEASURE);
    assumed = true;
  }
  const listing = measures.length === 0 && dimensions.length > 0 && left.length === 0;
  if (measures.length === 0 && !listing) {
    if (missing.length === 0 || helpWords.test(asked)) return { kind: 'help' };
    return { kind: 'unknown', missing, near: dimensions };
  }
  return {
    kind: 'query',
    intent: {
      measures,
      dimensions,
      filters,
      bounds,
      ...(time.range ? { range: time.range } : {}),
      ...(time.against ? { against: time.against } : {}),
      ...(grainOf(time)
        ? { grain: grainOf(time) }
        : time.growth && !time.against
          ? { grain: autoGrain(time.range) }
          : {}),
      ...(time.part ? { part: time.part } : {}),
      ...(timeMember ? { timeMember } : {}),
      growth: time.growth === true,
      share,
      ...wishes,
      assumed,
      unused: missing,
    },
  };
}

function followUp(
  previous: Intent,
  next: {
    time: TimeWords;
    wishes: ReturnType<typeof readWishes>;
    dimensions: readonly Concept[];
    filters: readonly ValueFilter[];
    share: boolean;
  },
): Intent {
  const { time, wishes, dimensions, filters, share } = next;
  const grain = grainOf(time);
  const regroups = dimensions.length > 0 || grain !== undefined || time.part !== undefined;
  const changed = new Set(filters.map(({ concept }) => concept));
  return {
    ...previous,
    ...(regroups ? { dimensions, grain, part: time.part, direction: undefined, limit: undefined } : {}),
    filters: [...previous.filters.filter(({ concept }) => !changed.has(concept)), ...filters],
    ...(time.range ? { range: time.range, against: time.against } : {}),
    growth: time.growth === true || (!regroups && previous.growth),
    share: share || (!regroups && previous.share),
    cumulative: wishes.cumulative || (!regroups && previous.cumulative),
    chart: wishes.chart,
    ...(wishes.direction ? { direction: wishes.direction, limit: wishes.limit } : {}),
    unused: [],
  };
}
