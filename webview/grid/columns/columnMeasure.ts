/** Measures the widths that fit the columns of a grid. */
import { cellText, isNull } from '../../../src/shared/results/cells.ts';
import type { GridState } from '../gridState.ts';

/** Number of rows that are measured. */
const SAMPLE = 100;
/** Maximum width of a fitted column, in pixels; users can make it wider. */
const WIDEST = 320;
/** Pixels beside the text of a cell, and beside a name: padding, icons, menu button. */
const CELL_ROOM = 20;
const NAME_ROOM = 36;
const SHORTEST = 48;

/**
 * Computes the width that fits a column, from its name and its first rows.
 * @param inside element that defines the fonts of cells and headers
 * @returns a function that returns the fitting width of a column, in pixels
 */
export function columnMeasure(inside: HTMLElement): (state: GridState, column: number) => number {
  const context = document.createElement('canvas').getContext('2d');
  const style = getComputedStyle(inside);
  const fontOf = (family: string): string => `${style.fontSize} ${style.getPropertyValue(family) || style.fontFamily}`;
  const cellFont = fontOf('--vscode-editor-font-family');
  const nameFont = `600 ${fontOf('--vscode-font-family')}`;
  const measured = (text: string, font: string): number => {
    if (!context) return text.length * 8;
    context.font = font;
    return context.measureText(text).width;
  };
  return (state, column) => {
    // Format only the longest raw value: formatting every number for the locale is slow.
    const isNumber = state.columns[column]!.kind === 'number';
    let longest: unknown;
    let looks = 0;
    for (let row = 0; row < state.rows.length && row < SAMPLE; row++) {
      const cell = state.rows[row]?.[column];
      const found = isNull(cell) ? 0 : isNumber ? wholeDigits(cellText(cell)) : looksOf(cellText(cell));
      if (found > looks) [longest, looks] = [cell, found];
    }
    const text = isNull(longest) ? 'NULL' : state.display(column, longest);
    const content = Math.min(measured(text.slice(0, 200), cellFont) + CELL_ROOM, WIDEST);
    const name = Math.min(measured(state.columns[column]!.name, nameFont) + NAME_ROOM, WIDEST);
    return Math.ceil(Math.max(content, name, SHORTEST));
  };
}

/**
 * The numbers of a column have the same number of decimal places, so the one with the most integer digits is the
 * widest.
 */
const wholeDigits = (text: string): number => (text.includes('.') ? text.indexOf('.') + 1 : text.length + 1);

/** Estimates the width of text: characters above U+2E80, such as CJK, count twice. */
function looksOf(text: string): number {
  let looks = text.length;
  for (let at = 0; at < text.length && at < 200; at++) if (text.charCodeAt(at) > 0x2e80) looks++;
  return looks;
}
