/** Charts as an agent proposes them for results with a few columns; deterministic. */
import { seeded } from '../../support/random.ts';

export interface BenchChart {
  /** Vega-Lite, without data. */
  spec: object;
  columns: { name: string; type: string }[];
  rows: unknown[][];
}

const columns = [
  { name: 'month', type: 'time' },
  { name: 'region', type: 'string' },
  { name: 'revenue', type: 'number' },
  { name: 'orders', type: 'number' },
];
const REGIONS = 5;
const $schema = 'https://vega.github.io/schema/vega-lite/v5.json';
const x = { field: 'month', type: 'temporal' };
const y = { field: 'revenue', type: 'quantitative' };
const color = { field: 'region', type: 'nominal' };

/** The chart types, drawn in turn. */
const specs = [
  { $schema, mark: 'bar', encoding: { x, y, color } },
  { $schema, mark: { type: 'line', point: true }, encoding: { x, y, color } },
  { $schema, mark: 'point', encoding: { x: { field: 'orders', type: 'quantitative' }, y, color } },
  { $schema, mark: 'bar', encoding: { x: { ...y, aggregate: 'sum' }, y: { ...color, sort: '-x' } } },
];
const points = { $schema, mark: 'point', encoding: { x: { field: 'orders', type: 'quantitative' }, y, color } };
const calculated = {
  ...points,
  transform: [{ calculate: 'datum.revenue / datum.orders', as: 'per order' }],
  encoding: { ...points.encoding, y: { field: 'per order', type: 'quantitative' } },
};

function rowsOf(count: number, seed: number): unknown[][] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, row) => {
    const month = new Date(Date.UTC(2020, Math.floor(row / REGIONS), 1)).toISOString().slice(0, 19);
    return [month, `region ${row % REGIONS}`, Math.round(random() * 1e6), 1 + Math.round(random() * 1e4)];
  });
}

const chart = (spec: object, count: number, seed: number): BenchChart => ({ spec, columns, rows: rowsOf(count, seed) });

/** A chart of 100 rows; each has the next type and its own rows. */
export const smallChart = (at: number): BenchChart => chart(specs[at % specs.length] ?? points, 100, at);

export const largeChart = (): BenchChart => chart(points, 5000, 5);

/** A chart whose specification contains an expression. */
export const calculatedChart = (): BenchChart => chart(calculated, 100, 6);
