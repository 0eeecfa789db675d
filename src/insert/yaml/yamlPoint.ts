/** Where in a YAML file SQL goes for a cursor. */
import type { CST } from 'yaml';
import { isBlank, leadingWhite, lineAt, type Line } from '../../shared/text/lines.ts';
import type { Span } from '../types.ts';
import type { YamlReading } from './yamlReader.ts';
import {
  blockLines,
  flowValueAt,
  isScalarValue,
  type ScalarValue,
  type YamlEntry,
  type YamlValue,
} from './yamlTree.ts';

interface OfEntry {
  key?: string;
  entry: YamlEntry;
  /** Column that the lines of the value must be deeper than. */
  column: number;
  siblings: readonly YamlEntry[];
}

/** Inside `|` or `>`. */
export interface BlockPoint extends OfEntry {
  kind: 'yamlBlock';
  header: { start: number; end: number; text: string; lineEnd: number };
  /** Columns of indentation; absent while the block is empty. */
  indent?: number;
  /** Start of the first line with content, end of the last one. */
  content?: Span;
}
export interface ScalarPoint extends OfEntry {
  kind: 'yamlScalar';
  value: ScalarValue;
}
export interface EmptyPoint extends OfEntry {
  kind: 'yamlEmptyValue';
  /** From the colon to the end of what may be overwritten: white space and a comment that is kept. */
  gap: Span;
}
export interface BetweenPoint {
  kind: 'yamlBetweenKeys';
  key: 'sql';
  column: number;
  /** A blank line that is used up, or the bare start of a line that moves down, or the bare end of one. */
  at: Span & { side: 'blank' | 'before' | 'after' };
  siblings: readonly YamlEntry[];
}
export interface FlowPoint {
  kind: 'yamlFlow';
  key?: string;
  /** The item or value of a key that the cursor is in. */
  value?: ScalarValue;
  siblings: readonly YamlEntry[];
}
export type YamlPoint = BlockPoint | ScalarPoint | EmptyPoint | BetweenPoint | FlowPoint;

/** Keys whose value is a list or a mapping, never SQL. */
const COLLECTIONS =
  /^(cubes|views|measures|dimensions|segments|joins|hierarchies|pre_?aggregations|includes|excludes|meta|case|when|filters|access_policy|refresh_key)$/i;
/** Keys without a value yet whose value is a mapping that may have a key `sql`. */
const MAPPINGS = /^(meta|refresh_?key)$/i;

/** What is around the cursor. */
interface Around {
  text: string;
  offset: number;
  line: Line;
  /** The last entry that begins above the line, the entries that begin on it, and the first one below. */
  above: YamlEntry | undefined;
  own: YamlEntry[];
  below: YamlEntry | undefined;
}

function blockPoint(text: string, entry: YamlEntry, { start, end, token }: YamlValue): BlockPoint {
  const header = text.slice(start, end);
  const digit = /[1-9]/.exec(header)?.[0];
  const content = blockLines(token);
  const column = Math.max(0, entry.column);
  const shown = content && leadingWhite(text.slice(content.start, content.end)).length;
  const indent = digit === undefined ? shown : column + Number(digit);
  return {
    kind: 'yamlBlock',
    ...ofEntry(entry),
    header: { start, end, text: header, lineEnd: lineAt(text, start).end },
    ...(indent === undefined ? {} : { indent }),
    ...(content === undefined ? {} : { content }),
  };
}

function ofEntry(entry: YamlEntry): OfEntry {
  const { key, column, siblings } = entry;
  return { ...(key === undefined ? {} : { key }), entry, column: Math.max(0, column), siblings };
}

function pointIn({ text, offset }: Around, entry: YamlEntry): YamlPoint | undefined {
  const { value, key = '', gap } = entry;
  if (value === undefined) {
    if (entry.hasChildren || COLLECTIONS.test(key)) return undefined;
    return { kind: 'yamlEmptyValue', ...ofEntry(entry), gap: { start: gap, end: lineAt(text, gap).end } };
  }
  if (value.style === 'block') return blockPoint(text, entry, value);
  if (isScalarValue(value)) return { kind: 'yamlScalar', ...ofEntry(entry), value };
  if (offset <= value.start) return undefined;
  const found = flowValueAt(value.token as CST.FlowCollection, offset);
  return { kind: 'yamlFlow', ...found, siblings: [] };
}

/** Whether the line, which begins no entry, belongs to the value of the entry above it. */
function continues({ text, offset, line, above }: Around): boolean {
  const value = above?.value;
  if (above === undefined || value === undefined) return false;
  if (value.style !== 'block') return line.start < value.end;
  const content = blockLines(value.token);
  const end = content?.end ?? lineAt(text, value.end).end;
  if (line.start <= end) return true;
  const isBehind = isBlank(text.slice(end, line.end));
  return isBehind && (content === undefined || Math.max(line.text.length, offset - line.start) > above.column);
}

