import type { ResultTable } from '../wire/toolPayloads.ts';
import { fieldsIn, isFields, listOf, type Fields } from './json.ts';
import { plainName } from './names.ts';
import { type ChartRow } from './rows.ts';
import { fieldUses, transformsOf, unitsOf, type Unit } from './units.ts';

/** Channels in which a value that is no number leaves a mark undrawn. */
const measured = [
  'x',
  'y',
  'x2',
  'y2',
  'theta',
  'theta2',
  'radius',
  'radius2',
  'longitude',
  'latitude',
  'size',
  'color',
];

interface Need {
  name: string;
  valid: (value: unknown) => boolean;
}

/**
 * Counts the rows that leave something undrawn because a value is missing, is not of its type, or has no place on a
 * logarithmic scale. Rows that the specification filters out itself are not among them.
 * @param rows the rows as charts read them
 */
export function undrawnRows(spec: Fields, rows: readonly ChartRow[], table: ResultTable): number {
  const needs = needsByView(spec, table).flat();
  return rows.filter((row) => lacks(row, needs)).length;
}

/** @returns whether every view of a chart leaves out every row */
export function drawsNothing(spec: Fields, rows: readonly ChartRow[], table: ResultTable): boolean {
  return needsByView(spec, table).every((needs) => rows.every((row) => lacks(row, needs)));
}

const lacks = (row: ChartRow, needs: readonly Need[]): boolean => needs.some(({ name, valid }) => !valid(row[name]));

function needsByView(spec: Fields, table: ResultTable): Need[][] {
  const others = new Set([...remadeFields(spec), ...filteredFields(spec)]);
  const columns = new Set(table.columns.map(({ name }) => name).filter((name) => !others.has(name)));
  return unitsOf(spec).map((unit) => needsOf(unit).filter(({ name }) => columns.has(name)));
}

/** Fields that the specification's own transforms make, or make anew under the name of a column. */
function remadeFields(spec: Fields): Set<string> {
  const made = transformsOf(spec).flatMap((transform) => [
    ...listOf(transform.as),
    ...listOf(transform.flatten),
    ...listOf(transform.impute),
    ...['aggregate', 'joinaggregate', 'window'].flatMap((key) => fieldsIn(transform[key]).map(({ as }) => as)),
  ]);
  return new Set(made.filter((name) => typeof name === 'string'));
}

/** Fields that a filter asks for: which rows have no value for them is the specification's own concern. */
function filteredFields(spec: Fields): string[] {
  return transformsOf(spec).flatMap(({ filter }) => [
    ...fieldUses({ filter }).map(({ field }) => plainName(String(field))),
    ...expressionsIn(filter).flatMap((text) =>
      [...text.matchAll(/\bdatum(?:\.(\w+)|\[["']([^"']{1,200})["']\])/g)].map(
        ([, member = '', name = member]) => name,
      ),
    ),
  ]);
}

function expressionsIn(filter: unknown): string[] {
  if (typeof filter === 'string') return [filter];
  if (!isFields(filter)) return [];
  return ['and', 'or', 'not'].flatMap((key) => listOf(filter[key]).flatMap(expressionsIn));
}

/** Aggregates whose result is a number, whatever the channel's type says. */
const numeric = new Set([
  'sum',
  'mean',
  'average',
  'median',
  'stdev',
  'stdevp',
  'variance',
  'variancep',
  'product',
  'q1',
  'q3',
]);

function needsOf({ encoding, settings }: Unit): Need[] {
  const { invalid } = settings;
  if (invalid === null || (typeof invalid === 'string' && /show|include/.test(invalid))) return [];
  return measured.flatMap((channel) => {
    const definition = encoding[channel];
    if (!isFields(definition) || typeof definition.field !== 'string') return [];
    const { field, type, timeUnit, scale, aggregate } = definition;
    if (aggregate === 'count' || aggregate === 'distinct') return [];
    const name = plainName(field);
    if (type === 'temporal' || (timeUnit !== undefined && type === undefined)) return [{ name, valid: isTime }];
    if (type !== 'quantitative' && (type !== undefined || !numeric.has(String(aggregate)))) return [];
    const logarithmic = isFields(scale) && scale.type === 'log' && aggregate === undefined;
    return [{ name, valid: logarithmic ? isPositive : isNumber }];
  });
}

const isNumber = (value: unknown): boolean => numberOf(value) !== undefined;
const isPositive = (value: unknown): boolean => (numberOf(value) ?? 0) > 0;

/** @returns the number that a chart takes a value for, if it takes it for one */
export function numberOf(value: unknown): number | undefined {
  if (value === null || value === undefined || value === '' || typeof value === 'object') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function isTime(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
