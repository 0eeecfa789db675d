/** Reports mismatches of a result and a specification: missing columns, ambiguous columns, dropped rows. */
import { cellText, isNull } from '../results/cells.ts';
import { plural, t } from '../text/l10n.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';
import { tableName } from './attachData.ts';
import { fieldsOf, isFields, type Fields } from '../text/checks.ts';
import { objectsIn } from './json.ts';
import { ChartProblem } from './limits.ts';
import { plainName } from './names.ts';
import { usagesOf, type ChartRow } from './rows.ts';
import { fieldUses, transformsOf, unitsOf, type Unit } from './units.ts';

export const nothingToDraw = (): ChartProblem =>
  new ChartProblem('invalid', t('None of the rows has a value that the chart can draw.'));

/**
 * @returns notices for the user
 * @throws ChartProblem if nothing would be drawn
 */
export function mismatchesOf(spec: Fields, rows: readonly ChartRow[], table: ResultTable): string[] {
  const shared = sharedNames(spec, table);
  const missing = missingFields(spec, table);
  const byView = needsByView(spec, table).map((needs) => rows.filter((row) => lacks(row, needs)));
  const dropped = new Set(byView.flat()).size;
  const unreadable = unreadableTimes(spec, rows, table);
  if (dropped > 0 && byView.every(({ length }) => length === rows.length))
    throw unreadable[0] === undefined ? nothingToDraw() : new ChartProblem('invalid', unreadable[0]);
  if (slicesOf(spec, table).some((name) => rows.some((row) => (chartNumber(row[name]) ?? 0) < 0)))
    throw new ChartProblem('invalid', t('A pie chart can’t show negative values.'));
  const notDrawn = plural(
    dropped,
    '{0} of {1} rows has no drawable value and is left out.|{0} of {1} rows have no drawable value and are left out.',
    dropped,
    rows.length,
  );
  const named = (names: readonly string[]): string => names.join('”, “');
  return [
    ...(shared.length > 0
      ? [t('The result has several columns named “{0}”. The chart uses the first one.', named(shared))]
      : []),
    ...(missing.length > 0
      ? [t('The chart uses the field “{0}”, which the result doesn’t have.', named(missing))]
      : []),
    ...(dropped > 0 ? [notDrawn] : []),
    ...unreadable,
  ];
}

/** @returns notices about cells that are shown as times, but can't be read as such */
function unreadableTimes(spec: Fields, rows: readonly ChartRow[], { columns, rows: cells }: ResultTable): string[] {
  const usages = usagesOf(spec);
  return columns.flatMap(({ name }, index) => {
    if (usages.get(name)?.temporal !== true) return [];
    const unread = cells.filter((row, at) => cellText(row[index]) !== '' && isNull(rows[at]?.[name]));
    if (unread.length === 0) return [];
    return [
      plural(
        unread.length,
        '{0} value of “{1}” can’t be read as a time: {2}|{0} values of “{1}” can’t be read as times, for example {2}',
        unread.length,
        name,
        cellText(unread[0]![index]).slice(0, 60),
      ),
    ];
  });
}

function sharedNames(spec: Fields, { columns }: ResultTable): string[] {
  const used = new Set(fieldUses(spec).map(({ field }) => plainName(String(field))));
  return [...used].filter((name) => columns.filter((column) => column.name === name).length > 1);
}

/** @throws ChartProblem if the result has none of the fields */
function missingFields(spec: Fields, table: ResultTable): string[] {
  const hasOwnData = objectsIn(spec).some(({ data }) => isFields(data) && data.name !== tableName);
  if (hasOwnData || transformsOf(spec).length > 0) return [];
  const definitions = unitsOf(spec).flatMap(({ encoding }) => Object.values(encoding).filter(isFields));
  const named = definitions.map(({ field }) => field).filter((field) => typeof field === 'string');
  const names = [...new Set(named.map(plainName))];
  const columns = new Set(table.columns.flatMap(({ name }) => [name, plainName(name)]));
  const missing = names.filter((name) => !columns.has(name) && !columns.has(name.split('.')[0] ?? ''));
  if (missing.length > 0 && missing.length === names.length)
    throw new ChartProblem('invalid', t('The chart uses fields that the result doesn’t have: {0}', missing.join(', ')));
  return missing;
}

