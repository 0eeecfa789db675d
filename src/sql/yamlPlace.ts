/** What the cursor of a YAML file stands in. */
import { isBlank, leadingWhite } from './lines.ts';
import { valueInFlow, type WrittenValue } from './yamlFlow.ts';
import { namedIndent, scanYaml, type YamlEntry, type YamlLine } from './yamlScan.ts';

interface OfEntry {
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

/** Keys whose value is a list or a mapping, never SQL. */
const COLLECTIONS =
  /^(cubes|views|measures|dimensions|segments|joins|hierarchies|pre_?aggregations|includes|excludes|meta|case|when|filters|access_policy|refresh_key)$/i;

/** Those of them whose value is a mapping that may have a key `sql`. */
const MAPPINGS = /^(meta|refresh_?key)$/i;

interface Scan {
  text: string;
  lines: readonly YamlLine[];
  index: number;
  offset: number;
}

const entryAt = ({ lines }: Scan, index: number): YamlEntry | undefined => lines[index]?.entry;

function ofEntry(line: YamlLine, entry: YamlEntry): OfEntry {
  const key = entry.key === undefined ? {} : { key: entry.key };
  return { ...key, column: entry.column, entryStart: line.start, entryColumn: entry.dashes[0] ?? entry.column };
}

function blockPlace({ lines }: Scan, owner: number): BlockPlace | undefined {
  const line = lines[owner];
  const entry = line?.entry;
  if (line === undefined || entry === undefined) return undefined;
  const content = lines.filter((other) => other.owner === owner && other.role === 'content');
  const [first, last] = [content[0], content.at(-1)];
  const text = line.text.slice(entry.valueStart - line.start, entry.valueEnd - line.start);
  const indent = namedIndent(text, entry) ?? (first && leadingWhite(first.text).length);
  return {
    kind: 'yamlBlock',
    ...ofEntry(line, entry),
    header: { start: entry.valueStart, end: entry.valueEnd, text, lineEnd: line.end },
    ...(indent === undefined ? {} : { indent }),
    ...(first && last ? { content: { start: first.start, end: last.end } } : {}),
  };
}

/** @returns whether the entry without a value on its line has one on the lines below */
function hasChildren({ lines }: Scan, index: number): boolean {
  const entry = lines[index]?.entry;
  const next = lines.slice(index + 1).find(({ role }) => role === 'entry' || role === 'other');
  if (entry === undefined || next === undefined) return false;
  const column = next.entry?.dashes[0] ?? next.entry?.column ?? leadingWhite(next.text).length;
  return (
    column > entry.column || (column === entry.column && next.entry?.dashes[0] === column && entry.key !== undefined)
  );
}

/** Columns of the key at `index` and of the keys it is nested in; beside an item that is a bare value no key can stand. */
function columnsAbove({ lines }: Scan, index: number): number[] {
  const columns: number[] = [];
  let least = Infinity;
  for (let at = index; at >= 0; at--) {
    const entry = lines[at]?.entry;
    if (entry === undefined || entry.column >= least) continue;
    // Items may stand in the very column of the key that holds their list.
    least = entry.key === undefined ? entry.column + 1 : entry.column;
    if (entry.key !== undefined) columns.push(least);
  }
  return columns;
}

/** @returns whether a key `sql` stands among the keys of this column, from the line on or, by a step of -1, above it */
function hasSqlTowards(lines: readonly YamlLine[], index: number, column: number, step: 1 | -1): boolean {
  for (let at = step === 1 ? index : index - 1; at >= 0 && at < lines.length; at += step) {
    const entry = lines[at]?.entry;
    if (/^(---|\.\.\.)(\s|$)/.test(lines[at]?.text ?? '')) return false;
    // Items may stand in the very column of the key that holds their list.
    const isItem = entry?.column === column && entry.key === undefined;
    if (entry === undefined || entry.column > column || isItem) continue;
    const startsItem = entry.dashes.length > 0;
    if (entry.column < column || (step === 1 && startsItem)) return false;
    if (entry.key === 'sql') return true;
    if (startsItem) return false;
  }
  return false;
}

/** @returns whether a key `sql` stands among the keys of this column around the line */
const hasSqlKey = ({ lines }: Scan, index: number, column: number): boolean =>
  hasSqlTowards(lines, index, column, -1) || hasSqlTowards(lines, index, column, 1);

/** @returns whether some mapping of the text has two keys `sql` */
export function hasTwoSqlKeys(text: string): boolean {
  const lines = scanYaml(text);
  return lines.some(
    ({ entry }, index) =>
      entry?.key === 'sql' && entry.dashes.length === 0 && hasSqlTowards(lines, index, entry.column, -1),
  );
}

/** @returns the index of the line `---` that the first document begins with; -1 where it has none */
function beginOfDocument(lines: readonly YamlLine[]): number {
  const first = lines.findIndex(({ role, text }) => role !== 'blank' && role !== 'comment' && !text.startsWith('%'));
  return /^---\s*(#.*)?$/.test(lines[first]?.text ?? '') ? first : -1;
}

function betweenPlace(scan: Scan): BetweenPlace {
  const { lines, index, offset } = scan;
  const line = lines[index];
  const above = lines.slice(0, index).findLastIndex(({ role }) => role === 'entry');
  const next = lines.slice(index).find(({ role }) => role === 'entry')?.entry;
  const [start, end] = [line?.start ?? 0, line?.end ?? 0];
  const make = (column: number, at: BetweenPlace['at'], from: number): BetweenPlace => ({
    kind: 'yamlBetweenKeys',
    column,
    at,
    hasSqlKey: hasSqlKey(scan, from, column),
  });
  const top = beginOfDocument(lines);
  const mark = lines[top];
  if (mark !== undefined && index <= top)
    return make(next?.column ?? 0, { start: mark.end, end: mark.end, side: 'after' }, top + 1);
  const aboveLine = lines[above];
  const aboveEntry = aboveLine?.entry;
  if (line?.role === 'entry' && line.entry?.dashes.length === 0) {
    return make(line.entry.column, { start, end: start, side: 'before' }, index);
  }
  // Between `measures:` and its list nothing fits: the new key goes above it.
  if (aboveLine && aboveEntry?.style === 'none' && aboveEntry.dashes.length === 0 && hasChildren(scan, above)) {
    const side = { start: aboveLine.start, end: aboveLine.start, side: 'before' } as const;
    return make(aboveEntry.column, side, above);
  }
  const wanted = line?.role === 'blank' ? line.text.length || offset - start : leadingWhite(line?.text ?? '').length;
  const nextColumn = next?.dashes.length === 0 ? next.column : undefined;
  const dashColumn = next?.dashes[0];
  const columns = [...columnsAbove(scan, above), ...(nextColumn === undefined ? [] : [nextColumn])];
  const choices = columns.filter((column) => column > (dashColumn ?? -1));
  const fallback = (wanted === 0 ? nextColumn : undefined) ?? choices[0] ?? wanted;
  const { column: least = wanted, key = '' } = aboveEntry ?? {};
  const isChild = aboveEntry?.style === 'none' && wanted > least && MAPPINGS.test(key);
  const fits = isChild || (choices.includes(wanted) && wanted > 0);
  return make(fits ? wanted : fallback, spotAt(line, start, end), index);
}

/** Blank lines are used up, comments stay above, everything else moves down. */
function spotAt(line: YamlLine | undefined, start: number, end: number): BetweenPlace['at'] {
  if (line?.role === 'blank') return { start, end, side: 'blank' };
  return line?.role === 'comment' ? { start: end, end, side: 'after' } : { start, end: start, side: 'before' };
}

/** An entry without a value above a blank line that is indented deeper than it. */
function emptyAbove(scan: Scan): EmptyPlace | undefined {
  const { lines, index, offset } = scan;
  const line = lines[index];
  const above = lines.slice(0, index).findLastIndex(({ role }) => role !== 'blank');
  const entry = entryAt(scan, above);
  const owner = lines[above];
  if (line?.role !== 'blank' || entry?.style !== 'none' || owner === undefined || hasChildren(scan, above))
    return undefined;
  if (Math.max(line.text.length, offset - line.start) <= entry.column || COLLECTIONS.test(entry.key ?? ''))
    return undefined;
  return { kind: 'yamlEmptyValue', ...ofEntry(owner, entry), gap: { start: entry.afterColon, end: line.end } };
}

/** Inside a collection the key is the one right before the cursor, or before the value that it stands in. */
function flowPlace({ text, offset }: Scan, start: number, entry: YamlEntry): FlowPlace {
  const value = valueInFlow(text, entry, offset);
  const key = /([\w$]+)["']?\s*:\s*$/.exec(text.slice(start, value?.start ?? offset))?.[1];
  return { kind: 'yamlFlow', ...(key === undefined ? {} : { key }), ...(value === undefined ? {} : { value }) };
}

function placeInEntry(scan: Scan, index: number): YamlPlace | undefined {
  const line = scan.lines[index];
  const entry = line?.entry;
  if (line === undefined || entry === undefined) return undefined;
  switch (entry.style) {
    case 'block':
      return blockPlace(scan, index);
    case 'flow':
      return scan.offset > entry.valueStart ? flowPlace(scan, line.start, entry) : undefined;
    case 'none':
      if (hasChildren(scan, index) || COLLECTIONS.test(entry.key ?? '')) return undefined;
      return { kind: 'yamlEmptyValue', ...ofEntry(line, entry), gap: { start: entry.afterColon, end: line.end } };
    default: {
      const value = { start: entry.valueStart, end: entry.valueEnd, style: entry.style };
      return { kind: 'yamlScalar', ...ofEntry(line, entry), value };
    }
  }
}

/** @returns whether a key `sql` stands in this column around a stretch of the text that is going to be overwritten */
export function hasSqlKeyBeside(text: string, { start, end }: { start: number; end: number }, column: number): boolean {
  const rest = text.slice(0, start) + text.slice(end);
  const lines = scanYaml(rest);
  const index = lines.findLastIndex((line) => line.start <= start);
  return hasSqlKey({ text: rest, lines, index, offset: start }, index, column);
}

/**
 * @param lines the lines of the text, as scanned
 * @returns what the offset of a YAML text stands in
 */
export function yamlPlace(text: string, lines: readonly YamlLine[], offset: number): YamlPlace {
  const index = Math.max(
    0,
    lines.findLastIndex(({ start }) => start <= offset),
  );
  const scan = { text, lines, index, offset };
  const line = lines[index];
  const owner = line?.owner;
  if (line !== undefined && owner !== undefined) {
    const block = entryAt(scan, owner)?.style === 'block' ? blockPlace(scan, owner) : undefined;
    const isTrailing = isBlank(line.text) && block?.content !== undefined && line.start > block.content.end;
    const column = Math.max(line.text.length, offset - line.start);
    if (block === undefined || !isTrailing || column > block.column)
      return placeInEntry(scan, owner) ?? betweenPlace(scan);
  }
  if (line?.role === 'entry' && offset > line.start + leadingWhite(line.text).length) {
    return placeInEntry(scan, index) ?? betweenPlace(scan);
  }
  return emptyAbove(scan) ?? betweenPlace(scan);
}
