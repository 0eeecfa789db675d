/** Finds the single views of a specification, their fields and their transforms. */
import { fieldsOf, isFields, type Fields } from '../text/checks.ts';
import { fieldsIn, asList, objectsIn } from './json.ts';
import { plainName } from './names.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';

/** A single view of a specification with the encoding that it inherits. */
export interface Unit {
  mark: string;
  settings: Fields;
  encoding: Fields;
}

function partsOf(spec: Fields): Fields[] {
  const parts = [spec.layer, spec.concat, spec.hconcat, spec.vconcat].flatMap(fieldsIn);
  return isFields(spec.spec) ? [...parts, spec.spec] : parts;
}

export const encodingOf = (spec: Fields): Fields => fieldsOf(spec.encoding);
export const markOf = (spec: Fields): unknown => (isFields(spec.mark) ? spec.mark.type : spec.mark);

/** @returns the single views in order; a repeated view counts once */
export function unitsOf(spec: Fields, inherited: Fields = {}): Unit[] {
  const encoding = { ...inherited, ...encodingOf(spec) };
  const mark = markOf(spec);
  if (typeof mark === 'string') return [{ mark, settings: fieldsOf(spec.mark), encoding }];
  return partsOf(spec).flatMap((child) => unitsOf(child, encoding));
}

/** @returns whether a channel is discrete, so that each value has its own label */
export function isDiscrete(channel: unknown): channel is Fields {
  if (!isFields(channel) || channel.aggregate !== undefined) return false;
  // Without a type, a plain field is discrete.
  const { type = channel.bin === undefined && channel.timeUnit === undefined ? 'nominal' : undefined } = channel;
  return typeof channel.field === 'string' && (type === 'nominal' || type === 'ordinal');
}

/** @returns the number of single views including repeats, but without facets */
export function viewCount(spec: Fields): number {
  const { repeat } = spec;
  const lists = Array.isArray(repeat) ? [repeat] : isFields(repeat) ? Object.values(repeat).filter(Array.isArray) : [];
  const parts = partsOf(spec).reduce((sum, child) => sum + viewCount(child), 0);
  return Math.max(1, parts) * lists.reduce((product, { length }) => product * length, 1);
}

/** @returns the definitions of channels, transforms and sorts that name a field */
export const fieldUses = (spec: Fields): Fields[] => objectsIn(spec).filter(({ field }) => typeof field === 'string');

/** @returns the transforms of all views, outer ones first */
export function transformsOf(spec: Fields): Fields[] {
  return [...fieldsIn(spec.transform), ...partsOf(spec).flatMap(transformsOf)];
}

/**
 * @returns the table with the column of names that a fold creates, in which each name occurs; only for estimates of the
 * distinct values and the longest value of a column
 */
export function withFoldedNames(spec: Fields, table: ResultTable): ResultTable {
  return transformsOf(spec).reduce(({ columns, rows, totalRows }, { fold, as }) => {
    const names = Array.isArray(fold) ? fold.map((field) => plainName(String(field))) : [];
    if (names.length === 0 || rows.length === 0) return { columns, rows, totalRows };
    const name = String(asList(as)[0] ?? 'key');
    const count = Math.max(rows.length, names.length);
    return {
      columns: [...columns, { name, type: 'string' }],
      rows: Array.from({ length: count }, (_, at) => [...(rows[at % rows.length] ?? []), names[at % names.length]]),
      totalRows,
    };
  }, table);
}

/** Number of values of the repeating calendar units. */
export const cycles: Readonly<Record<string, number>> = {
  quarter: 4,
  month: 12,
  week: 54,
  day: 7,
  date: 31,
  hours: 24,
};

/** @param created the number for a field that a transform creates; by default 1 */
export type Count = (channel: unknown, created?: number) => number;

/** Counts the distinct values of a channel's column; estimates those of bins and time units. */
export function countDistinct({ columns, rows }: ResultTable): Count {
  const counted = new Map<number, number>();
  return (channel, created = 1) => {
    if (!isFields(channel) || typeof channel.field !== 'string') return 1;
    const { bin, timeUnit, field } = channel;
    const index = columns.findIndex(({ name }) => name === plainName(field));
    const known = counted.get(index) ?? Math.max(1, new Set(rows.map((row) => String(row[index]))).size);
    counted.set(index, known);
    const count = index < 0 ? created : known;
    const bins = isFields(bin) && typeof bin.maxbins === 'number' ? bin.maxbins : bin ? 10 : Infinity;
    const times = timeUnit === undefined ? Infinity : (cycles[String(timeUnit).replace(/^utc/, '')] ?? 60);
    return Math.min(count, bins, times);
  };
}
