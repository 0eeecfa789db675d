/** Compiled charts, and the time that each of their parts takes in the estimate of the guard. */
import assert from 'node:assert/strict';
import { checkChart } from '../../../../src/shared/chart/guard/guard.ts';
import type { Fields } from '../../../../src/shared/text/checks.ts';

/** Microseconds of each part. */
export const [mark, item, group, guide, label, signal, row, one, font] = [150, 18, 450, 1_500, 60, 10, 1.5, 0.15, 300];

export const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ n, g: n % 2, t: 'four', l: [1, 2, 3] }));
/** Ten rows in two groups, with a text of four characters and a list of three values. */
export const rows = { name: 'rows', values: rowsOf(10) };
export const rect = { type: 'rect' };
export const rectOf = (data: string): Fields => ({ ...rect, from: { data } });
export const from = { data: 'rows' };
export const encode = (update: Fields): Fields => ({ encode: { update } });
export const facet = (more: Fields): Fields => ({
  type: 'group',
  from: { facet: { name: 'part', data: 'rows', ...more } },
});
export const inGroups = (more: Fields): Fields => ({ data: [rows], marks: [{ type: 'group', from, ...more }] });
export const groups = 10 * row + mark + 10 * group;
export const band = { name: 'x', type: 'band', domain: { data: 'rows', field: 'n' } };
export const axis = (scale: Fields, more: Fields = {}): Fields => ({
  ...{ data: [rows], scales: [{ name: 'x', ...scale }], axes: [{ scale: 'x', ...more }] },
});
export const drawn = (update: Fields, more: Fields = {}): Fields => ({
  ...{ data: [rows], marks: [{ ...rect, from, ...encode(update) }], ...more },
});
export const ten = 10 * row + mark + 10 * item;
export const transform = (rows: number, copies = 1) => 20 * copies + rows * (0.4 + 0.02 * Math.log2(rows + 1));

export type Costs = [what: string, chart: Fields, items: number, time: number][];

export function compare(costs: Costs): void {
  for (const [what, chart, items, time] of costs) {
    const estimate = checkChart({ ...chart });
    assert.deepEqual([what, estimate.items, estimate.time.toFixed(3)], [what, items, time.toFixed(3)]);
  }
}
