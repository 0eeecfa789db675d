/** Decides what the phrases of a question stand for where they could stand for several things. */
import type { ValueFilter } from './intent.ts';
import type { Concept } from './lexicon.ts';
import type { Mention } from './mentions.ts';
import type { Reader } from './reader.ts';

export const isMeasure = ({ member }: Concept): boolean => member.kind === 'measure';

/** A phrase may name a measure and a dimension ("customers"): where it stands decides. */
export function choose(mention: Mention, ranked: boolean, hasMeasure: boolean): Concept | undefined {
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
export function toFilters(mentions: readonly Mention[], reader: Reader): { filters: ValueFilter[]; split: Concept[] } {
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
