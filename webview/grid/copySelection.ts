/** Encodes the selected cells as text. */
import { cellText } from '../../src/shared/results/cells.ts';
import { createEncoder, type ResultFormat, type EncodeOptions } from '../../src/shared/results/encode.ts';
import { STRIDE, type Sliced } from '../../src/shared/results/slices.ts';
import type { Range } from './selection.ts';
import type { GridState } from './gridState.ts';

/**
 * @returns the text of the cells, columns and rows in display order. A single cell copied as TSV without headers is its
 *   exact text, without quoting
 */
export function* encodeRange(
  { layout, columns, view }: GridState,
  range: Range,
  format: ResultFormat,
  options: EncodeOptions,
): Sliced<string> {
  const { top, bottom, left, right } = range;
  const picked = layout.visible.slice(left, right + 1);
  if (format === 'tsv' && !options.headers && top === bottom && left === right) {
    return cellText(view.row(top)?.[picked[0]!]);
  }
  const encoder = createEncoder(
    format,
    picked.map((column) => columns[column]!),
    options,
  );
  let text = encoder.encodeHeader();
  for (let row = top; row <= bottom; row++) {
    if (row % STRIDE === STRIDE - 1) yield;
    const cells = view.row(row);
    text += encoder.encodeRow(picked.map((column) => cells?.[column]));
  }
  return text + encoder.encodeEnd();
}
