/** Matches the columns of two tables by values and types, whatever their names, so that the rows are equal. */
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
 * @returns the matches in the order of the expected columns, or `undefined` if there are none
 */
export function matchTables(
  expected: readonly GradedColumn[],
  actual: readonly GradedColumn[],
  rows: number,
): ColumnMatch[] | undefined {
  const candidates = expected.map((column) => candidatesOf(column, actual));
  const search = (level: number, tuples: Tuples, used: readonly ColumnMatch[]): ColumnMatch[] | undefined => {
    const options = candidates[level];
    if (options === undefined) return [...used];
    const tried = new Set<string>();
    for (const match of options) {
      if (used.some(({ actual }) => actual === match.actual)) continue;
      // Columns with the same cells in the same rows are interchangeable.
      const cells = JSON.stringify(match.actual.keys(match.mode));
      if (tried.has(cells)) continue;
      tried.add(cells);
      const next = refine(tuples, match);
      const found = sameCounts(countOf(next.expected), countOf(next.actual))
        ? search(level + 1, next, [...used, match])
        : undefined;
      if (found) return found;
    }
    return undefined;
  };
  return search(0, tuplesOf([], { expected: rows, actual: rows }), []);
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
