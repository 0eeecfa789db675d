/** Random tables for the tests of results. */
import fc from 'fast-check';
import { typeColumns, type TypedColumn } from '../../../../src/shared/results/cells.ts';
import { runs } from '../../../support/runs.ts';
import { anyText } from '../../../support/text.ts';

/** Number of random cases per property. */
export const cases = runs(75);

/** Text that is hard to encode: separators, quotes, line ends, formulas, other scripts. */
const hardText = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '\t', "'", '=', '-', '|', '\\', ' ', 'a', '_', '`', '<') }),
  anyText(),
  fc.constantFrom('', '=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\0=1', "'", '-1,5', 'NULL', '名前', '😀'),
);

export const decimalText = fc
  .tuple(fc.boolean(), fc.bigInt(0n, 10n ** 30n), fc.integer({ min: 0, max: 20 }))
  .map(([negative, digits, scale]) => {
    const text = String(digits).padStart(scale + 1, '0');
    const whole = text.slice(0, text.length - scale);
    return (negative ? '-' : '') + whole + (scale === 0 ? '' : `.${text.slice(text.length - scale)}`);
  });

const cell = fc.oneof(
  hardText,
  decimalText,
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);

/** Columns of every declared type, with any cell in any column. */
export const table = fc.integer({ min: 1, max: 5 }).chain((width) =>
  fc.record({
    columns: fc
      .array(fc.record({ name: hardText, type: fc.constantFrom('string', 'number', 'time', 'boolean', 'json') }), {
        minLength: width,
        maxLength: width,
      })
      .map((columns): TypedColumn[] => typeColumns(columns, [])),
    rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 12 }),
  }),
);
