/** What a question asks for, in terms of the data model. */
import type { Concept } from './lexicon.ts';
import type { Grain, Period } from './period.ts';
import type { CalendarPart } from './time.ts';

export type ChartKind = 'line' | 'bar' | 'area' | 'stacked' | 'pie' | 'scatter' | 'none';

export interface ValueFilter {
  concept: Concept;
  values: readonly string[];
  exclude: boolean;
}
/** A bound on a measure, or on a dimension that is a number. */
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
  /** A time dimension other than the view's own, such as the ship date. */
  timeMember?: Concept;
  growth: boolean;
  cumulative: boolean;
  share: boolean;
  /** A value whose share is asked for: it is looked for among all values of its dimension. */
  focus?: string;
  /** Which end comes first, and how many rows. */
  direction?: 'desc' | 'asc';
  limit?: number;
  chart?: ChartKind;
  /** Set when no measure was named and one was chosen. */
  assumed: boolean;
  /** Words that could not be used. */
  unused: readonly string[];
}

/** What was made of a question. */
export type Understanding =
  | { kind: 'query'; intent: Intent }
  /** The model can be explained, but nothing is queried. */
  | { kind: 'explain'; concepts: readonly Concept[] }
  | { kind: 'help' }
  /** It cannot be answered; `missing` are the words that stand in the way. */
  | { kind: 'unknown'; missing: readonly string[] };
