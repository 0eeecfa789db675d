/** The accessible name of a chart, and its title. */
import { isNull } from '../results/cells.ts';
import { plural, t } from '../text/l10n.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';
import { chartNumber } from './mismatches.ts';
import { isFields, type Fields } from '../text/checks.ts';
import { plainName } from './names.ts';
import { type ChartRow } from './rows.ts';
import { unitsOf, type Unit } from './units.ts';

const mostMeasures = 3;
/** Three decimals, but three digits of smaller numbers, such as rates. */
const digits = { maximumFractionDigits: 3, maximumSignificantDigits: 3, roundingPriority: 'morePrecision' } as const;

function kindOf(mark: string): string {
  const kinds: Readonly<Record<string, string>> = {
    arc: t('pie chart'),
    area: t('area chart'),
    bar: t('bar chart'),
    boxplot: t('box plot'),
    circle: t('scatter plot'),
    errorband: t('error bands'),
    errorbar: t('error bars'),
    geoshape: t('map'),
    image: t('pictures'),
    line: t('line chart'),
    point: t('scatter plot'),
    rect: t('heat map'),
    rule: t('lines'),
    square: t('scatter plot'),
    text: t('labels'),
    tick: t('strip plot'),
    trail: t('line chart'),
  };
  return Object.hasOwn(kinds, mark) ? (kinds[mark] ?? mark) : mark;
}

/** Describes a chart: title, marks, fields and extremes of the measures. */
export function altText(spec: Fields, rows: readonly ChartRow[], input: { table: ResultTable; title: string }): string {
  const units = unitsOf(spec);
  const columns = new Set(input.table.columns.map(({ name }) => name));
  const fields = namedFields(units);
  const kinds = [...new Set(units.map(({ mark }) => kindOf(mark)))].join(', ');
  const names = [...new Set(fields.map(({ label }) => label))].join(', ');
  const dimension = fields.find(({ measure, name }) => !measure && columns.has(name))?.name;
  const measures = new Set(fields.filter(({ measure }) => measure).map(({ name }) => name));
  const extremes = [...measures].slice(0, mostMeasures).flatMap((name) => extremesOf(name, dimension, rows));
  const title = input.title || chartTitle(spec);
  const sentences = [
    title === '' ? t('Chart') : t('Chart: {0}', title),
    names === '' ? kinds : t('{0} of {1}', kinds, names),
    plural(rows.length, '{0} row|{0} rows'),
    ...extremes,
  ];
  return sentences.filter((sentence) => sentence !== '').join('. ');
}

/** @returns the title of a specification, otherwise its description; empty if it has neither */
export function chartTitle({ title, description }: Fields): string {
  const text = isFields(title) ? title.text : title;
  if (Array.isArray(text)) return text.join(' ');
  return typeof text === 'string' ? text : typeof description === 'string' ? description : '';
}

interface NamedField {
  name: string;
  label: string;
  measure: boolean;
}

function namedFields(units: readonly Unit[]): NamedField[] {
  const definitions = units.flatMap(({ encoding }) => Object.values(encoding).filter(isFields));
  return definitions.flatMap(({ field, aggregate, type }) => {
    if (typeof field !== 'string')
      return aggregate === 'count' ? [{ name: '', label: t('count'), measure: false }] : [];
    const name = plainName(field);
    const label = typeof aggregate === 'string' ? `${name} (${aggregate})` : name;
    return [{ name, label, measure: type === 'quantitative' || aggregate !== undefined }];
  });
}

function extremesOf(name: string, dimension: string | undefined, rows: readonly ChartRow[]): string[] {
  const drawn = rows.filter((row) => chartNumber(row[name]) !== undefined);
  if (drawn.length === 0) return [];
  const value = (row: ChartRow): number => Number(row[name]);
  const lowest = drawn.reduce((one, other) => (value(other) < value(one) ? other : one));
  const highest = drawn.reduce((one, other) => (value(other) > value(one) ? other : one));
  const shown = (row: ChartRow): string => {
    const number = value(row).toLocaleString(undefined, digits);
    return dimension === undefined ? number : t('{0} at {1}', number, valueText(row[dimension]));
  };
  return [t('{0}: lowest {1}, highest {2}', name, shown(lowest), shown(highest))];
}

function valueText(value: unknown): string {
  if (isNull(value)) return t('no value');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/T00:00:00(\.0+)?Z?$/, '').slice(0, 60);
}
