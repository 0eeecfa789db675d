/** What the cursor of a YAML file stands in. */
import { isBlank, leadingWhite } from '../../shared/text/lines.ts';
import { betweenPlace } from './yamlBetween.ts';
import { valueInFlow } from './yamlFlow.ts';
import type { BlockPlace, EmptyPlace, FlowPlace, OfEntry, Scan, YamlPlace } from './yamlPlaces.ts';
import { hasChildren, namedIndent, type YamlEntry, type YamlLine } from '../../shared/text/yamlScan.ts';

/** Keys whose value is a list or a mapping, never SQL. */
const COLLECTIONS =
  /^(cubes|views|measures|dimensions|segments|joins|hierarchies|pre_?aggregations|includes|excludes|meta|case|when|filters|access_policy|refresh_key)$/i;

const entryAt = ({ lines }: Scan, index: number): YamlEntry | undefined => lines[index]?.entry;

function ofEntry(line: YamlLine, entry: YamlEntry): OfEntry {
  const key = entry.key === undefined ? {} : { key: entry.key };
  const column = Math.max(0, entry.column);
  return { ...key, column, entryStart: line.start, entryColumn: entry.dashes[0] ?? column };
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

/** An entry without a value above a blank line that is indented deeper than it. */
function emptyAbove(scan: Scan): EmptyPlace | undefined {
  const { lines, index, offset } = scan;
  const line = lines[index];
  const above = lines.slice(0, index).findLastIndex(({ role }) => role !== 'blank');
  const entry = entryAt(scan, above);
  const owner = lines[above];
  if (line?.role !== 'blank' || entry?.style !== 'none' || owner === undefined || hasChildren(scan.lines, above))
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
      if (hasChildren(scan.lines, index) || COLLECTIONS.test(entry.key ?? '')) return undefined;
      return { kind: 'yamlEmptyValue', ...ofEntry(line, entry), gap: { start: entry.afterColon, end: line.end } };
    default: {
      const value = { start: entry.valueStart, end: entry.valueEnd, style: entry.style };
      return { kind: 'yamlScalar', ...ofEntry(line, entry), value };
    }
  }
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
    const least = entryAt(scan, owner)?.column ?? 0;
    const isTrailing = isBlank(line.text) && block?.content !== undefined && line.start > block.content.end;
    const column = Math.max(line.text.length, offset - line.start);
    if (block === undefined || !isTrailing || column > least) return placeInEntry(scan, owner) ?? betweenPlace(scan);
  }
  const column = line?.entry?.column ?? 0;
  // Between a `? key` and its `: value` no other key can stand, and the key itself is no place for SQL.
  const isKey = /^ *\?\s/.test(line?.text ?? '') && line?.entry?.key === undefined;
  let next = index + Number(isKey);
  while (/^(blank|comment)$/.test(lines[next]?.role ?? '')) next++;
  if (/^ *:(\s|$)/.test(lines[next]?.text ?? '')) return placeInEntry(scan, next) ?? betweenPlace(scan);
  if (line?.role === 'entry' && (column < 0 || offset > line.start + leadingWhite(line.text).length)) {
    return placeInEntry(scan, index) ?? betweenPlace(scan);
  }
  return emptyAbove(scan) ?? betweenPlace(scan);
}
