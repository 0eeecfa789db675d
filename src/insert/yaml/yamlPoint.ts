/** Finds the insertion points in a YAML file for a cursor or selection. */
import { isBlank, leadingWhite, lineAt, type Line } from '../../shared/text/lines.ts';
import type { Span } from '../types.ts';
import type { YamlReading } from './yamlReader.ts';
import type { YamlEntry } from './yamlTree.ts';

/** A value, or the position of a missing one. */
export interface ValuePoint {
  entry: YamlEntry;
  /** The range that can be overwritten: the value, or the text between the colon and the end of the line. */
  range: Span;
}
/** A position between the values in `{…}` or `[…]`, or of a missing one. */
export interface FlowPoint {
  entry?: YamlEntry | undefined;
  range?: undefined;
  key?: undefined;
  siblings?: undefined;
}
/** A position between two keys or items, where another one can be inserted. */
export interface BetweenPoint {
  entry?: undefined;
  key: 'sql';
  mark: 'sql:' | '-';
  column: number;
  /** A blank line, the start of a line that moves down, or the end of a line. */
  range: Span;
  /** Line breaks before and after the new lines. */
  lead: string;
  tail: string;
  siblings: readonly YamlEntry[];
}
export type YamlPoint = ValuePoint | FlowPoint | BetweenPoint;

/** Keys whose value is a list or a mapping, never SQL. */
const COLLECTIONS =
  /^(cubes|views|measures|dimensions|segments|joins|hierarchies|pre_?aggregations|includes|excludes|meta|case|when|filters|access_policy|refresh_key)$/i;
/** Keys without a value that can have a mapping with a key `sql`. */
const MAPPINGS = /^(meta|refresh_?key)$/i;
/** Keys of a data model whose value is never SQL: SQL inserted there belongs to their parent. */
const DESCRIBING =
  /^(name|title|description|type|format|public|shown|extends|data_source|primary_key|relationship|join_path|prefix|granularity|alias)$/;

/** A block scalar from its first to its last character that is not blank; undefined if it has none. */
export function contentOf(text: string, { start, end }: Span): Span | undefined {
  const header = lineAt(text, start).end;
  if (end <= header) return undefined;
  return { start: header + text.slice(header).search(/\S/), end };
}

/** The point in the collection in flow style around the start of a selection. */
function flowPoint({ text, entries }: YamlReading, { start: offset, end }: Span): ValuePoint | FlowPoint | undefined {
  if (!entries.some(({ value }) => value?.style === 'flow' && value.start < offset && offset < value.end))
    return undefined;
  const entry = entries.find(({ inFlow, value, gap }) => {
    if (!inFlow || value?.style === 'flow') return false;
    if (value === undefined) return offset >= gap && isBlank(text.slice(gap, offset));
    const edge = value.style === 'quoted' ? 1 : 0;
    return offset >= value.start + edge && offset <= value.end - edge;
  });
  return entry?.value && end <= entry.value.end ? { entry, range: entry.value } : { entry };
}

function blockPoint({ text }: YamlReading, entry: YamlEntry): ValuePoint | undefined {
  const { key = '', value, gap } = entry;
  if (value?.style === 'flow') return undefined;
  if (value) return { entry, range: value };
  if (entry.text === undefined || COLLECTIONS.test(key)) return undefined;
  return { entry, range: { start: gap, end: lineAt(text, gap).end } };
}

/** Whether a line that starts no entry continues the value of the entry above it. */
function continues({ text, mask }: YamlReading, { value, column }: YamlEntry, line: Line): boolean {
  if (value === undefined) return false;
  const { end } = value;
  if (value.style !== 'block' || line.start <= end) return line.start < end;
  // Statements of Jinja at the end of a block are blank.
  return isBlank(mask(text).slice(end, line.end)) && line.text.length > column;
}

function* chainOf(entry: YamlEntry | undefined): Generator<YamlEntry> {
  for (let at = entry; at !== undefined; at = at.parent) yield at;
}

type Gap = Pick<BetweenPoint, 'range' | 'lead' | 'tail'>;
const above = ({ start }: Line): Gap => ({ range: { start, end: start }, lead: '', tail: '\n' });
const below = ({ end }: Line): Gap => ({ range: { start: end, end }, lead: '\n', tail: '' });

/** A blank line is replaced, unless it is empty and separates what is above and below it. */
function onBlank(text: string, line: Line): Gap {
  const isBetween = (at: number): boolean => at >= 0 && at < text.length && !isBlank(lineAt(text, at).text);
  const separates = line.text === '' && isBetween(line.start - 1) && isBetween(line.end + 1);
  return { range: line, lead: '', tail: separates ? '\n' : '' };
}

/**
 * Points in the order of their columns and distances; verification rejects those where a key is not possible.
 * @param column where the key is expected: the indentation of the line
 */
