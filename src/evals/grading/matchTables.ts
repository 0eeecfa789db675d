/** Matches the columns of two tables by values and types, whatever their names, and decides whether the rows are equal. */
import { countOf, modeOf, sameCounts, type GradedColumn, type Mode } from './columns.ts';

/** An expected column with a column of the answer, and how their cells are compared. */
export interface ColumnMatch {
  expected: GradedColumn;
  actual: GradedColumn;
  mode: Mode;
}

/** Number of the tuple of matched cells in each row; equal tuples have the same number on both sides. */
interface Tuples {
  expected: readonly number[];
  actual: readonly number[];
}

/**
 * Searches for a column of the answer for each expected one, such that both sides have the same rows equally often.
 * @param rows number of rows of both sides
 * @returns whether there are such columns
 */
export function hasSameRows(expected: readonly GradedColumn[], actual: readonly GradedColumn[], rows: number): boolean {
  const candidates = expected.map((column) => candidatesOf(column, actual));
  if (candidates.some(({ length }) => length === 0)) return false;
  // Columns with many different cells first: they tell the rows apart, and few candidates for the others remain.
  const variety = ([match]: readonly ColumnMatch[]): number => match!.expected.counts(match!.mode).size;
  candidates.sort((left, right) => variety(right) - variety(left));
  const search = (level: number, tuples: Tuples, used: ReadonlySet<GradedColumn>): boolean => {
    const options = candidates[level];
    if (options === undefined) return true;
    const tried = new Set<string>();
    return options.some((match) => {
      if (used.has(match.actual)) return false;
      // Columns of one type with the same cells in the same rows are interchangeable.
      const { kind, isDeclared } = match.actual;
      const cells = JSON.stringify([kind, isDeclared, match.actual.cells]);
      if (tried.has(cells)) return false;
      tried.add(cells);
      const next = refine(tuples, match);
      return (
        sameCounts(countOf(next.expected), countOf(next.actual)) &&
        search(level + 1, next, new Set([...used, match.actual]))
      );
    });
  };
  return search(0, tuplesOf([], { expected: rows, actual: rows }), new Set());
}

/** Columns of the answer with the same cells as an expected one, in any order; those with its name first. */
export function candidatesOf(expected: GradedColumn, columns: readonly GradedColumn[]): ColumnMatch[] {
  const matches = columns.flatMap((actual): ColumnMatch[] => {
    const mode = modeOf(expected, actual);
    return mode !== undefined && hasSameCells({ expected, actual, mode }) ? [{ expected, actual, mode }] : [];
  });
  const isNamesake = ({ actual }: ColumnMatch): number => Number(sameName(expected.name, actual.name));
  return matches.sort((left, right) => isNamesake(right) - isNamesake(left));
}

/** @returns whether both columns have the same cells, in any order */
export const hasSameCells = ({ expected, actual, mode }: ColumnMatch): boolean =>
  sameCounts(expected.counts(mode), actual.counts(mode));

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
/** @returns whether names are the same in any case, without the cube or table before a dot */
export const sameName = (left: string, right: string): boolean => lastPart(left) === lastPart(right);

function refine(tuples: Tuples, { expected, actual, mode }: ColumnMatch): Tuples {
  const numbers = new Map<string, number>();
  const refined = (before: readonly number[], keys: readonly string[]): number[] =>
    before.map((tuple, row) => {
      const key = `${tuple} ${keys[row]}`;
      let number = numbers.get(key);
      if (number === undefined) numbers.set(key, (number = numbers.size));
      return number;
    });
  return { expected: refined(tuples.expected, expected.keys(mode)), actual: refined(tuples.actual, actual.keys(mode)) };
}

/** @returns for each row of both sides the number of its tuple of cells in these columns */
export const tuplesOf = (matches: readonly ColumnMatch[], rows: { expected: number; actual: number }): Tuples =>
  matches.reduce(refine, {
    expected: Array<number>(rows.expected).fill(0),
    actual: Array<number>(rows.actual).fill(0),
  });
