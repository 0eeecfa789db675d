import { parseExpression } from 'vega';
import { fieldsIn, isFields, type Fields } from '../../src/shared/chart/json.ts';
import { limits } from '../../src/shared/chart/limits.ts';
import { Budget } from './budget.ts';
import { evaluator, type Node } from './evaluator.ts';
import { meterOf } from './expressions.ts';

/** What stands in for a tooltip until somebody wants to see it; no chart can write it, for it is not text. */
const mark = '\u0000tooltip ';

/**
 * Takes the expressions of tooltips out of a compiled specification, in place. Working them out for every mark costs
 * more than drawing the marks, and only one is ever looked at.
 * @returns the expressions, for {@link tooltipOf}
 */
export function deferTooltips(scope: Fields, expressions: string[] = []): string[] {
  for (const child of fieldsIn(scope.marks)) {
    const update = isFields(child.encode) && isFields(child.encode.update) ? child.encode.update : {};
    if (isFields(update.tooltip) && typeof update.tooltip.signal === 'string') {
      // An expression that looks at the mark itself, or at signals, is left where it finds them.
      if (/^\{"/.test(update.tooltip.signal) && !/\bitem\b/.test(update.tooltip.signal)) {
        update.tooltip = { value: `${mark}${expressions.push(update.tooltip.signal) - 1}` };
      }
    }
    deferTooltips(child, expressions);
  }
  return expressions;
}

interface RuntimeView {
  _runtime: { functions: Record<string, unknown>; signals: Record<string, { value: unknown }> };
}

/**
 * @returns the value of a tooltip, worked out now if it was deferred
 * @throws ChartProblem when that takes too long
 */
export function tooltipOf(value: unknown, datum: unknown, expressions: readonly string[], view: unknown): unknown {
  const expression =
    typeof value === 'string' && value.startsWith(mark) ? expressions[Number(value.slice(mark.length))] : undefined;
  if (expression === undefined) return value;
  const { functions, signals } = (view as RuntimeView)._runtime;
  const parameters = Object.fromEntries(Object.entries(signals).map(([name, { value: held }]) => [`$${name}`, held]));
  const budget = new Budget();
  budget.start(limits.answer);
  const ast = parseExpression(expression) as unknown as Node;
  return evaluator(ast, { functions }, meterOf(budget))({ datum, parameters });
}
