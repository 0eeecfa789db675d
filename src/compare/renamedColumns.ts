/** Dimensions that two results have in common under different names: what a branch renames still tells rows apart. */
import type { TypedColumn } from '../shared/results/cells.ts';

interface Side {
  columns: readonly TypedColumn[];
}

/** Columns without numbers that the other side does not have. */
function loneDimensions({ columns }: Side, other: Side): TypedColumn[] {
  const known = new Set(other.columns.map(({ name }) => name));
  return columns.filter(({ name, kind }) => kind !== 'number' && !known.has(name));
}

/**
 * Dimensions that only one side has are partners in their order, where both sides have equally many of them.
 * Numbers are not: another measure is not a changed one.
 * @returns both sides, partners under one name: `segment → group`
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
