import { sharedNames, type ChartRow } from '../../src/shared/chart/rows.ts';
import { drawsNothing, undrawnRows } from '../../src/shared/chart/undrawn.ts';
import type { Fields } from '../../src/shared/chart/json.ts';
import { ChartProblem } from '../../src/shared/chart/problem.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';

/**
 * What of the result and of the specification does not come together, in words.
 * @throws ChartProblem when nothing would be drawn
 * @param missing fields that the specification names and the result does not have
 */
export function gapsOf(
  missing: readonly string[],
  spec: Fields,
  rows: readonly ChartRow[],
  table: ResultTable,
): string[] {
  const shared = sharedNames(spec, table);
  const dropped = undrawnRows(spec, rows, table);
  if (dropped > 0 && dropped === rows.length && drawsNothing(spec, rows, table))
    throw new ChartProblem('invalid', t('None of the rows has a value that the chart can draw.'));
  const notDrawn = (): string =>
    plural(
      dropped,
      '{0} of {1} rows has no drawable value and is left out.|{0} of {1} rows have no drawable value and are left out.',
      dropped,
      rows.length,
    );
  return [
    ...(shared.length === 0
      ? []
      : [t('The result has several columns named “{0}”. The chart uses the first one.', shared.join('”, “'))]),
    ...(missing.length === 0
      ? []
      : [t('The chart uses the field “{0}”, which the result doesn’t have.', missing.join('”, “'))]),
    ...(dropped === 0 ? [] : [notDrawn()]),
  ];
}
