/**
 * Grades whether an identity saw only permitted rows. An empty result proves nothing, so it passes only if no rows are
 * expected.
 */
import { cellKey } from '../../compare/rowIndex.ts';
import { cellText, isNull, numberText, typeColumns, type Row } from '../../shared/results/cells.ts';
import { parseDecimal } from '../../shared/results/decimal.ts';
import { shownCell } from '../../shared/results/textTable.ts';
import { plural, quotedNames, t } from '../../shared/text/l10n.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { sameName } from '../grading/matchTables.ts';
import { differenceBetween } from '../grading/grade.ts';
import type { AccessRule, Question } from '../question.ts';
import type { Answer } from '../run/answer.ts';
import {
  gradableQueries,
  withAllRows,
  type Expectation,
  type GradableQuery,
  type LoadingOptions,
} from '../run/expectation.ts';
import type { Attempt } from '../run/verdict.ts';

/** Maximum number of values to list in a message. */
const MOST_VALUES = 5;

const nothingProven = (message: string, actual: GradableQuery | undefined): Attempt => ({
  status: 'notComparable',
  message: t('Inconclusive: {0}', message),
  actual,
});

const noRowsReason = (hasFailedQuery: boolean): string =>
  hasFailedQuery ? t('a query failed.') : t('the agent ran no query.');

/** @returns why a query proves nothing; undefined if it returned all its rows */
const truncated = ({ table }: GradableQuery): string | undefined =>
  table.rows.length < table.totalRows
    ? t('only {0} of {1} rows were returned', table.rows.length.toLocaleString(), table.totalRows.toLocaleString())
    : undefined;

/**
 * @param expectation for the rule `sameAs`: the rows that the other identity saw
 * @returns undefined if the rows of both identities must be compared
 */
export async function gradeAccess(
  question: Question,
  rule: AccessRule,
  answer: Answer,
  expectation: Expectation | undefined,
  options: LoadingOptions,
): Promise<Attempt | undefined> {
  const ran = gradableQueries(answer);
  const queries = await Promise.all(ran.map((query) => withAllRows(question, query, options)));
  const hasFailedQuery = answer.queries.some(({ error }) => error !== undefined);
  switch (rule.kind) {
    case 'only':
      return gradeOnly(rule.values, queries, hasFailedQuery);
    case 'empty':
      return gradeEmpty(queries, hasFailedQuery);
    case 'sameAs':
      return emptySides(rule.identity, expectation, queries);
  }
}

/** @param queries all queries that ran, the last one first: a row in any of them was seen */
function gradeOnly(
  values: Extract<AccessRule, { kind: 'only' }>['values'],
  queries: readonly GradableQuery[],
  hasFailedQuery: boolean,
): Attempt {
  let proof: GradableQuery | undefined;
  let reason = queries.length > 0 ? t('no rows.') : noRowsReason(hasFailedQuery);
  for (const query of queries) {
    const violation = violationOf(values, query);
    if (violation) return violation;
    const missing = [...values.keys()].filter((name) => columnOf(query.table, name) < 0);
    const cut = truncated(query);
    if (query.table.rows.length === 0) continue;
    if (missing.length > 0) reason = t('no column like {0}', quotedNames(missing));
    else if (cut !== undefined) return nothingProven(cut, query);
    else proof ??= query;
  }
  return proof ? { status: 'passed', message: '', actual: proof } : nothingProven(reason, queries[0]);
}

function violationOf(values: ReadonlyMap<string, readonly string[]>, query: GradableQuery): Attempt | undefined {
  const { table } = query;
  for (const [name, allowed] of values) {
    const forbidden = forbiddenIn(table, name, allowed);
    if (forbidden.size === 0) continue;
    const column = columnOf(table, name);
    const seen = [...new Set([...forbidden].map((row) => shownCell(row[column])))];
    const listed = [...seen.slice(0, MOST_VALUES), ...(seen.length > MOST_VALUES ? ['…'] : [])].join(', ');
    const expected = { ...table, rows: table.rows.filter((row) => !forbidden.has(row)) };
    return {
      status: 'failed',
      message: plural(
        table.rows.length,
        '{0} of {1} row must not be seen: {2} {3}|{0} of {1} rows must not be seen: {2} {3}',
        forbidden.size,
        table.rows.length,
        name,
        listed,
      ),
      actual: query,
      difference: differenceBetween(expected, table),
    };
  }
  return undefined;
}

/** @returns the rows with another value; none if the table lacks the column */
export function forbiddenIn(table: ResultTable, name: string, allowed: readonly string[]): Set<Row> {
  const column = columnOf(table, name);
  const isText = typeColumns(table.columns, table.rows)[column]?.kind === 'string';
  const isAllowed = (row: Row): boolean => allowed.some((value) => isSameCell(row[column], value, isText));
  return new Set(column < 0 ? [] : table.rows.filter((row) => !isAllowed(row)));
}

function gradeEmpty(queries: readonly GradableQuery[], hasFailedQuery: boolean): Attempt {
  const seen = queries.find(({ table }) => !isEmpty(table));
  if (seen) {
    const { totalRows } = seen.table;
    const message = plural(totalRows, '{0} row must not be seen|{0} rows must not be seen');
    return { status: 'failed', message, actual: seen };
  }
  if (queries.length === 0 || hasFailedQuery) return nothingProven(noRowsReason(hasFailedQuery), queries[0]);
  return { status: 'passed', message: '', actual: queries[0]! };
}

/** @returns undefined if both identities saw rows, so that they can be compared */
function emptySides(
  identity: string,
  expectation: Expectation | undefined,
  queries: readonly GradableQuery[],
): Attempt | undefined {
  if (expectation === undefined || isEmpty(expectation.table))
    return nothingProven(t('{0} sees no rows.', identity), queries[0]);
  return queries.every(({ table }) => isEmpty(table)) ? nothingProven(t('no rows.'), queries[0]) : undefined;
}

/** Whether a result is empty, or the total of no rows: one row of nulls and zeros. */
const isEmpty = ({ rows, totalRows }: ResultTable): boolean =>
  totalRows === 0 || (totalRows === 1 && rows[0]?.every((cell) => isNull(cell) || isZero(cell)) === true);

const isZero = (cell: unknown): boolean => {
  const number = numberText(cell);
  return number !== undefined && parseDecimal(number).digits === '';
};

const columnOf = ({ columns }: ResultTable, name: string): number =>
  columns.findIndex((column) => sameName(column.name, name));

/**
 * @param value an allowed value, as written in the file
 * @param isText whether the column is text, so that codes such as `01` and `1` differ
 */
const isSameCell = (cell: unknown, value: string, isText: boolean): boolean =>
  cellText(cell) === value || cellKey(cell, isText) === cellKey(value, isText);