/**
 * A column that must contain a number, a date or, on a logarithmic scale, a positive number; other rows are dropped.
 */
interface Need {
  name: string;
  valid: (value: unknown) => boolean;
}

const lacks = (row: ChartRow, needs: readonly Need[]): boolean => needs.some(({ name, valid }) => !valid(row[name]));

/** Omits columns that a transform reads or creates, because a transform may drop rows intentionally. */
function drawnAsSent(spec: Fields, table: ResultTable): string[] {
  const transformed = transformsOf(spec).flatMap(textsIn);
  const words = new Set(transformed.flatMap((text) => [plainName(text), ...text.split(/\W+/)]));
  return table.columns.map(({ name }) => name).filter((name) => !words.has(name));
}

/** @returns the columns of the sizes of slices; Vega would draw a negative one as if it were positive */
function slicesOf(spec: Fields, table: ResultTable): string[] {
  const pies = unitsOf(spec).filter(({ mark, encoding }) => mark === 'arc' && encoding.theta2 === undefined);
  const thetas = pies
    .map(({ encoding }) => fieldsOf(encoding.theta))
    .filter(({ aggregate, stack }) => aggregate === undefined && stack !== null);
  const sizes = new Set(thetas.map(({ field }) => plainName(String(field))));
  return drawnAsSent(spec, table).filter((name) => sizes.has(name));
}

function needsByView(spec: Fields, table: ResultTable): Need[][] {
  const names = drawnAsSent(spec, table);
  const config = fieldsOf(spec.config);
  return unitsOf(spec).map((unit) =>
    showsAll(unit, config) ? [] : needsOf(unit).filter(({ name }) => names.includes(name)),
  );
}

/** Whether values that are not numbers are drawn, like zero, by the mark's own setting or that of the configuration. */
function showsAll({ mark, settings }: Unit, config: Fields): boolean {
  const [invalid] = [settings, config[mark], config.mark].flatMap((one) =>
    isFields(one) && one.invalid !== undefined ? [one.invalid] : [],
  );
  return invalid === null || invalid === 'show';
}

function textsIn(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsIn) : [];
}

/** Channels that need a number: without it, the mark is not drawn. */
const measured = (
  'x y x2 y2 xOffset yOffset theta theta2 radius radius2 longitude latitude size color fill stroke opacity ' +
  'fillOpacity strokeOpacity strokeWidth angle'
).split(' ');
/** Aggregates with a numeric result, whatever the type of the channel. */
const numeric = /^(sum|mean|average|median|stdevp?|variancep?|product|q1|q3)$/;

function needsOf({ encoding }: Unit): Need[] {
  return measured.flatMap((channel) => {
    const definition = encoding[channel];
    if (!isFields(definition) || typeof definition.field !== 'string') return [];
    const { field, type, timeUnit, scale, aggregate } = definition;
    if (aggregate === 'count' || aggregate === 'distinct') return [];
    const name = plainName(field);
    if (type === 'temporal' || (timeUnit !== undefined && type === undefined)) return [{ name, valid: isTime }];
    if (type !== 'quantitative' && (type !== undefined || !numeric.test(String(aggregate)))) return [];
    const isLogarithmic = isFields(scale) && scale.type === 'log' && aggregate === undefined;
    const lowest = isLogarithmic ? Number.MIN_VALUE : -Infinity;
    return [{ name, valid: (value: unknown) => (chartNumber(value) ?? NaN) >= lowest }];
  });
}

/** @returns the number that a chart reads from a value, if any */
export function chartNumber(value: unknown): number | undefined {
  if (value === '' || typeof value === 'object') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const isTime = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isFinite(value) : !Number.isNaN(Date.parse(String(value)));