/** A key without a value above a blank line that is indented deeper than it. */
function emptyAbove(around: Around): EmptyPoint | undefined {
  const { text, line, above } = around;
  if (above === undefined || line.text.length <= above.column) return undefined;
  if (!isBlank(text.slice(lineAt(text, above.gap).end, line.end))) return undefined;
  const point = pointIn(around, above);
  return point?.kind === 'yamlEmptyValue' ? { ...point, gap: { start: above.gap, end: line.end } } : undefined;
}

/** @returns the entry and those that it is nested in */
export function* chainOf(entry: YamlEntry | undefined): Generator<YamlEntry> {
  for (let at = entry; at !== undefined; at = at.parent) yield at;
}

const isFirstOnLine = (text: string, { start }: YamlEntry): boolean =>
  leadingWhite(lineAt(text, start).text).length === start - lineAt(text, start).start;

/** Where a new key goes for a cursor that is in no value. */
function betweenPoint(around: Around, mark: number | undefined): BetweenPoint {
  const { text, line, above, own, below } = around;
  const next = own[0] ?? below;
  const near = [...chainOf(above), ...(next === undefined ? [] : [next])].filter(({ key }) => key !== undefined);
  // A key cannot stand above one that is deeper, nor above the dash of another item.
  const choices = near.filter(
    ({ column }) => next === undefined || column > next.column || (next.key !== undefined && column === next.column),
  );
  const make = (wanted: number, at: BetweenPoint['at']): BetweenPoint => {
    // A document that is one value has no column.
    const column = Math.max(0, wanted);
    const siblings = near.find((each) => each.column === column)?.siblings ?? [];
    return { kind: 'yamlBetweenKeys', key: 'sql', column, at, siblings };
  };
  const before = ({ start }: YamlEntry): BetweenPoint['at'] => {
    const at = lineAt(text, start).start;
    return { start: at, end: at, side: 'before' };
  };
  if (mark !== undefined && line.start <= mark && own.length === 0) {
    const { end } = lineAt(text, mark);
    return make(next?.column ?? 0, { start: end, end, side: 'after' });
  }
  if (own[0]?.key !== undefined) return make(own[0].column, before(own[0]));
  // Between `measures:` and its list nothing fits: the new key goes above it.
  if (above?.key !== undefined && above.hasChildren && isFirstOnLine(text, above))
    return make(above.column, before(above));
  const isLineBlank = isBlank(line.text);
  const wanted = isLineBlank ? line.text.length : leadingWhite(line.text).length;
  const nextColumn = next?.key === undefined ? undefined : next.column;
  const fallback = (wanted === 0 ? nextColumn : undefined) ?? choices[0]?.column ?? wanted;
  const isChild = above?.value === undefined && wanted > (above?.column ?? wanted) && MAPPINGS.test(above?.key ?? '');
  const fits = isChild || (wanted > 0 && choices.some(({ column }) => column === wanted));
  // Blank lines are used up, comments stay above, everything else moves down.
  const at = isLineBlank
    ? ({ start: line.start, end: line.end, side: 'blank' } as const)
    : /^\s*#/.test(line.text)
      ? ({ start: line.end, end: line.end, side: 'after' } as const)
      : ({ start: line.start, end: line.start, side: 'before' } as const);
  return make(fits ? wanted : fallback, at);
}

function around(text: string, entries: readonly YamlEntry[], offset: number): Around {
  const line = lineAt(text, offset);
  const first = entries.findIndex(({ start }) => start >= line.start);
  const begin = first < 0 ? entries.length : first;
  const behind = entries.findIndex(({ start }) => start > line.end);
  const end = behind < 0 ? entries.length : behind;
  const last = entries[begin - 1];
  // Entries of the document before have nothing to do with this one.
  const isOther = last !== undefined && /^(?:---|\.\.\.)/m.test(text.slice(last.end, line.start));
  return { text, offset, line, above: isOther ? undefined : last, own: entries.slice(begin, end), below: entries[end] };
}

/** @returns what the offset of a YAML text is in */
export function insertionPoint({ text, entries, mark }: YamlReading, offset: number): YamlPoint {
  const here = around(text, entries, offset);
  const { above, own } = here;
  const last = own.at(-1);
  const inside =
    last === undefined || (last.column >= 0 && offset <= (own[0]?.start ?? 0))
      ? above !== undefined && continues(here)
        ? pointIn(here, above)
        : undefined
      : pointIn(here, last);
  return inside ?? emptyAbove(here) ?? betweenPoint(here, mark);
}