function betweenPoints(text: string, line: Line, column: number, last?: YamlEntry, next?: YamlEntry): BetweenPoint[] {
  const near = [...chainOf(last)];
  if (next) near.splice(column === 0 ? 0 : near.length, 0, next);
  const keys = near.filter(({ key }) => key !== undefined);
  const make = (wanted: number, gap: Gap): BetweenPoint => {
    // A document that consists of one value has no column.
    const own = Math.max(0, wanted);
    const siblings = keys.find((each) => each.column === own)?.siblings ?? [];
    return { key: 'sql', mark: 'sql:', column: own, ...gap, siblings };
  };
  const isChild = last?.text !== undefined && !last.value && MAPPINGS.test(last.key ?? '');
  const columns = keys.map((each) => each.column);
  const first = isChild || (column > 0 && columns.includes(column)) ? [column] : [];
  // Blank lines are replaced, comments and values stay above, everything else moves down.
  const isBelow = /^\s*#|^---$/.test(line.text) || (last !== undefined && last.start >= line.start);
  const here = isBlank(line.text) ? onBlank(text, line) : isBelow ? below(line) : above(line);
  const points = [...first, ...columns, column].map((each) => make(each, here));
  // Nothing can be inserted between `measures:` and its list, or above `---`.
  for (const entry of [last, next]) if (entry) points.push(make(entry.column, above(lineAt(text, entry.start))));
  const item = [next, last].find((each) => each?.key === undefined && each?.value !== undefined);
  if (item) points.push({ ...make(item.column, here), mark: '-' });
  return points;
}

/** The points at the start of a selection. */
function cursorPoints(reading: YamlReading, at: Span, isDescribing: (key?: string) => boolean): YamlPoint[] {
  const { text } = reading;
  const line = lineAt(text, at.start);
  const flow = flowPoint(reading, at);
  if (flow) return [isDescribing(flow.entry?.key) ? { entry: flow.entry } : flow];
  const entries = reading.entries.filter(({ inFlow }) => !inFlow);
  const above = entries.findLast(({ start }) => start < line.start);
  const next = entries.find(({ start }) => start >= line.start);
  const last = entries.findLast(({ start }) => start >= line.start && start <= line.end);
  const isInLine = last !== undefined && (last.column < 0 || at.start > (next?.start ?? 0));
  const entry = isInLine ? last : above && continues(reading, above, line) ? above : undefined;
  const inside = entry && blockPoint(reading, entry);
  if (inside && !(isDescribing(entry.key) && entry.value && entry.value.style !== 'block')) return [inside];
  if (entry?.value) return betweenPoints(text, lineAt(text, entry.value.end), entry.column, entry);
  // A blank line that is indented more than a key without a value is the position of that value.
  const isBelow =
    above && line.text.length > above.column && isBlank(text.slice(lineAt(text, above.gap).end, line.end));
  const empty = isBelow ? blockPoint(reading, above) : undefined;
  if (empty && !above?.value) return [{ ...empty, range: { start: empty.range.start, end: line.end } }];
  return betweenPoints(text, line, leadingWhite(line.text).length, above, next);
}

/** The point of a key that replaces the selected ones, if the selection begins at one of their siblings. */
function overKeys({ text, entries }: YamlReading, { start, end }: Span): BetweenPoint[] {
  const line = lineAt(text, start);
  const first = entries.find((entry) => entry.start >= line.start);
  const last = entries.findLast((entry) => entry.start < end);
  if (first?.key === undefined || start > first.start) return [];
  // From another item, the keys below the selection would move into the first one.
  if (![...chainOf(last)].some((entry) => first.siblings.includes(entry))) return [];
  const siblings = first.siblings.filter((entry) => entry.start < first.start || entry.start >= end);
  const range = { start: line.start, end };
  return [{ key: 'sql', mark: 'sql:', column: first.column, range, lead: '', tail: '', siblings }];
}

/** Whether the range of the point contains the whole selection. */
function holds(point: YamlPoint, text: string, { start, end }: Span): boolean {
  const { entry, range } = point;
  if (range === undefined || entry?.inFlow) return true;
  const isOnHeader = entry?.value?.style === 'block' && start <= lineAt(text, range.start).end;
  return start >= range.start && end <= range.end && !(isOnHeader && !isBlank(text.slice(end, range.end)));
}

/**
 * @returns the points of a cursor, or of a selection within one value or over whole keys, in the order in which they
 * are tried; none for any other selection
 */
export function pointsAt(reading: YamlReading, selection: Span, isDataModel: boolean): YamlPoint[] {
  const isCursor = selection.start === selection.end;
  const isDescribing = (key = ''): boolean => isDataModel && isCursor && DESCRIBING.test(key);
  const points = cursorPoints(reading, selection, isDescribing).filter(
    (point) => !(isDataModel && 'mark' in point && point.mark === '-'),
  );
  if (isCursor || points.some((point) => holds(point, reading.text, selection))) return points;
  return overKeys(reading, selection);
}
