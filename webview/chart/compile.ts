import { parse, type Config as VegaConfig, type Runtime, type Spec as VegaSpec } from 'vega';
import { compile, type Config, type TopLevelSpec } from 'vega-lite';
import { tableName } from '../../src/shared/chart/attachData.ts';
import { checkCompiled } from '../../src/shared/chart/checkCompiled.ts';
import { fieldsIn, type Fields } from '../../src/shared/chart/json.ts';
import { ChartProblem } from '../../src/shared/chart/problem.ts';
import { memberOf, plainName } from '../../src/shared/chart/names.ts';
import { type ChartRow } from '../../src/shared/chart/rows.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { isNarrow } from './labels.ts';
import { leaveOutBelowLogarithms, unstackLogarithms } from './logarithms.ts';
import { deferTooltips } from './tooltips.ts';

/** Pointer moves and releases outside the chart are needed to end a drag; nothing else out there is listened to. */
export const events = {
  bind: 'none',
  window: ['pointermove', 'pointerup'],
  selector: false,
  container: false,
  timer: false,
} as unknown as VegaConfig['events'];

const silent = {
  level: () => silent,
  error: () => silent,
  warn: () => silent,
  info: () => silent,
  debug: () => silent,
} as never;

/** What an axis, a legend or a tooltip calls a field that the specification gives no title. */
function fieldTitle({ field, aggregate }: { field?: unknown; aggregate?: unknown }): string {
  const plain = typeof field === 'string' ? plainName(field) : '';
  // The library finds something else by a title that every object has as a member.
  const name = plain in Object.prototype ? memberOf(plain) : plain;
  if (aggregate === 'count') return t('Count');
  return typeof aggregate === 'string' ? t('{0} of {1}', titleCase(aggregate), name) : name;
}

const titleCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface Compiled {
  /** A Vega specification that has been checked, to be run and not to be compiled again. */
  compiled: VegaSpec;
  /** Expressions of the tooltips, for `tooltipOf`. */
  tooltips: readonly string[];
}

/**
 * @param spec a Vega-Lite specification that has been read, bounded and laid out
 * @param rows the result's rows, put in under their name
 * @returns what a view runs
 * @throws ChartProblem when the specification does not make sense, or makes something that is never run
 */
export function compileChart(spec: Fields, config: Config, rows: readonly ChartRow[]): Compiled {
  let compiled: Fields;
  try {
    compiled = compile(unstackLogarithms(spec) as unknown as TopLevelSpec, { config, fieldTitle, logger: silent })
      .spec as unknown as Fields;
  } catch (error) {
    throw unclear(error);
  }
  leaveOutBelowLogarithms(compiled);
  const checked = checkCompiled(compiled);
  shortenMonths(checked);
  for (const source of fieldsIn(checked.data)) if (source.name === tableName) source.values = rows;
  try {
    const tooltips = deferTooltips(checked);
    return { compiled: checked as unknown as VegaSpec, tooltips };
  } catch (error) {
    throw unclear(error);
  }
}

/** Whole names of months touch each other in a narrow chart. */
function shortenMonths({ width, axes, scales }: Fields): void {
  if (typeof width !== 'number' || !isNarrow(width)) return;
  const times = new Set(
    fieldsIn(scales).flatMap(({ name, type }) => (type === 'time' || type === 'utc' ? [name] : [])),
  );
  for (const axis of fieldsIn(axes)) if (times.has(axis.scale)) axis.format ??= { month: '%b' };
}

/** @returns what a view runs where nothing is drawn */
export function runtimeOf(compiled: VegaSpec): Runtime {
  return parse(compiled, { events }, { ast: true });
}

/** @returns the problem that an error of the charting library amounts to */
export function unclear(error: unknown): ChartProblem {
  if (error instanceof ChartProblem) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ChartProblem('invalid', t('The chart’s specification cannot be drawn: {0}', message.slice(0, 300)));
}
