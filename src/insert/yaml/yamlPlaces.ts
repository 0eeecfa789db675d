/** The kinds of places in a YAML file where SQL may go. */
import type { WrittenValue } from './yamlFlow.ts';
import type { YamlLine } from '../../shared/text/yamlScan.ts';

export interface OfEntry {
  key?: string;
  /** Column that the value's lines must be deeper than. */
  column: number;
  /** Start of the line that the key or dash is on, and its indentation: where a comment above goes. */
  entryStart: number;
  entryColumn: number;
}

/** Inside `|` or `>`. */
export interface BlockPlace extends OfEntry {
  kind: 'yamlBlock';
  header: { start: number; end: number; text: string; lineEnd: number };
  /** Columns of indentation; absent while the block is empty. */
  indent?: number;
  /** Start of the first line with content, end of the last one. */
  content?: { start: number; end: number };
}
export interface ScalarPlace extends OfEntry {
  kind: 'yamlScalar';
  value: WrittenValue;
}
export interface EmptyPlace extends OfEntry {
  kind: 'yamlEmptyValue';
  /** From the colon to the end of what may be overwritten: white space and a comment that is kept. */
  gap: { start: number; end: number };
}
export interface BetweenPlace {
  kind: 'yamlBetweenKeys';
  column: number;
  /** A blank line that is used up, or the bare start of a line that moves down, or the bare end of one. */
  at: { start: number; end: number; side: 'blank' | 'before' | 'after' };
  hasSqlKey: boolean;
}
export interface FlowPlace {
  kind: 'yamlFlow';
  key?: string;
  /** The item or value of a key that the cursor stands in. */
  value?: WrittenValue;
}
export type YamlPlace = BlockPlace | ScalarPlace | EmptyPlace | BetweenPlace | FlowPlace;

/** Where it is looked. */
export interface Scan {
  text: string;
  lines: readonly YamlLine[];
  index: number;
  offset: number;
}
