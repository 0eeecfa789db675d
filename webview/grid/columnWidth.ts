/** The width that a column's content asks for, from its name and its first rows. */
import { cellText, isNull } from '../../src/shared/results/cells.ts';
import type { GridState } from './state.ts';

/** Rows looked at. */
const SAMPLE = 100;
/** Width that a column gets by itself at most; people make it wider. */
const WIDEST = 320;
/** Room beside the text of a cell, and beside a name: padding, marks, menu button. */
const CELL_ROOM = 20;
const NAME_ROOM = 34;
const SHORTEST = 48;

/** @returns measures columns in the fonts that cells and headers have inside this element */
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
    // Only the longest as it came is written as it is shown: writing numbers by the locale takes its time.
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

/** Numbers of one column have equally many decimal places: the one with the most digits before them is the widest. */
const wholeDigits = (text: string): number => (text.includes('.') ? text.indexOf('.') + 1 : text.length + 1);

/** A guess at how wide text looks: what is not Latin is often twice as wide. */
function looksOf(text: string): number {
  let looks = text.length;
  for (let at = 0; at < text.length && at < 200; at++) if (text.charCodeAt(at) > 0x2e80) looks++;
  return looks;
}
