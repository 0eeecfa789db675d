/** Brings what the last question asked to the branch that the next one is asked on. */
import type { Intent } from './intent.ts';
import type { Concept, Lexicon } from './lexicon.ts';

/** @returns the intent in the lexicon's own members, or `undefined` when the branch lacks one of them */
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
