/**
 * Resolves follow-up questions such as "by region", "against 2023" and "as a bar chart", which refer to the previous
 * question.
 */
import { grainOf } from './grains.ts';
import type { Intent, ValueFilter } from './intent.ts';
import type { Concept, Lexicon } from './lexicon.ts';
import type { TimeWords } from './time.ts';
import type { Wishes } from './wishes.ts';

/** @returns the intent with the members of this lexicon, or `undefined` if its branch lacks one of them */
export function carryOver(intent: Intent, lexicon: Lexicon): Intent | undefined {
  const byKey = new Map(lexicon.concepts.map((concept) => [concept.key, concept]));
  let complete = true;
  const find = (concept: Concept): Concept => {
    const found = byKey.get(concept.key);
    complete &&= found !== undefined;
    return found ?? concept;
  };
  const carried: Intent = {
    ...intent,
    measures: intent.measures.map(find),
    dimensions: intent.dimensions.map(find),
    filters: intent.filters.map((filter) => ({ ...filter, concept: find(filter.concept) })),
    bounds: intent.bounds.map((bound) => ({ ...bound, concept: find(bound.concept) })),
    ...(intent.timeMember ? { timeMember: find(intent.timeMember) } : {}),
  };
  return complete ? carried : undefined;
}

/** @returns the previous intent, changed by the follow-up */
export function refine(
  previous: Intent,
  next: {
    time: TimeWords;
    wishes: Wishes;
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
    focus: undefined,
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
