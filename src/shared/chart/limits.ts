/** The limits of charts, and the problem that is reported if a chart exceeds one. */
import { t } from '../text/l10n.ts';

export type ChartProblemKind = 'invalid' | 'refused' | 'tooLarge' | 'tooSlow';

/** Why a chart is not drawn; `message` is a localized sentence. */
export class ChartProblem extends Error {
  readonly kind: ChartProblemKind;

  constructor(kind: ChartProblemKind, message: string) {
    super(message);
    this.name = 'ChartProblem';
    this.kind = kind;
  }
}

/** Maximum sizes, well above those of charts in conversations. */
export const limits = {
  /** Length of the specification in UTF-16 units; inline map shapes can be large. */
  specLength: 2_000_000,
  /** Nesting of the specification without its inline data. */
  depth: 40,
  /** Number of objects, lists and values in the specification without its inline data. */
  nodes: 20_000,
  /** Length of a string in the specification. */
  string: 10_000,
  transforms: 100,
  /** Number of selections times that of views. */
  selections: 200,
  /** Number of views: concatenated, layered or repeated. Facets are counted after compiling. */
  views: 60,
  /** Rows of the result, and of inline data. */
  tableRows: 10_000,
  /** Characters of a cell. */
  cell: 2_000,
  /** Rows after a transform that multiplies them, and elements of a sequence. */
  rows: 5_000,
  /** Marks of all views, groups included. */
  marks: 30_000,
  facets: 500,
  bins: 1_000,
  /** Characters of a text that an expression creates. */
  text: 50_000,
  /** Values that windows read for medians, quartiles and lists. */
  steps: 5_000_000,
  /** Positions in the shapes of a map. */
  positions: 100_000,
} as const;

/** @throws ChartProblem unless `count` is known to be at most `most` */
export function atMost(count: number, most: number, what: string): void {
  if (!(count <= most))
    throw tooLarge(t('The chart asks for “{0}: {1}”; the limit is {2}.', what, shown(count), shown(most)));
}

const shown = (count: number): string => (Number.isFinite(count) ? Math.round(count).toLocaleString() : '∞');

export const tooLarge = (message: string): ChartProblem => new ChartProblem('tooLarge', message);

export function refuse(what: string): never {
  throw new ChartProblem('refused', t('The chart asks for “{0}”, which isn’t supported here.', what.slice(0, 60)));
}
