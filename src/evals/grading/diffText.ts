/** Both results as aligned text tables whose lines differ exactly where the results do. */
import { plural } from '../../shared/text/l10n.ts';
import { alignedLine, shownCell, widthsOf } from '../../shared/text/lines.ts';
import type { GradedColumn } from './columns.ts';
import type { AlignedRow, Alignment } from './align.ts';

export interface DiffText {
  expected: string;
  actual: string;
}

/** Number of consecutive equal rows to show; more are folded into one line. */
const MOST_EQUAL = 6;
/** Maximum number of rows to show. */
const MOST_ROWS = 200;

interface Line {
  expected?: readonly string[];
  actual?: readonly string[];
}

export function diffText(alignment: Alignment): DiffText {
  const { columns, missing, extra } = alignment;
  const shared = columns.map(({ expected }) => expected.name);
  const lines: (Line | string)[] = foldEqual(alignment.rows).map((row) =>
    typeof row === 'string' ? row : lineOf(row, alignment),
  );
  // Extra columns are allowed; they matter only if an expected one is missing.
  const added = missing.length > 0 ? extra : [];
  const header: Line = { expected: [...shared, ...names(missing)], actual: [...shared, ...names(added)] };
  const all = [header, ...lines].flatMap((line) => (typeof line === 'string' ? [] : [line.expected, line.actual]));
  // Both sides share the column widths, so that equal rows are equal lines.
  const widths = widthsOf(all.flatMap((cells) => (cells ? [cells.slice(0, shared.length)] : [])));
  const isRight = columns.map(({ mode }) => mode === 'number');
  const render = (side: keyof Line): string =>
    [header, ...lines]
      .flatMap((line) =>
        typeof line === 'string' ? [line] : line[side] ? [alignedLine(line[side], widths, isRight)] : [],
      )
      .join('\n');
  return { expected: render('expected'), actual: render('actual') };
}

const names = (columns: readonly GradedColumn[]): string[] => columns.map(({ name }) => name);

function lineOf({ expected, actual }: AlignedRow, { columns, missing, extra }: Alignment): Line {
  const cells = (side: 'expected' | 'actual', row: number, others: readonly GradedColumn[]): string[] => [
    ...columns.map((match) => {
      const isEqual =
        expected !== undefined &&
        actual !== undefined &&
        match.expected.keys(match.mode)[expected] === match.actual.keys(match.mode)[actual];
      return shownCell(isEqual ? match.expected.cells[expected] : match[side].cells[row]);
    }),
    ...others.map((column) => shownCell(column.cells[row])),
  ];
  return {
    ...(expected === undefined ? {} : { expected: cells('expected', expected, missing) }),
    ...(actual === undefined ? {} : { actual: cells('actual', actual, missing.length > 0 ? extra : []) }),
  };
}

function foldEqual(rows: readonly AlignedRow[]): (AlignedRow | string)[] {
  const folded: (AlignedRow | string)[] = [];
  let shownRows = 0;
  for (let at = 0; at < rows.length; at += 1) {
    let end = at;
    while (rows[end]?.status === 'same') end += 1;
    const equal = end - at;
    if (shownRows >= MOST_ROWS) return [...folded, plural(rows.length - at, '… {0} more row|… {0} more rows')];
    if (equal > MOST_EQUAL) {
      folded.push(
        ...rows.slice(at, at + 2),
        plural(equal - 3, '… {0} equal row|… {0} equal rows'),
        ...rows.slice(end - 1, end),
      );
      shownRows += 3;
      at = end - 1;
    } else {
      folded.push(rows[at]!);
      shownRows += 1;
    }
  }
  return folded;
}
