/** Formats two compared results as text for a diff that shows only the differences. */
import type { ComparedColumn } from '../../compare/comparedColumns.ts';
import type { ComparedRow, TableComparison } from '../../compare/compareTables.ts';
import { typeColumns } from '../../shared/results/cells.ts';
import { plural } from '../../shared/text/l10n.ts';
import { alignedLine, shownCell, widthsOf } from '../../shared/results/textTable.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';

export interface DiffText {
  expected: string;
  actual: string;
}

/** Number of consecutive equal rows to show; more are folded into one line. */
const MOST_EQUAL = 6;
/** Maximum number of rows to show. */
const MOST_ROWS = 200;

/** The cells of a row on both sides; undefined if a side lacks it. */
type Line = readonly [readonly string[] | undefined, readonly string[] | undefined];

/** @returns both results as aligned text tables whose lines differ exactly where the results do */
export function diffTexts(comparison: TableComparison, expected: ResultTable, actual: ResultTable): DiffText {
  const columns = [...comparison.dimensions, ...comparison.measures].sort((a, b) => a.at[0]! - b.at[0]!);
  const shared = columns.filter(({ at }) => !at.includes(-1));
  const missing = columns.filter(({ at }) => at[1] === -1);
  // Extra columns are allowed; they matter only if an expected one is missing.
  const extra = missing.length > 0 ? columns.filter(({ at }) => at[0] === -1) : [];
  const names = [...shared, ...missing].map(({ at }) => expected.columns[at[0]!]!.name);
  const header: Line = [
    names,
    [...names.slice(0, shared.length), ...extra.map(({ at }) => actual.columns[at[1]!]!.name)],
  ];
  const [days, actualDays] = [expected, actual].map(daysOf) as [boolean[], boolean[]];
  /** Days of both sides, so that cells that differ are written in the same way. */
  const areDays = ({ at: [left, right] }: ComparedColumn): boolean => days[left!]! && actualDays[right!]!;
  const lineOf = (row: ComparedRow): Line => {
    const [before, after] = row.rows;
    const isSame = shared.map((column) => before && after && !comparison.cellOf(row, column).isChanged);
    return [
      before && [
        ...shared.map((column) => shownCell(before[column.at[0]!], areDays(column))),
        ...missing.map(({ at }) => shownCell(before[at[0]!], days[at[0]!])),
      ],
      after && [
        ...shared.map((column, index) => {
          const { at } = column;
          return shownCell(isSame[index] ? before?.[at[0]!] : after[at[1]!], areDays(column));
        }),
        ...extra.map(({ at }) => shownCell(after[at[1]!], actualDays[at[1]!])),
      ],
    ];
  };
  const lines = [
    header,
    ...shownRows(comparison.rows, missing.length === 0).map((row) => (typeof row === 'string' ? row : lineOf(row))),
  ];
  // Both sides share the column widths, so that equal rows are equal lines.
  const all = lines.flatMap((line) => (typeof line === 'string' ? [] : line));
  const widths = widthsOf(all.flatMap((cells) => (cells ? [cells.slice(0, shared.length)] : [])));
  const isRight = shared.map(({ kind }) => kind === 'number');
  const render = (side: 0 | 1): string =>
    lines
      .flatMap((line) => (typeof line === 'string' ? line : line[side] ? alignedLine(line[side], widths, isRight) : []))
      .join('\n');
  return { expected: render(0), actual: render(1) };
}

/** @returns for each column, whether all its times are midnights */
const daysOf = ({ columns, rows }: ResultTable): boolean[] =>
  typeColumns(columns, rows).map(({ isDays }) => isDays === true);

/** @param isFolding whether to fold equal rows */
function shownRows(rows: readonly ComparedRow[], isFolding: boolean): (ComparedRow | string)[] {
  const folded: (ComparedRow | string)[] = [];
  let count = 0;
  for (let at = 0; at < rows.length; at += 1) {
    let end = at;
    while (isFolding && rows[end]?.status === 'same') end += 1;
    const equal = end - at;
    if (count >= MOST_ROWS) return [...folded, plural(rows.length - at, '… {0} more row|… {0} more rows')];
    if (equal > MOST_EQUAL) {
      folded.push(
        ...rows.slice(at, at + 2),
        plural(equal - 3, '… {0} equal row|… {0} equal rows'),
        ...rows.slice(end - 1, end),
      );
      count += 3;
      at = end - 1;
    } else {
      folded.push(rows[at]!);
      count += 1;
    }
  }
  return folded;
}
