/** Whether a mapping of a YAML file has a key `sql` already: a second one would break it. */
import { scanYaml, type YamlLine } from '../../shared/text/yamlScan.ts';

const SQL = /^sql$/;
const TABLE = /^sql_?table$/i;

/** @returns whether such a key stands among the keys of this column, from the line on or, by a step of -1, above it */
function hasKeyTowards(lines: readonly YamlLine[], index: number, column: number, step: 1 | -1, name: RegExp): boolean {
  for (let at = step === 1 ? index : index - 1; at >= 0 && at < lines.length; at += step) {
    const entry = lines[at]?.entry;
    if (/^(---|\.\.\.)(\s|$)/.test(lines[at]?.text ?? '')) return false;
    // Items may stand in the very column of the key that holds their list.
    const isItem = entry?.column === column && entry.key === undefined;
    if (entry === undefined || entry.column > column || isItem) continue;
    const startsItem = entry.dashes.length > 0;
    if (entry.column < column || (step === 1 && startsItem)) return false;
    if (name.test(entry.key ?? '')) return true;
    if (startsItem) return false;
  }
  return false;
}

/** @returns whether a key `sql` stands among the keys of this column around the line */
export const hasSqlKey = (lines: readonly YamlLine[], index: number, column: number): boolean =>
  hasKey(lines, index, column, SQL);

const hasKey = (lines: readonly YamlLine[], index: number, column: number, name: RegExp): boolean =>
  hasKeyTowards(lines, index, column, -1, name) || hasKeyTowards(lines, index, column, 1, name);

/** @returns whether the lines above it put this line into the list of views */
export const isInView = (lines: readonly YamlLine[], index: number): boolean =>
  lines.slice(0, index + 1).findLast(({ entry }) => entry?.column === 0 && entry.key !== undefined)?.entry?.key ===
  'views';

/** @returns whether the mapping around the line names its table, which excludes a query */
export const hasTable = (lines: readonly YamlLine[], index: number, column: number): boolean =>
  hasKey(lines, index, column, TABLE);

/** @returns whether some mapping of the text has two keys `sql` */
export function hasTwoSqlKeys(text: string): boolean {
  const lines = scanYaml(text);
  return lines.some(
    ({ entry }, index) =>
      entry?.key === 'sql' && entry.dashes.length === 0 && hasKeyTowards(lines, index, entry.column, -1, SQL),
  );
}

/** @returns whether a key `sql` stands in this column around a stretch of the text that is going to be overwritten */
export function hasSqlKeyBeside(text: string, { start, end }: { start: number; end: number }, column: number): boolean {
  const rest = text.slice(0, start) + text.slice(end);
  const lines = scanYaml(rest);
  const index = lines.findLastIndex((line) => line.start <= start);
  return hasSqlKey(lines, index, column);
}
