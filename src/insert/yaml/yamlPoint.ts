/** Finds the insertion point in a YAML file for a cursor. */
import { isBlank, leadingWhite, lineAt, linesOf, type Line } from '../../shared/text/lines.ts';
import type { Span } from '../types.ts';
import type { YamlReading } from './yamlReader.ts';
import type { YamlEntry, YamlValue } from './yamlTree.ts';

/** A point in the value of an entry, or where its value is missing. */
export interface ValuePoint {
  kind: 'yamlBlock' | 'yamlScalar' | 'yamlEmptyValue';
  key?: string;
  entry: YamlEntry;
  /** The range that can be overwritten: the value, or the text between the colon and the end of the line. */
  range: Span;
  siblings: readonly YamlEntry[];
}
/** A point between two keys, where another key can be inserted. */
export interface BetweenPoint {
  kind: 'yamlBetweenKeys';
  key: 'sql';
  column: number;
  /** The range to write to, by `side`: a blank line, the start of a line that moves down, or the end of a line. */
  range: Span;
  side: 'blank' | 'before' | 'after';
  siblings: readonly YamlEntry[];
  /** Set in a list of plain or quoted values: the column of its dashes, where an item can be added. */
  itemColumn?: number;
}
export interface FlowPoint {
  kind: 'yamlFlow';
  key?: string;
  value?: YamlValue;
  siblings: readonly YamlEntry[];
}
export type YamlPoint = ValuePoint | BetweenPoint | FlowPoint;

/** Keys whose value is a list or a mapping, never SQL. */
const COLLECTIONS =
  /^(cubes|views|measures|dimensions|segments|joins|hierarchies|pre_?aggregations|includes|excludes|meta|case|when|filters|access_policy|refresh_key)$/i;
/** Keys without a value that can have a mapping with a key `sql`. */
const MAPPINGS = /^(meta|refresh_?key)$/i;

/** The lines of a block scalar from its first to its last line with text; undefined if it has none. */
export function contentOf(text: string, { start, end }: Span): Span | undefined {
  const header = lineAt(text, start).end;
  if (end <= header) return undefined;
  return { start: lineAt(text, header + text.slice(header).search(/\S/)).start, end };
}

function pointIn({ text, entries }: YamlReading, entry: YamlEntry, offset: number): YamlPoint | undefined {
  const { value, gap, siblings } = entry;
  const own = { ...(entry.key !== undefined && { key: entry.key }), entry, siblings };
  if (value === undefined) {
    if (entry.text === undefined || COLLECTIONS.test(entry.key ?? '')) return undefined;
    return { kind: 'yamlEmptyValue', ...own, range: { start: gap, end: lineAt(text, gap).end } };
  }
  if (value.style !== 'flow')
    return { kind: value.style === 'block' ? 'yamlBlock' : 'yamlScalar', ...own, range: value };
  if (offset <= value.start) return undefined;
  if (offset >= value.end && entry.key !== undefined) {
    const { end } = lineAt(text, value.end);
    const { column } = entry;
    return { kind: 'yamlBetweenKeys', key: 'sql', column, range: { start: end, end }, side: 'after', siblings };
  }
  const at = entries.find((each) => {
    if (!each.inFlow || each.value?.style === 'flow') return false;
    if (each.value === undefined) return offset >= each.gap && isBlank(text.slice(each.gap, offset));
    const edge = /single|double/.test(each.value.style) ? 1 : 0;
    return offset >= each.value.start + edge && offset <= each.value.end - edge;
  });
  const { key, value: inside } = at ?? {};
  return { kind: 'yamlFlow', ...(key !== undefined && { key }), ...(inside && { value: inside }), siblings: [] };
}

/** Whether a line that starts no entry continues the value of the entry above it. */
function continues({ text }: YamlReading, { value, column }: YamlEntry, line: Line): boolean {
  if (value === undefined) return false;
  const end = Math.max(value.end, lineAt(text, value.start).end);
  if (value.style !== 'block' || line.start <= end) return line.start < end;
  return isBlank(text.slice(end, line.end)) && line.text.length > column;
}

function* chainOf(entry: YamlEntry | undefined): Generator<YamlEntry> {
  for (let at = entry; at !== undefined; at = at.parent) yield at;
}

