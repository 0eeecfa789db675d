/** Formats the numbers of tooltips like the grid: every digit, and the decimal places of their column. */
import { typeColumns } from '../../src/shared/results/cells.ts';
import { decimalsIn, isGrouped } from '../../src/shared/results/display.ts';
import { memberOf } from '../../src/shared/chart/names.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';

/** The format of numbers whose decimal places are not known: sums of decimals have an error in their last digits. */
export const tooltipNumber = ',.12~r';
/** Decimal places from which a number is likely the result of a division, or has an error in its last digits. */
const mostDecimals = 6;

/** A call in a tooltip that formats a field, as Vega-Lite writes it. */
const call = /format\(datum\["((?:[^"\\]|\\.){1,300})"\], "([^"\\]{0,100})"\)/g;
/** A number format of d3: sign, currency, digit grouping, precision, type. */
const parts = /^([+\-( ]?)(\$?)\d*,?(?:\.\d+)?~?([a-z%]?)$/i;
/** Aggregates whose result has as many decimal places as the values. */
const aggregates = ['', 'sum_', 'min_', 'max_', 'median_'];

/** @returns the format of zero for an axis with a format of d3; undefined if that is not one of decimal numbers */
export function zeroFormat(format: unknown): string | undefined {
  const [, , currency, type] = (typeof format === 'string' && parts.exec(format)) || [];
  if (type === undefined || /[bcexo]/i.test(type)) return undefined;
  return `${currency}${/[%p]/.test(type) ? '.0%' : 'd'}`;
}

/** @returns a function that returns the expression of a tooltip with exact formats */
export function exactNumbers({ columns, rows }: ResultTable): (expression: string) => string {
  const formats = new Map<string, string>();
  for (const [index, { name, kind }] of typeColumns(columns, rows).entries()) {
    const decimals = kind === 'number' ? decimalsIn(rows, index)() : Infinity;
    if (decimals > mostDecimals) continue;
    for (const aggregate of aggregates)
      formats.set(aggregate + memberOf(name), `${isGrouped(name, rows, index) ? ',' : ''}.${decimals}f`);
  }
  return (expression) =>
    expression.replace(call, (whole, field: string, format: string) => {
      const [, sign, currency, type] = parts.exec(format) ?? [];
      if (type === undefined || /[bcexo]/i.test(type)) return whole;
      const exact = /[%p]/.test(type) ? ',.12~%' : (formats.get(field.replace(/\\(.)/g, '$1')) ?? tooltipNumber);
      return `format(datum["${field}"], "${sign}${currency}${exact}")`;
    });
}
