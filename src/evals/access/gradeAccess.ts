/**
 * Grades whether an identity saw only permitted rows, in all queries of its answer. An empty result proves nothing, so
 * it passes only if no rows are expected.
 */
import { cellText, isNull, kindOfType, numberText, type Row } from '../../shared/results/cells.ts';
import { compareNumeric, isNumeric, parseDecimal } from '../../shared/results/decimal.ts';
import { shownCell } from '../../shared/results/textTable.ts';
import { markdownTables } from '../../shared/text/markdownTables.ts';
import { plural, quotedNames, t } from '../../shared/text/l10n.ts';
import { withoutTrailing } from '../../shared/text/lines.ts';
import type { Column, ResultTable } from '../../shared/wire/toolPayloads.ts';
import { exactKey } from '../../compare/cellEquality.ts';
import { sameName } from '../../compare/columns.ts';
import { differenceBetween, gradeTable } from '../grading/grade.ts';
import type { AccessRule, TestQuestion } from '../question.ts';
import type { Answer } from '../matrix/answer.ts';
import { attemptOf, hasNoOutcome, type Attempt, type Expectation, type GradableQuery } from '../matrix/expectation.ts';

/** Maximum number of values to list in a message. */
const MOST_VALUES = 5;

const nothingProven = (message: string, actual: GradableQuery | undefined): Attempt => ({
  status: 'review',
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
 * @param answer with all its rows, as far as they can be loaded
 * @param expectation for the rule `sameAs`: the rows that the other identity saw
 * @param options the number of significant digits to which numbers are compared with those of the other identity
 */
export function gradeAccess(
  _question: TestQuestion,
  rule: AccessRule,
  answer: Answer,
  expectation: Expectation | undefined,
  { precision }: { precision?: number | undefined },
): Attempt {
  const queries = answer.queries.flatMap((query) => (query.table ? [{ ...query, table: query.table }] : [])).reverse();
  const attempt = gradeRule(rule, queries, answer, expectation, precision);
  // The identity may have seen the rows.
  return attempt.status !== 'failed' && answer.queries.some(hasNoOutcome)
    ? nothingProven(t('the service sent no result of a query.'), attempt.actual)
    : attempt;
}

/** @param queries all queries that ran, the last one first */
function gradeRule(
  rule: AccessRule,
  queries: readonly GradableQuery[],
  answer: Answer,
  expectation: Expectation | undefined,
  precision: number | undefined,
): Attempt {
  const hasFailedQuery = answer.queries.some(({ error }) => error !== undefined);
  switch (rule.kind) {
    case 'only':
      return gradeOnly(rule.values, queries, hasFailedQuery);
    case 'empty':
      return gradeEmpty(queries, answer.text, hasFailedQuery);
    case 'denied':
      return gradeDenied(queries, answer.text);
    case 'sameAs':
      return gradeSame(rule.identity, expectation, queries, precision);
  }
}

type OnlyRule = Extract<AccessRule, { kind: 'only' }>;

/** @param queries all queries that ran, the last one first: a row in any of them was seen */
function gradeOnly(values: OnlyRule['values'], queries: readonly GradableQuery[], hasFailedQuery: boolean): Attempt {
  for (const query of queries) {
    const violation = violationOf(values, query);
    if (violation) return violation;
  }
  const seen = queries.filter(({ table }) => rowCount(table) > 0);
  for (const query of seen) {
    const missing = [...values.keys()].filter((name) => columnsOf(query.table, name).length === 0);
    const reason = missing.length > 0 ? t('no column like {0}', quotedNames(missing)) : truncated(query);
    if (reason !== undefined) return nothingProven(reason, query);
  }
  if (seen[0]) return { status: 'passed', message: '', actual: seen[0] };
  return nothingProven(queries.length > 0 ? t('no rows.') : noRowsReason(hasFailedQuery), queries[0]);
}

function violationOf(values: OnlyRule['values'], query: GradableQuery): Attempt | undefined {
  const { table } = query;
  for (const [name, allowed] of values) {
    const forbidden = forbiddenIn(table, name, allowed);
    if (forbidden.size === 0) continue;
    const seen = [...new Set([...forbidden.values()].flat().map((cell) => shownCell(cell)))];
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

/** @returns the rows with another value, with these values; none if the table lacks the column */
export function forbiddenIn(
  table: ResultTable,
  name: string,
  allowed: readonly (string | null)[],
): Map<Row, unknown[]> {
  const columns = columnsOf(table, name);
  return new Map(
    table.rows.flatMap((row): [Row, unknown[]][] => {
      const values = columns.flatMap(({ at, type }) =>
        allowed.some((value) => isSameCell(row[at], value, type)) ? [] : [row[at]],
      );
      return values.length > 0 ? [[row, values]] : [];
    }),
  );
}

function gradeEmpty(queries: readonly GradableQuery[], text: string, hasFailedQuery: boolean): Attempt {
  const seen = seenRows(queries);
  if (seen) return seen;
  if (queries.length === 0 || hasFailedQuery) return nothingProven(noRowsReason(hasFailedQuery), queries[0]);
  return tableInText(text, queries[0]) ?? { status: 'passed', message: '', actual: queries[0]! };
}

/** Some agents put results into the text. @returns undefined if the text has no table with rows */
function tableInText(text: string, actual: GradableQuery | undefined): Attempt | undefined {
  if (markdownTables(text).every(({ rows }) => rows.length === 0)) return undefined;
  return nothingProven(t('the text of the answer has a table.'), actual);
}

/** @returns the failure because of rows that a query returned */
function seenRows(queries: readonly GradableQuery[]): Attempt | undefined {
  const actual = queries.find(({ table }) => !isEmpty(table));
  if (actual === undefined) return undefined;
  const message = plural(rowCount(actual.table), '{0} row must not be seen|{0} rows must not be seen');
  return { status: 'failed', message, actual };
}

/** An empty result may be due to row-level security, which is no denial. */
function gradeDenied(queries: readonly GradableQuery[], text: string): Attempt {
  const seen = seenRows(queries);
  if (seen) return seen;
  if (queries.length > 0) return nothingProven(t('no rows.'), queries[0]);
  return tableInText(text, undefined) ?? { status: 'passed', message: '' };
}

/** Fails if no query has the rows of the other identity; if only some have, the others may show what it must not see. */
function gradeSame(
  identity: string,
  expectation: Expectation | undefined,
  queries: readonly GradableQuery[],
  precision: number | undefined,
): Attempt {
  if (expectation === undefined || isEmpty(expectation.table))
    return nothingProven(t('{0} sees no rows.', identity), queries[0]);
  const attempts = queries
    .filter(({ table }) => !isEmpty(table))
    .map((actual) => attemptOf(gradeTable(expectation.table, actual.table, precision), actual));
  if (attempts.length === 0) return nothingProven(t('no rows.'), queries[0]);
  const other = attempts.find(({ status }) => status !== 'passed');
  return other && attempts.some(({ status }) => status === 'passed')
    ? nothingProven(t('another query returned other rows than {0} sees.', identity), other.actual)
    : attempts[0]!;
}

const rowCount = ({ rows, totalRows }: ResultTable): number => Math.max(rows.length, totalRows);

/** Whether a result is empty, or the total of no rows: one row of nulls and zeros. */
const isEmpty = (table: ResultTable): boolean =>
  rowCount(table) === 0 ||
  (rowCount(table) === 1 && table.rows[0]?.every((cell) => isNull(cell) || isZero(cell)) === true);

const isZero = (cell: unknown): boolean => {
  const number = numberText(cell);
  return number !== undefined && parseDecimal(number).digits === '';
};

/** What databases append to a name that another column of the result has: `region_1`, `region:1`. */
const REPEATED = /[_:]\d{1,2}$/;

/**
 * @returns the columns with this qualified name; without one, all columns of the same last part, unless both names are
 * qualified: `orders.region` is not `customers.region`
 */
function columnsOf({ columns }: ResultTable, name: string): { at: number; type: string }[] {
  const indexed = columns.map((column: Column, at) => ({ ...column, at }));
  const named = (isNamed: (column: string) => boolean): typeof indexed => {
    const isRepeated = (column: string): boolean => isNamed(column.replace(REPEATED, ''));
    return indexed.some((column) => isNamed(column.name))
      ? indexed.filter((column) => isNamed(column.name) || isRepeated(column.name))
      : [];
  };
  if (!name.includes('.')) return named((column) => sameName(column, name));
  const exact = named((column) => column.toLowerCase() === name.toLowerCase());
  return exact.length > 0 ? exact : named((column) => !column.includes('.') && sameName(column, name));
}

/**
 * @param value an allowed value, as written in the file, or null
 * @param type of the column: text that looks like a number is compared as one only in a column of numbers, as it can be
 * a code elsewhere
 */
function isSameCell(cell: unknown, value: string | null, type: string): boolean {
  if (isNull(cell) || value === null) return isNull(cell) && value === null;
  const text = cellText(cell);
  const kind = kindOfType(type);
  if (text === value || kind === 'string') return text === value;
  if (typeof cell === 'boolean' || kind === 'boolean') return exactKey(cell, 'boolean') === exactKey(value, 'boolean');
  if (typeof cell === 'number' || kind === 'number')
    return [text, value].every(isUnpadded) && compareNumeric(text, value) === 0;
  return plainTime(text) === plainTime(value);
}

/** Removes what a service may add to a day or a time: midnight, zero fractions and UTC. */
const plainTime = (text: string): string =>
  text.replace(
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,12}))?)?)?\s?(?:Z|UTC|GMT|[+-]00(?::?00)?)?$/,
    (_, day: string, minute = '00:00', second = '00', fraction = '') => {
      const clock = `${minute}:${second}${withoutTrailing(`.${fraction}`, '0')}`;
      return clock === '00:00:00.' ? day : `${day} ${clock}`;
    },
  );

/** Excludes codes such as `01`. */
const isUnpadded = (text: string): boolean => isNumeric(text) && !/^(?:\+|-?0\d)/.test(text);
