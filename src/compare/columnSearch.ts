/** Searches for the pairs of columns in which the rows of two tables are equal. */
import { areNear, hasSameIds, type ColumnPair, type TableColumn } from './columns.ts';
import { pairEqualRows, refine, type Groups, type Partners, type TablePair, type StepBudget } from './matchRows.ts';

/**
 * Searches for a right column for each left one, such that both sides have equal rows. The search divides the rows of
 * both sides by one pair of columns after another, and rejects a pair as soon as the sizes of a group differ.
 * @param candidates for each left column, pairs with the same cells in any order, of this column or an identical one
 * @returns the pairs in the order of the left columns, and the left row of each right one
 * @throws TooManySteps
 */
export function equalPairs(
  candidates: readonly (readonly ColumnPair[])[],
  sides: TablePair,
  steps: StepBudget,
): { pairs: ColumnPair[]; partners: Partners } | undefined {
  if (sides.rows[0].length !== sides.rows[1].length) return undefined;
  const rights = new Set<TableColumn>();
  for (const pairs of new Set(candidates)) for (const { right } of pairs) rights.add(right);
  if (rights.size < candidates.length || candidates.some(({ length }) => length === 0)) return undefined;
  const cells = cellGroups(candidates, sides);
  const { options, groups } = distinguished(candidates, cells, sides, steps);
  if (options.some(({ length }) => length === 0)) return undefined;
  // Columns with few candidates first, then those with many different cells, which tell the rows apart.
  const variety = options.map((pairs) => new Set(cells(pairs[0]!).left).size);
  const order = [...options.keys()].sort(
    (a, b) => options[a]!.length - options[b]!.length || variety[b]! - variety[a]!,
  );
  const chosen = new Map<TableColumn, ColumnPair>();
  const search = (level: number, rows: Groups): Partners | undefined => {
    const at = order[level];
    if (at === undefined) {
      const partners = new Int32Array(sides.rows[1].length).fill(-1);
      pairEqualRows([...chosen.values()], sides, partners, steps);
      return partners.includes(-1) ? undefined : partners;
    }
    const tried = new Set<string>();
    for (const pair of options[at]!) {
      // Columns with the same cells in the same rows are interchangeable.
      if (chosen.has(pair.right) || tried.has(pair.right.content)) continue;
      tried.add(pair.right.content);
      steps.spend(rows.left.length + rows.right.length);
      const next = refine(rows, cells(pair));
      if (!hasSameIds(next.left, next.right)) continue;
      chosen.set(pair.right, { ...pair, left: sides.columns[0][at]! });
      const partners = search(level + 1, next);
      if (partners) return partners;
      chosen.delete(pair.right);
    }
    return undefined;
  };
  const partners = search(0, groups);
  return partners && { pairs: [...chosen.values()].sort((a, b) => a.left.index - b.left.index), partners };
}

/** @returns a function that returns the cells of a pair as numbers; those of measures are equal for chains of near ones */
function cellGroups(
  candidates: readonly (readonly ColumnPair[])[],
  { known, precision }: TablePair,
): (pair: ColumnPair) => Groups {
  const columns = new Set<TableColumn>();
  for (const pairs of new Set(candidates))
    for (const { left, right, mode } of pairs) if (mode === 'measure') columns.add(left).add(right);
  const all = new Float64Array([...columns].reduce((sum, { numbers }) => sum + numbers.length, 0));
  let length = 0;
  for (const { numbers } of columns) {
    all.set(numbers, length);
    length += numbers.length;
  }
  let chain = 0;
  const chains = new Map<number, number>();
  all.sort().forEach((number, at) => {
    if (at > 0 && !areNear(all[at - 1]!, number, precision)) chain++;
    chains.set(number, chain);
  });
  const measures = new Map<TableColumn, Int32Array>();
  for (const column of columns)
    measures.set(
      column,
      Int32Array.from(column.numbers, (number) => chains.get(number)!),
    );
  return ({ left, right, mode }) => ({
    left: measures.get(left) ?? left.ids(mode, known),
    right: measures.get(right) ?? right.ids(mode, known),
    count: Math.max(known.size, chain + 1),
  });
}

/** Times that rows and columns are told apart by one another. */
const ROUNDS = 3;

/**
 * Tells rows apart by their cells in columns of each color, and columns by their cells in rows of each color (color
 * refinement), so that few interchangeable columns remain. Impossible if some candidates are extra columns.
 */
function distinguished(
  candidates: readonly (readonly ColumnPair[])[],
  cells: (pair: ColumnPair) => Groups,
  { rows }: TablePair,
  steps: StepBudget,
): { options: (readonly ColumnPair[])[]; groups: Groups } {
  const groups = { left: new Int32Array(rows[0].length), right: new Int32Array(rows[1].length), count: 1 };
  const rightPairs = new Map<TableColumn, ColumnPair>();
  let isOneMode = true;
  for (const pairs of new Set(candidates))
    for (const pair of pairs) {
      const mode = (rightPairs.get(pair.right) ?? pair).mode;
      isOneMode &&= mode === pair.mode && mode === pairs[0]!.mode;
      rightPairs.set(pair.right, pair);
    }
  const isAmbiguous = candidates.some(({ length }) => length > 1);
  if (!isAmbiguous || !isOneMode || rightPairs.size !== candidates.length) return { options: [...candidates], groups };
  const left = { columns: candidates.map(([pair]) => cells(pair!).left), rows: groups.left, colors: [] as number[] };
  const right = {
    columns: [...rightPairs.values()].map((pair) => cells(pair).right),
    rows: groups.right,
    colors: left.colors,
  };
  const sides = [left, right];
  for (let round = 0; round < ROUNDS; round++) {
    const known = new Map<string, number>();
    const color = (parts: string[]): number => {
      const key = parts.sort().join();
      known.set(key, known.get(key) ?? known.size);
      return known.get(key)!;
    };
    for (const side of sides) {
      const { columns, colors } = side;
      // Texts cost more than numbers.
      steps.spend(8 * columns.length * side.rows.length);
      side.rows = side.rows.map((group, row) =>
        color([`row ${group}`, ...columns.map((ids, at) => `${colors[at]} ${ids[row]}`)]),
      );
    }
    for (const side of sides)
      side.colors = side.columns.map((ids) => color(Array.from(ids, (id, row) => `${side.rows[row]} ${id}`)));
  }
  const colorOf = new Map([...rightPairs.keys()].map((column, at) => [column, right.colors[at]]));
  return {
    options: candidates.map((pairs, at) =>
      pairs.filter(({ right: column }) => colorOf.get(column) === left.colors[at]),
    ),
    groups: { left: left.rows, right: right.rows, count: 0 },
  };
}
