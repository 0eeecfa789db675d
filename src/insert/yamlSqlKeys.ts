/** Whether a mapping of a YAML file has a key `sql` already: a second one would break it. */
import { scanYaml, type YamlLine } from './yamlScan.ts';

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
export const hasSqlKey = (lines: readonly YamlLine[], index: number, column: number): boolean =>
  hasSqlTowards(lines, index, column, -1) || hasSqlTowards(lines, index, column, 1);

/** @returns whether some mapping of the text has two keys `sql` */
export function hasTwoSqlKeys(text: string): boolean {
  const lines = scanYaml(text);
  return lines.some(
    ({ entry }, index) =>
      entry?.key === 'sql' && entry.dashes.length === 0 && hasSqlTowards(lines, index, entry.column, -1),
  );
}

/** @returns whether a key `sql` stands in this column around a stretch of the text that is going to be overwritten */
export function hasSqlKeyBeside(text: string, { start, end }: { start: number; end: number }, column: number): boolean {
  const rest = text.slice(0, start) + text.slice(end);
  const lines = scanYaml(rest);
  const index = lines.findLastIndex((line) => line.start <= start);
  return hasSqlKey(lines, index, column);
}
