import { plural, t } from '../text/l10n.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';
import { distinctCounter } from './distinct.ts';
import type { Fields } from './json.ts';
import { limits } from './limits.ts';
import { ChartProblem } from './problem.ts';
import { facetsOf, viewCount } from './units.ts';

/**
 * Multiplies out what a specification would draw, before anything is drawn.
 * @throws ChartProblem when it is too much
 */
export function checkBounds(spec: Fields, table: ResultTable): void {
  const rows = table.rows.length;
  if (rows > limits.rows) tooMany(plural(rows, '{0} row|{0} rows'), limits.rows);
  const views = viewCount(spec);
  if (views > limits.views) tooMany(t('{0} views', views), limits.views);
  if (rows * views > limits.rowViews) tooMany(t('{0} rows in {1} views', rows, views), limits.rowViews);
  const distinct = distinctCounter(table);
  const facets = facetsOf(spec).reduce((product, facet) => product * distinct(facet), 1);
  // Only rows that are there make a facet, whatever the product of the names.
  const small = Math.min(facets, Math.max(rows, 1)) * views;
  if (small > limits.views) tooMany(t('{0} small charts', small), limits.views);
}

function tooMany(what: string, limit: number): never {
  throw new ChartProblem('tooLarge', t('The chart would draw {0}, more than is drawn here ({1}).', what, limit));
}
