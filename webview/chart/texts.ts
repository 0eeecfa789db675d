/** How long values are as text, found out before they are turned into it. */
import { limits } from '../../src/shared/chart/limits.ts';
import { atMost } from './budget.ts';

/** Characters that stand for a value that is neither a text nor a list. */
const other = 8;

/**
 * @returns how many characters a value has as text. Lists may hold one another many times over, so this stops counting
 * beyond `most`
 */
function textLength(value: unknown, most: number): number {
  if (!Array.isArray(value)) return typeof value === 'string' ? value.length : other;
  let { length } = value;
  for (const entry of value) {
    if (length > most) break;
    length += textLength(entry, most - length);
  }
  return length;
}

/** @throws ChartProblem when a list among the values would be too long as text */
export function checkLists(values: readonly unknown[]): void {
  for (const value of values) if (Array.isArray(value)) atMost(textLength(value, limits.text), limits.text);
}

/** @throws ChartProblem when a list would be too long with something between its entries */
export function checkJoin([list, between = ',']: readonly unknown[]): void {
  const gaps = Array.isArray(list) ? list.length * String(between).length : 0;
  atMost(gaps + textLength(list, limits.text), limits.text);
}

/** @throws ChartProblem when what stands for a pattern could make a text too long, found at every place of it */
export function checkReplace([text, , by]: readonly unknown[]): void {
  const [{ length }, replacement] = [String(text), String(by)];
  // These put all that stands before or after in each place.
  const around = /\$[`']/.test(replacement) ? length : 1;
  atMost((length + 1) * (replacement.length + 1) * around, limits.text);
}
