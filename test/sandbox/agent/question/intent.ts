/** The meaning of a question in terms of the data model. */
import type { Concept } from './lexicon.ts';
import type { Grain, Period } from './period.ts';
import type { CalendarPart } from './time.ts';

export type ChartKind = 'line' | 'bar' | 'area' | 'stacked' | 'pie' | 'scatter' | 'none';

export interface ValueFilter {
  concept: Concept;
  values: readonly string[];
  exclude: boolean;
}
/** A bound on a measure or on a numeric dimension. */
export interface Bound {
  concept: Concept;
  operator: '>' | '>=' | '<' | '<=';
  value: number;
}

export interface Intent {
  measures: readonly Concept[];
  dimensions: readonly Concept[];
  filters: readonly ValueFilter[];
  bounds: readonly Bound[];
  range?: Period;
  against?: Period;
  grain?: Grain;
  part?: CalendarPart;
  /** A time dimension other than the view's default, such as the ship date. */
  timeMember?: Concept;
  growth: boolean;
  cumulative: boolean;
  share: boolean;
  /** The value whose share is requested, relative to all values of its dimension. */
  focus?: string;
  /** Sort direction of a ranking, and its number of rows. */
  direction?: 'desc' | 'asc';
  limit?: number;
  chart?: ChartKind;
  /** Whether the measure is a default because the question names none. */
  assumed: boolean;
  /** Words of the question that were not understood. */
  unused: readonly string[];
}

/** The result of parsing a question. */
export type Understanding =
  | { kind: 'query'; intent: Intent }
  /** A question about the data model that needs no query. */
  | { kind: 'explain'; concepts: readonly Concept[] }
  | { kind: 'help' }
  /** The question can't be answered; `missing` are the words that prevent it. */
  | { kind: 'unknown'; missing: readonly string[] };