/** The line `---` at the start of the first document. */
function markOf(text: string): Line | undefined {
  const first = linesOf(text).find((line) => !isBlank(line.text) && !/^\s*#|^%/.test(line.text));
  return first && /^---[ \t]*(#.*)?$/.test(first.text) ? first : undefined;
}

function betweenPoint(
  text: string,
  line: Line,
  above: YamlEntry | undefined,
  next: YamlEntry | undefined,
): BetweenPoint {
  const near = [...chainOf(above), ...(next ? [next] : [])].filter(({ key }) => key !== undefined);
  const make = (wanted: number, side: BetweenPoint['side'], { start, end }: Span): BetweenPoint => {
    // A document that consists of one value has no column.
    const column = Math.max(0, wanted);
    const siblings = near.find((each) => each.column === column)?.siblings ?? [];
    const range = { start: side === 'after' ? end : start, end: side === 'before' ? start : end };
    const item = [next, above].find((each) => each?.key === undefined && each?.value !== undefined && each.column >= 0);
    const itemColumn = item && { itemColumn: item.column };
    return { kind: 'yamlBetweenKeys', key: 'sql', column, range, side, siblings, ...itemColumn };
  };
  const mark = markOf(text);
  if (mark !== undefined && line.start <= mark.start) return make(next?.column ?? 0, 'after', mark);
  if (next?.key !== undefined && next.start <= line.end) return make(next.column, 'before', line);
  // Nothing can be inserted between `measures:` and its list, so the new key goes above it.
  const opening = above?.key !== undefined && above === next?.parent ? lineAt(text, above.start) : undefined;
  if (above && opening) return make(above.column, 'before', opening);
  // A key can't be above one that is indented more, or above the dash of another item.
  const columns = near.map(({ column }) => column).filter((column) => next === undefined || column >= next.column);
  const isLineBlank = isBlank(line.text);
  const wanted = isLineBlank ? line.text.length : leadingWhite(line.text).length;
  const isChild = above?.text !== undefined && wanted > above.column && !above.value && MAPPINGS.test(above.key ?? '');
  const fallback = (wanted === 0 && next?.key !== undefined ? next.column : undefined) ?? columns[0] ?? wanted;
  const column = isChild || (wanted > 0 && columns.includes(wanted)) ? wanted : fallback;
  // Blank lines are replaced, comments stay above, everything else moves down.
  return make(column, isLineBlank ? 'blank' : /^\s*#/.test(line.text) ? 'after' : 'before', line);
}

export function insertionPoint(reading: YamlReading, offset: number): YamlPoint {
  const { text } = reading;
  const line = lineAt(text, offset);
  const entries = reading.entries.filter(({ inFlow }) => !inFlow);
  const above = entries.findLast(({ start }) => start < line.start);
  const next = entries.find(({ start }) => start >= line.start);
  const last = entries.findLast(({ start }) => start >= line.start && start <= line.end);
  const isInLine = last !== undefined && (last.column < 0 || offset > (next?.start ?? 0));
  const entry = isInLine ? last : above && continues(reading, above, line) ? above : undefined;
  const inside = entry && pointIn(reading, entry, offset);
  if (inside !== undefined) return inside;
  // A blank line that is indented more than a key without a value is the position of that value.
  const isBelow =
    above && line.text.length > above.column && isBlank(text.slice(lineAt(text, above.gap).end, line.end));
  const empty = isBelow ? pointIn(reading, above, offset) : undefined;
  if (empty?.kind === 'yamlEmptyValue') return { ...empty, range: { start: empty.range.start, end: line.end } };
  return betweenPoint(text, line, above, next);
}

/** @returns the point of a key that replaces the selected ones, if the selection covers whole keys */
export function overKeys({ text, entries }: YamlReading, { start, end }: Span): BetweenPoint | undefined {
  const line = lineAt(text, start);
  const first = entries.find((entry) => entry.start >= line.start);
  const last = entries.findLast((entry) => entry.start < end);
  if (first?.key === undefined || last === undefined || start > first.start || end <= first.start) return undefined;
  const { column, siblings } = first;
  const isWhole = [...chainOf(last)].some((entry) => siblings.includes(entry)) && last.end <= end;
  if (!isWhole || first.start > line.end || lineAt(text, end).end !== end) return undefined;
  const others = siblings.filter((entry) => entry.start < first.start || entry.start >= end);
  const range = { start: line.start, end };
  return { kind: 'yamlBetweenKeys', key: 'sql', column, range, side: 'blank', siblings: others };
}

/** @returns whether the value at the point contains the whole selection */
export function holds(point: YamlPoint, text: string, { start, end }: Span): boolean {
  if (point.kind === 'yamlFlow') return true;
  const { range } = point;
  if (point.kind !== 'yamlBlock') return start >= range.start && end <= range.end;
  const headerEnd = lineAt(text, range.start).end;
  return start >= range.start && end <= range.end + 1 && (start > headerEnd || isBlank(text.slice(end, range.end)));
}
