/** Parses a question into an intent. */
import { readBounds } from '../bounds.ts';
import type { Intent, Understanding } from './intent.ts';
import type { Concept, Lexicon } from './lexicon.ts';
import { refine } from './followUp.ts';
import { autoGrain, grainOf } from './grains.ts';
import { choose, isMeasure, toFilters } from './meaning.ts';
import { findMentions } from './mentions.ts';
import { Reader } from './reader.ts';
import { readTime } from './time.ts';
import { readWishes } from './wishes.ts';

/** The default measure of a ranking. */
const DEFAULT_MEASURE = 'line_items.revenue';

const shareWords = /^(?:shares?|proportion|percent|percentage|contribution|mix|split|breakdown|distribution)$/;
const helpWords =
  /\b(?:help|what can (?:you|i)|hello|hi|hey|what do you know|which (?:data|measures|metrics|dimensions|members)|what (?:data|measures|metrics))\b/;
const explainWords =
  /\b(?:defin(?:e|ed|ition)|mean(?:s|ing)?|calculated|computed|explain|what is an?|how do you (?:define|calculate|compute))\b/;

const unique = (concepts: readonly Concept[]): Concept[] => [...new Set(concepts)];

/**
 * @param question the question as asked
 * @param previous the intent of the previous question, for follow-ups such as "by region" or "against 2023"
 */
export function understand(question: string, lexicon: Lexicon, previous?: Intent): Understanding {
  const reader = new Reader(question);
  const asked = reader.rest;
  reader.take(/\b(?:may|can|could) (?:i|we|you)\b/);
  // "Placed by German customers" is not a grouping.
  reader.take(/\b(?:placed|made) by(?= \w+ customers)/);
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
  // A dimension named only with its value ("the region Europe") is not a grouping.
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
  if (blocking.length > 0) return { kind: 'unknown', missing: blocking };

  // "What share of the orders is cancelled" needs the other values too, or the share would be 100%.
  const [only] = filters;
  const focus =
    share &&
    dimensions.length === 0 &&
    filters.length === 1 &&
    only?.values.length === 1 &&
    !only.exclude &&
    !time.grain;
  if (focus) dimensions = [only.concept];

  const hasTime = time.range !== undefined || time.grain !== undefined || time.part !== undefined;
  const refines =
    dimensions.length > 0 || filters.length > 0 || hasTime || wishes.chart !== undefined || ranked || share;
  const follows =
    measures.length === 0 && bounds.length === 0 && previous !== undefined && refines && left.length === 0;
  if (follows) return { kind: 'query', intent: refine(previous, { time, wishes, dimensions, filters, share }) };

  let assumed = false;
  if (measures.length === 0 && bounds.length > 0)
    measures = unique(bounds.map(({ concept }) => concept).filter(isMeasure));
  if (
    measures.length === 0 &&
    left.length === 0 &&
    (dimensions.length > 0 || hasTime) &&
    // "How did Electronics do in 2024" uses the default measure too.
    (ranked || share || time.growth || wishes.cumulative || (filters.length > 0 && dimensions.length === 0))
  ) {
    measures = lexicon.concepts.filter(({ key }) => key === DEFAULT_MEASURE);
    assumed = true;
  }
  const listing = measures.length === 0 && dimensions.length > 0 && left.length === 0;
  if (measures.length === 0 && !listing) {
    if (missing.length === 0 || helpWords.test(asked)) return { kind: 'help' };
    return { kind: 'unknown', missing };
  }
  return {
    kind: 'query',
    intent: {
      measures,
      dimensions,
      filters: focus ? [] : filters,
      ...(focus ? { focus: only.values[0] } : {}),
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
