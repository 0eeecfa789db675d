/** Pairs dimensions that were renamed between two results, so that rows can still be matched by them. */
import type { TypedColumn } from '../shared/results/cells.ts';

interface Side {
  columns: readonly TypedColumn[];
}

/** Non-numeric columns that the other side does not have. */
function loneDimensions({ columns }: Side, other: Side): TypedColumn[] {
  const known = new Set(other.columns.map(({ name }) => name));
  return columns.filter(({ name, kind }) => kind !== 'number' && !known.has(name));
}

/**
 * Pairs the dimensions that only one side has, in order, if both sides have the same number of them. Numeric columns
 * are not paired: another measure is not a renamed one.
 * @returns both sides, with paired columns under one name: `segment → group`
 */
export function joinRenamed<Type extends Side>(left: Type, right: Type): [Type, Type] {
  const [before, after] = [loneDimensions(left, right), loneDimensions(right, left)];
  if (before.length !== after.length) return [left, right];
  const joined = new Map<TypedColumn, TypedColumn>();
  before.forEach((column, index) => {
    const partner = after[index] ?? column;
    const name = `${column.name} → ${partner.name}`;
    joined.set(column, { ...column, name });
    joined.set(partner, { ...partner, name });
  });
  const named = (side: Type): Type => ({
    ...side,
    columns: side.columns.map((column) => joined.get(column) ?? column),
  });
  return [named(left), named(right)];
}
