/** Fields and a scope for expressions of a chart. */
import { row, scalar, type Bounds } from '../../../../src/shared/chart/guard/bounds.ts';
import { checkExpression, type Scope } from '../../../../src/shared/chart/guard/expression.ts';

export const fields: Record<string, Bounds> = {
  /** Numbers from -2 to 5. */
  n: { ...scalar, low: -2, high: 5, distinct: 8 },
  /** Texts of up to ten characters. */
  t: { ...scalar, text: 10, distinct: 3 },
  /** Lists of up to six values. */
  l: { ...scalar, text: 60, items: 6 },
  /** Digits as text. */
  d: { ...scalar, low: 1, high: 5, text: 1 },
  /** Lists that are too long. */
  long: { ...scalar, items: 5001 },
};
export const scope: Scope = {
  field: (name = '') => fields[name] ?? row,
  datum: row,
  signal: (name) => ({ ...scalar, low: 0, high: name === 'width' ? 300 : Infinity }),
  rows: () => ({ ...scalar, items: 90, text: 900 }),
  handler: false,
};
export const boundsIn = (text: string): Bounds => checkExpression(text, scope).bounds;
