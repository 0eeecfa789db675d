/**
 * Compares answers: groups their queries, diffs the SQL by line, compares the results by row, and exports the comparison.
 */
import {
  contextLabels,
  precisionNote,
  type ChangedMember,
  type ComparedQuery,
  type RunContext,
  type ShownCell,
  type ShownComparison,
  type ShownValue,
  type SqlDifference,
} from '../../shared/protocol/runs.ts';
import type { SqlQueryPayload, ModelMember } from '../../shared/wire/toolPayloads.ts';
import { displayOf, formatNumber, shownOrNull } from '../../shared/results/display.ts';
import { encodeRows } from '../../shared/results/encode.ts';
import type { Row } from '../../shared/results/cells.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { lastQueries, shownTurns } from '../../shared/thread/turns.ts';
import { gradeTable } from '../../evals/grading/grade.ts';
import type { Precision } from '../../compare/cellEquality.ts';
import type { ComparedColumn } from '../../compare/comparedColumns.ts';
import { compareTables, type ComparedRow, type TableComparison } from '../../compare/compareTables.ts';
import { diffLines, diffText } from '../../compare/lineDiff.ts';
import { fenced, harmless, plain } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import { exportComparison } from '../../compare/compareExport.ts';
import { changedMembers } from '../../compare/changedMembers.ts';

/** Maximum number of rows sent to the page; exports contain all rows. */
const MOST_ROWS = 500;

/** Queries that are compared, one for each context, with the differences in their SQL and results. */
export interface QueryGroup {
  queries: readonly (SqlQueryPayload | undefined)[];
  title: string;
  sql: readonly SqlDifference[];
  /** Absent until there are results to compare. */
  comparison?: TableComparison;
}

/** @returns the common title of the queries, or both titles if there are two */
function groupTitle(queries: readonly (SqlQueryPayload | undefined)[]): string {
  const titles = queries.flatMap((query) => (query && (query.queryTitle || query.description)) || []);
  return queries.length === 2 ? [...new Set(titles)].join(' → ') : (titles[0] ?? '');
}

/** @returns the differences of the other queries from the first one */
function sqlDifferences(queries: readonly (SqlQueryPayload | undefined)[]): SqlDifference[] {
  const [first, ...others] = [...new Set(queries.flatMap((query) => query?.sqlQuery ?? []))];
  return others.map((sql) => ({
    contexts: queries.flatMap((query, at) => (query?.sqlQuery === sql ? [at] : [])),
    lines: diffLines(first!, sql),
  }));
}

/** Two answers are compared when both have something; of more, each is shown as it arrives. */
const isEnough = (found: readonly unknown[]): boolean =>
  found.filter((each) => each !== undefined).length >= (found.length === 2 ? 2 : 1);

/** @returns the queries of an answer; the one that judges compare is last */
function orderedQueries(
  thread: Thread | undefined,
  base: SqlQueryPayload | undefined,
  precision: Precision,
): SqlQueryPayload[] {
  const queries = thread ? lastQueries(thread).map(({ payload }) => payload) : [];
  const withRows = queries.filter(({ table }) => table !== undefined && table.rows.length > 0);
  const isEqual = ({ table }: SqlQueryPayload): boolean =>
    base?.table !== undefined && table !== undefined && gradeTable(base.table, table, precision).status === 'passed';
  const decisive = (withRows.length > 1 ? withRows.findLast(isEqual) : undefined) ?? withRows.at(-1);
  return decisive ? [...queries.filter((query) => query !== decisive), decisive] : queries;
}

/**
 * Groups the queries of the last turns by their position from the end.
 * @param precision number of significant digits at which measures are equal; by default, all digits
 */
export function queryGroups(threads: readonly (Thread | undefined)[], precision?: Precision): QueryGroup[] {
  const first = threads.find((thread) => thread !== undefined && lastQueries(thread).length > 0);
  const base = orderedQueries(first, undefined, precision);
  const all = threads.map((thread) => (thread === first ? base : orderedQueries(thread, base.at(-1), precision)));
  const most = Math.max(...all.map(({ length }) => length));
  const aligned = Array.from({ length: most }, (_, position) => all.map((own) => own[own.length - most + position]));
  return aligned.filter(isEnough).map((queries) => {
    const tables = queries.map((query) => query?.table);
    return {
      ...{ queries, title: groupTitle(queries), sql: sqlDifferences(queries) },
      ...(isEnough(tables) ? { comparison: compareTables(tables, precision) } : {}),
    };
  });
}

const signed = (digits: string, locale: string): string =>
  `${digits.startsWith('-') || !/[1-9]/.test(digits) ? '' : '+'}${formatNumber(digits, locale)}`;

interface ShownOptions {
  /** BCP 47 tag for numbers and dates. */
  locale: string;
  /** Whether a context must not see a row of its result. */
  isForbidden?: (row: Row, context: number) => boolean;
}

