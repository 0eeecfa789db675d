/** Writes rows as a table of plain text with columns of fixed width. */
import { escapedControls } from '../text/plainText.ts';
import { cellText, dayOfMidnight, isNull } from './cells.ts';

/** Characters of a cell in a fixed-width table. */
const WIDEST_CELL = 60;

/**
 * Makes null, the empty string and surrounding white space visible, and escapes line ends and other control characters.
 * @param isDay whether midnights are shown as days, as in the grid
 */
export function shownCell(cell: unknown, isDay = false): string {
  if (isNull(cell)) return 'NULL';
  if (cell === '') return "''";
  const exact = cellText(cell);
  const raw = (isDay ? dayOfMidnight(exact) : undefined) ?? exact;
  const plain = raw.trim() === raw ? raw : JSON.stringify(raw);
  const text = escapedControls(plain.replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
  return text.length > WIDEST_CELL ? `${text.slice(0, WIDEST_CELL - 1)}…` : text;
}

/** @returns the length of the widest cell of each column, in UTF-16 code units */
export function widthsOf(lines: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const cells of lines)
    for (const [index, cell] of cells.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return widths;
}

/** @param isRight for each column, whether it is right-aligned */
export const alignedLine = (cells: readonly string[], widths: readonly number[], isRight: readonly boolean[]): string =>
  cells
    .map((cell, index) => (isRight[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
    .join('  ')
    .trimEnd();
