import { compile, type Config, type TopLevelSpec } from 'vega-lite';
import { tableName } from '../../src/shared/chart/attachData.ts';
import { checkChart, type Estimate } from '../../src/shared/chart/guard/guard.ts';
import { fieldsIn, isFields, type Fields } from '../../src/shared/chart/json.ts';
import { ChartProblem } from '../../src/shared/chart/problem.ts';
import { memberOf, plainName, readable } from '../../src/shared/chart/names.ts';
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
  // Vega-Lite writes titles into expressions and looks them up in a plain object, so they are escaped as names are.
  const name = typeof field === 'string' ? memberOf(plainName(field)) : '';
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
    unescapeTitles(compiled);
    for (const source of fieldsIn(compiled.data)) if (source.name === tableName) source.values = rows;
    return { compiled, estimate: checkChart(compiled) };
  } catch (error) {
    throw problemOf(error);
  }
}

/** Titles that are shown, in contrast to those in expressions, are read by people. */
function unescapeTitles(scope: Fields): void {
  for (const part of [scope, ...fieldsIn(scope.axes), ...fieldsIn(scope.legends)]) {
    const { title } = part;
    if (typeof title === 'string') part.title = readable(title);
    else if (isFields(title) && typeof title.text === 'string') title.text = readable(title.text);
  }
  for (const mark of fieldsIn(scope.marks)) unescapeTitles(mark);
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
