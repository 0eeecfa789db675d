/** Resolves ambiguous phrases of a question. */
import type { ValueFilter } from './intent.ts';
import type { Concept } from './lexicon.ts';
import type { Mention } from './mentions.ts';
import type { Reader } from './reader.ts';

export const isMeasure = ({ member }: Concept): boolean => member.kind === 'measure';

/** Resolves a phrase that names both a measure and a dimension ("customers") by its position in the question. */
export function choose(mention: Mention, ranked: boolean, hasMeasure: boolean): Concept | undefined {
  const measures = mention.concepts.filter(isMeasure);
  const dimensions = mention.concepts.filter((concept) => !isMeasure(concept));
  const [measure] = measures;
  const [dimension] = dimensions;
  if (!measure || !dimension) return measure ?? dimension;
  const wantsDimension = mention.grouping || (hasMeasure && ranked) || (ranked && mention.before === '|');
  if (wantsDimension) return dimension;
  // In "What enterprise customers spent", "customers" belongs to the filter and is not a measure.
  return hasMeasure && mention.before !== 'and' && mention.before !== ',' ? undefined : measure;
}

/**
 * Converts mentioned values to filters, one per dimension.
 * @returns the filters, and the dimensions to group by: those with several values, as in "between Europe and Asia",
 * unless these are joined by "or"
 */
export function toFilters(mentions: readonly Mention[], reader: Reader): { filters: ValueFilter[]; split: Concept[] } {
  const words = reader.rest.split(' ').filter((word) => word !== '');
  const filters = new Map<string, ValueFilter>();
  for (const { values, at } of mentions) {
    // If a city and a country have the same name, use the country.
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
