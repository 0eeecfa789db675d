import { t } from '../text/l10n.ts';
import type { ResultTable } from '../wire/toolPayloads.ts';
import { tableName } from './attachData.ts';
import { isFields, type Fields } from './json.ts';
import { ChartProblem } from './problem.ts';
import { plainName } from './names.ts';
import { mentions, transformsOf, unitsOf } from './units.ts';

/**
 * @param spec a specification whose data is settled
 * @returns the names of fields that it draws and the result does not have; none where it may make them itself
 * @throws ChartProblem when it has none of them, so that the chart would be empty
 */
export function missingFields(spec: Fields, table: ResultTable): string[] {
  if (transformsOf(spec).length > 0 || hasOwnData(spec)) return [];
  const definitions = unitsOf(spec).flatMap(({ encoding }) => Object.values(encoding).filter(isFields));
  const named = definitions.map(({ field }) => field).filter((field) => typeof field === 'string');
  const names = [...new Set(named.map(plainName))];
  const columns = new Set(table.columns.flatMap(({ name }) => [name, plainName(name)]));
  const missing = names.filter((name) => !columns.has(name) && !columns.has(name.split('.')[0] ?? ''));
  if (missing.length > 0 && missing.length === names.length) {
    throw new ChartProblem('invalid', t('The chart uses fields that the result doesn’t have: {0}', missing.join(', ')));
  }
  return missing;
}

const hasOwnData = (spec: Fields): boolean =>
  mentions(spec, (key, value) => key === 'data' && isFields(value) && value.name !== tableName);
