import { compile, type Config, type TopLevelSpec } from 'vega-lite';
import { tableName } from '../../src/shared/chart/attachData.ts';
import { checkChart, type Estimate } from '../../src/shared/chart/guard/guard.ts';
import { fieldsIn, type Fields } from '../../src/shared/chart/json.ts';
import { ChartProblem } from '../../src/shared/chart/problem.ts';
import { memberOf, plainName } from '../../src/shared/chart/names.ts';
import { type ChartRow } from '../../src/shared/chart/rows.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { isNarrow } from './labels.ts';
import { leaveOutBelowLogarithms, unstackLogarithms } from './logarithms.ts';

const silent = {
  level: () => silent,
  error: () => silent,
  warn: () => silent,
  info: () => silent,
  debug: () => silent,
} as never;

/** Title of an axis, a legend or a tooltip for a field without one in the specification. */
function fieldTitle({ field, aggregate }: { field?: unknown; aggregate?: unknown }): string {
  const plain = typeof field === 'string' ? plainName(field) : '';
  // Vega-Lite looks titles up in a plain object, where names of inherited members are found.
  const name = plain in Object.prototype ? memberOf(plain) : plain;
  if (aggregate === 'count') return t('Count');
  return typeof aggregate === 'string' ? t('{0} of {1}', titleCase(aggregate), name) : name;
}

const titleCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * @param spec a Vega-Lite specification that has been read and laid out
 * @param rows the result's rows
 * @returns a Vega specification that passed the guard, and what drawing it will take
 * @throws ChartProblem when the specification is invalid, or the guard refuses what it compiles to
 */
export function compileChart(
  spec: Fields,
  config: Config,
  rows: readonly ChartRow[],
): { compiled: Fields; estimate: Estimate } {
  try {
    const options = { config, fieldTitle, logger: silent };
    const { usermeta: _, ...compiled } = compile(unstackLogarithms(spec) as unknown as TopLevelSpec, options)
      .spec as unknown as Fields;
    leaveOutBelowLogarithms(compiled);
    shortenMonths(compiled);
    for (const source of fieldsIn(compiled.data)) if (source.name === tableName) source.values = rows;
    return { compiled, estimate: checkChart(compiled) };
  } catch (error) {
    throw problemOf(error);
  }
}

/** Full month names overlap in a narrow chart. */
function shortenMonths({ width, axes, scales }: Fields): void {
  if (typeof width !== 'number' || !isNarrow(width)) return;
  const times = new Set(
    fieldsIn(scales).flatMap(({ name, type }) => (type === 'time' || type === 'utc' ? [name] : [])),
  );
  for (const axis of fieldsIn(axes)) if (times.has(axis.scale)) axis.format ??= { month: '%b' };
}

/** @returns the problem that an error of Vega or Vega-Lite amounts to */
export function problemOf(error: unknown): ChartProblem {
  if (error instanceof ChartProblem) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ChartProblem('invalid', t('The chart’s specification can’t be drawn: {0}', message.slice(0, 300)));
}
