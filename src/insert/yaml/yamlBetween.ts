/** Where a new key goes between those of a YAML file. */
import { leadingWhite } from '../../shared/text/lines.ts';
import type { BetweenPlace, Scan } from './yamlPlaces.ts';
import { hasChildren, type YamlLine } from '../../shared/text/yamlScan.ts';
import { hasSqlKey } from './yamlSqlKeys.ts';

/** Keys without a value yet whose value is a mapping that may have a key `sql`. */
const MAPPINGS = /^(meta|refresh_?key)$/i;

/** Columns of the key at `index` and of the keys it is nested in; beside an item that is a bare value no key can stand. */
function columnsAbove(lines: readonly YamlLine[], index: number): number[] {
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

/** @returns the index of the line `---` that the first document begins with; -1 where it has none */
function beginOfDocument(lines: readonly YamlLine[]): number {
  const first = lines.findIndex(({ role, text }) => role !== 'blank' && role !== 'comment' && !text.startsWith('%'));
  return /^---\s*(#.*)?$/.test(lines[first]?.text ?? '') ? first : -1;
}

/** @returns where a new key goes for a cursor that stands in no value */
export function betweenPlace(scan: Scan): BetweenPlace {
  const { lines, index, offset } = scan;
  const line = lines[index];
  const above = lines.slice(0, index).findLastIndex(({ role }) => role === 'entry');
  const next = lines.slice(index).find(({ role }) => role === 'entry')?.entry;
  const [start, end] = [line?.start ?? 0, line?.end ?? 0];
  const make = (wanted: number, at: BetweenPlace['at'], from: number): BetweenPlace => {
    // A document that is one value has no column.
    const column = Math.max(0, wanted);
    return { kind: 'yamlBetweenKeys', column, at, hasSqlKey: hasSqlKey(lines, from, column) };
  };
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
  if (aboveLine && aboveEntry?.style === 'none' && aboveEntry.dashes.length === 0 && hasChildren(lines, above)) {
    const side = { start: aboveLine.start, end: aboveLine.start, side: 'before' } as const;
    return make(aboveEntry.column, side, above);
  }
  const wanted = line?.role === 'blank' ? line.text.length || offset - start : leadingWhite(line?.text ?? '').length;
  const nextColumn = next?.dashes.length === 0 ? next.column : undefined;
  const dashColumn = next?.dashes[0];
  const columns = [...columnsAbove(lines, above), ...(nextColumn === undefined ? [] : [nextColumn])];
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