/** Formats cells for the locale. Above `MOST_ROWS`, only rows that differ are included. */
export function shownComparison(
  { dimensions, measures, rows, counts, isPartial, cellOf, precision }: TableComparison,
  { locale, isForbidden = () => false }: ShownOptions,
): ShownComparison {
  const keys = rows.map(({ key }) => key);
  const cellsOf = ({ at }: ComparedColumn): unknown[][] =>
    rows.flatMap((row) => row.rows.map((each, context) => [each?.[at[context]!]]));
  const showKey = dimensions.map((column, at) => displayOf(column, at, keys, locale));
  const showCell = measures.map((column) => displayOf(column, 0, cellsOf(column), locale));
  const chosen = rows.length > MOST_ROWS ? rows.filter(({ status }) => status !== 'same').slice(0, MOST_ROWS) : rows;
  const cellFor = (row: ComparedRow, measure: ComparedColumn, show: (value: unknown) => string): ShownCell => {
    const values = row.rows.map((own, context): ShownValue => {
      const cell = cellOf(row, measure, context);
      // The status of a row of two contexts says that one lacks it.
      const isAlone = row.rows.length > 2 && 'left' in cell !== 'right' in cell;
      return {
        ...('right' in cell ? { text: shownOrNull(cell.right, show) } : {}),
        ...(own && (isAlone || cell.isChanged) ? { isChanged: true } : {}),
        ...(own && isForbidden(own, context) ? { isForbidden: true } : {}),
      };
    });
    const { absolute, percent } = (row.rows.length === 2 && cellOf(row, measure).change) || {};
    return {
      values,
      ...(absolute === undefined ? {} : { absolute: signed(absolute, locale) }),
      ...(percent === undefined ? {} : { percent: `${signed(percent, locale)}%` }),
    };
  };
  return {
    dimensions: dimensions.map(({ name }) => name),
    measures: measures.map(({ name, kind }) => ({ name, isNumber: kind === 'number' })),
    rows: chosen.map((row) => ({
      status: row.status,
      key: row.key.map((value, at) => shownOrNull(value, showKey[at]!)),
      cells: measures.map((measure, at) => cellFor(row, measure, showCell[at]!)),
    })),
    ...{ counts, isPartial, precision },
  };
}

/** Converts groups for the page. */
export const shownQueries = (groups: readonly QueryGroup[], options: ShownOptions): ComparedQuery[] =>
  groups.map(({ title, sql, comparison }) => ({
    ...{ title, sql },
    ...(comparison ? { results: shownComparison(comparison, options) } : {}),
  }));

/** @returns the compared results of all contexts, one table per group of queries that has results */
export function comparisonAsCsv(contexts: readonly RunContext[], groups: readonly QueryGroup[]): string {
  return groups
    .flatMap(({ comparison }) => (comparison ? [exportComparison(comparison, 'csv', contextLabels(contexts))] : []))
    .join('\r\n');
}

/** @returns a Markdown table with the title and description of each member in each context */
function definitionTable(members: readonly ChangedMember[], contexts: readonly RunContext[]): string {
  const columns = [t('Member'), ...contextLabels(contexts)].map((name) => ({
    ...{ name, type: 'string', kind: 'string' as const },
  }));
  const words = (member: ModelMember | undefined): string =>
    [member?.title, member?.description].filter(Boolean).join(': ');
  const rows = members.map(({ name, definitions }) => [name, ...definitions.map(words)]);
  return encodeRows('markdown', columns, rows, { headers: true, guardFormulas: false }).trimEnd();
}

const answerOf = (thread: Thread | undefined): string =>
  harmless((thread && shownTurns(thread).at(-1)?.answer?.content.trim()) ?? '') || `*${t('There is no answer.')}*`;

/** @returns the question, all answers, the SQL diff and the compared results; images and raw HTML are made inert */
export function comparisonAsMarkdown(
  question: string,
  contexts: readonly RunContext[],
  threads: readonly (Thread | undefined)[],
  groups: readonly QueryGroup[],
): string {
  const parts = [`# ${plain(question)}`];
  const labels = contextLabels(contexts);
  for (const [at, { branch, identity }] of contexts.entries())
    parts.push(`## ${plain(branch)} · ${plain(identity)}`, answerOf(threads[at]));
  const members = changedMembers(threads);
  if (members.length > 0) parts.push(`## ${t('Definitions that differ')}`, definitionTable(members, contexts));
  for (const { queries, title, sql, comparison } of groups) {
    parts.push(`## ${plain(title) || t('Query')}`);
    if (sql.length === 0) parts.push(fenced(queries.find((query) => query)?.sqlQuery ?? '', 'sql'));
    for (const { contexts: own, lines } of sql) {
      if (contexts.length > 2) parts.push(own.map((at) => plain(labels[at]!)).join(', '));
      parts.push(fenced(diffText(lines), 'diff'));
    }
    if (comparison) parts.push(exportComparison(comparison, 'markdown', labels).trimEnd());
    if (comparison?.precision !== undefined) parts.push(`*${precisionNote(comparison.precision)}*`);
    if (comparison?.isPartial) parts.push(`*${t('Only the rows included in the answers are compared.')}*`);
  }
  return `${parts.join('\n\n')}\n`;
}
