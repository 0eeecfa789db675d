import { t } from '../text/l10n.ts';
import { ChartProblem } from './problem.ts';

/** Far above what a chart in a conversation needs, far below what would hold the page for half a second. */
export const limits = {
  /** Length of the specification, in UTF-16 units; inline map shapes are most of it where there are any. */
  specLength: 2_000_000,
  /** Nesting of the specification, inline data included. */
  depth: 40,
  /** Objects, lists and values of the specification without its inline data. */
  nodes: 20_000,
  /** Values in the specification's own inline data. */
  inlineNodes: 400_000,
  /** Characters of a text of the specification. */
  string: 10_000,
  /** Transforms of all views. */
  transforms: 300,
  /** Views of a specification: concatenated, layered, repeated. Facets come later. */
  views: 60,
  /** Rows of the result. */
  tableRows: 10_000,
  /** Characters of a cell. */
  cell: 2_000,
  /** Rows after a transform that multiplies them. */
  rows: 5_000,
  /** Elements of a list that an expression makes. */
  items: 5_000,
  /** Characters of a text that an expression makes. */
  text: 50_000,
  /** Estimated microseconds of a drawing on a slow machine. */
  work: 700_000,
} as const;

/** @throws ChartProblem when `count` is not known to be at most `most` */
export function atMost(count: number, most: number, what: string): void {
  if (!(count <= most))
    throw tooMuch(t('The chart asks for “{0}: {1}”; the limit is {2}.', what, shown(count), shown(most)));
}

const shown = (count: number): string => (Number.isFinite(count) ? Math.round(count).toLocaleString() : '∞');

export const tooMuch = (message: string): ChartProblem => new ChartProblem('tooLarge', message);

/** @throws ChartProblem */
export function refuse(what: string): never {
  throw new ChartProblem('refused', t('The chart asks for “{0}”, which isn’t supported here.', what.slice(0, 60)));
}
