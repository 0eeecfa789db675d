/** Matches the columns of two tables by types and values, with names as a hint, and pairs their equal rows. */
import { areNear, mayHaveSameCells, pairOf, type ColumnPair, type TableColumn } from './columns.ts';
import { equalPairs } from './columnSearch.ts';
import { pairEqualRows, StepBudget, TooManySteps, type Partners, type TablePair } from './matchRows.ts';

export interface TableMatch {
  pairs: readonly ColumnPair[];
  /** For each right row, the left row that is equal in all pairs of columns, or -1. */
  partners: Partners;
  /** Whether the search for equal columns was given up. */
  isUndecided: boolean;
}

/** Number of columns up to which identical ones are compared each. */
const FEW_COLUMNS = 20;
/** Steps of a search, beyond those that each table needs. */
const MOST_STEPS = 2_000_000;

const stepsFor = ({ rows, columns }: TablePair): StepBudget =>
  new StepBudget(MOST_STEPS + 4 * (rows[0].length + rows[1].length) * (columns[0].length + 1));

/** @returns the equal rows; undefined for those that were not found in a limited number of steps */
export function equalRows(pairs: readonly ColumnPair[], sides: TablePair): Partners {
  const partners = new Int32Array(sides.rows[1].length).fill(-1);
  withinSteps(() => pairEqualRows(pairs, sides, partners, stepsFor(sides)));
  return partners;
}

/** @returns whether the search ended */
function withinSteps(search: () => void): boolean {
  try {
    search();
    return true;
  } catch (failure) {
    if (failure instanceof TooManySteps) return false;
    throw failure;
  }
}

/** @returns the pairs of columns in which the rows of both tables are equal; if there are none, the most likely pairs */
export function matchTables(sides: TablePair): TableMatch {
  const { columns, rows, known } = sides;
  const [left, right] = columns;
  const comparable = (column: TableColumn): ColumnPair[] =>
    right.flatMap((other) => pairOf(column, other, known) ?? []);
  const namesakes = left.flatMap((column) =>
    right.flatMap((other) => (other.name === column.name ? (pairOf(column, other, known) ?? []) : [])),
  );
  const named = bestPairs(left, [namesakes]);
  const partners = equalRows(named, sides);
  const isEqual = named.length === left.length && rows[0].length === rows[1].length && !partners.includes(-1);
  if (isEqual || rows.some(({ length }) => length === 0)) return { pairs: named, partners, isUndecided: false };

  const steps = stepsFor(sides);
  const candidates: ColumnPair[][] = [];
  let found: ReturnType<typeof equalPairs>;
  const isDecided = withinSteps(() => {
    // Identical columns share their candidates.
    const byContent = new Map<string | number, ColumnPair[]>();
    for (const column of left) {
      const content = left.length > FEW_COLUMNS ? column.content : column.index;
      const own =
        byContent.get(content) ??
        comparable(column).filter((pair) => mayHaveSameCells(pair, sides, (cells) => steps.spend(cells)));
      byContent.set(content, own);
      candidates.push(own);
    }
    found = equalPairs(candidates, sides, steps);
  });
  if (found) return { ...found, isUndecided: false };
  const equal = left.flatMap((column) => (candidates[column.index] ?? []).map((pair) => ({ ...pair, left: column })));
  const likely = bestPairs(left, [equal.filter((pair) => pair.left.name === pair.right.name), equal, namesakes]);
  const used = new Set(likely.flatMap((pair) => [pair.left, pair.right]));
  const others = left.flatMap((column) =>
    used.has(column) ? [] : comparable(column).filter((pair) => !used.has(pair.right)),
  );
  const pairs = bestPairs(left, [likely, bySimilarity(others, sides)]);
  const isNamed = named.length === pairs.length && named.every(({ right: own }, at) => own === pairs[at]!.right);
  return { pairs, partners: isNamed ? partners : equalRows(pairs, sides), isUndecided: !isDecided };
}

/** @returns how many cells of both columns are equal, in any order; those of measures without their text */
function countEqualCells({ left, right, mode }: ColumnPair, { precision, known }: TablePair): number {
  if (mode !== 'measure') {
    const counts = new Map<number, number>();
    for (const id of left.ids(mode, known)) counts.set(id, (counts.get(id) ?? 0) + 1);
    return right.ids(mode, known).reduce((equal, id) => {
      const rest = counts.get(id) ?? 0;
      counts.set(id, rest - 1);
      return equal + Number(rest > 0);
    }, 0);
  }
  const [lefts, rights] = [left.sorted, right.sorted];
  let equal = 0;
  for (let at = 0, other = 0; at < lefts.length && other < rights.length;) {
    const [number, otherNumber] = [lefts[at]!, rights[other]!];
    const isEqual = areNear(number, otherNumber, precision);
    const isLess = !isEqual && (number < otherNumber || Number.isNaN(otherNumber));
    equal += Number(isEqual);
    at += Number(isEqual || isLess);
    other += Number(!isLess);
  }
  return equal;
}

/** @returns the pairs, those with the most equal cells first, as far as they are counted in a limited number of steps */
function bySimilarity(pairs: readonly ColumnPair[], sides: TablePair): ColumnPair[] {
  const steps = stepsFor(sides);
  const counts = new Map<ColumnPair, number>();
  withinSteps(() => {
    for (const pair of pairs) {
      steps.spend(pair.left.rows.length + pair.right.rows.length);
      counts.set(pair, countEqualCells(pair, sides));
    }
  });
  return pairs.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
}

/** Pairs columns by each list of pairs in turn, of which the first one of two free columns counts. */
function bestPairs(left: readonly TableColumn[], lists: readonly (readonly ColumnPair[])[]): ColumnPair[] {
  const found = new Map<TableColumn, ColumnPair>();
  const used = new Set<TableColumn>();
  for (const pair of lists.flat()) {
    if (found.has(pair.left) || used.has(pair.right)) continue;
    found.set(pair.left, pair);
    used.add(pair.right);
  }
  return left.flatMap((column) => found.get(column) ?? []);
}
