/**
 * Compares two answers: pairs their queries, diffs the SQL by line, compares the results by row, and exports the
 * comparison.
 */
import {
  type ComparedQuery,
  type DiffLine,
  type ShownCell,
  type ShownComparison,
  precisionNote,
  sideLabels,
  SIDES,
  type ChangedMember,
  type CompareHeads,
  type SideName,
} from '../../shared/protocol/compare.ts';
import type { SqlQueryPayload, ModelMember } from '../../shared/wire/toolPayloads.ts';
import { displayOf, formatNumber, shownOrNull } from '../../shared/results/display.ts';
import { encodeRows } from '../../shared/results/encode.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { lastQueries, shownTurns } from '../../shared/thread/turns.ts';
import type { Precision } from '../../compare/cellEquality.ts';
import type { ComparedColumn } from '../../compare/comparedColumns.ts';
import { compareTables, type ComparedCell, type Comparison } from '../../compare/compareTables.ts';
import { diffLines, diffText } from '../../compare/lineDiff.ts';
import { fenced, harmless, plain } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import { exportComparison, type CompareLabels } from '../../compare/compareExport.ts';
import { changedMembers } from '../../compare/changedMembers.ts';

/** Maximum number of rows sent to the page; exports contain all rows. */
const MOST_ROWS = 500;

/** A pair of queries with the differences in their SQL and results. */
export interface QueryPair {
  left: SqlQueryPayload;
  right: SqlQueryPayload;
  title: string;
  sql: readonly DiffLine[];
  precision: Precision;
  /** Absent until both sides have results. */
  comparison?: Comparison;
}

/** @returns the common title of both queries, or both titles if they differ */
function pairTitle(left: SqlQueryPayload, right: SqlQueryPayload): string {
  const [before, after] = [left, right].map(({ queryTitle, description }) => queryTitle || description);
  return before && after && before !== after ? `${before} → ${after}` : after || before || '';
}

const pairs = new WeakMap<SqlQueryPayload, QueryPair>();

function pairOf(left: SqlQueryPayload, right: SqlQueryPayload, precision: Precision): QueryPair {
  const known = pairs.get(left);
  if (known?.right === right && known.precision === precision) return known;
  const pair: QueryPair = {
    left,
    right,
    precision,
    title: pairTitle(left, right),
    sql: left.sqlQuery === right.sqlQuery ? [] : diffLines(left.sqlQuery, right.sqlQuery),
    ...(left.table && right.table ? { comparison: compareTables([left.table, right.table], precision) } : {}),
  };
  pairs.set(left, pair);
  return pair;
}

/**
 * Pairs the queries of the last turns by position; queries without a counterpart are omitted.
 * @param precision number of significant digits at which measures are equal; by default, all digits
 * @returns the pairs; an unchanged pair is the same object as in the last call
 */
export function queryPairs(left: Thread, right: Thread, precision?: Precision): QueryPair[] {
  const others = lastQueries(right);
  return lastQueries(left).flatMap((query, index) => {
    const other = others[index];
    return other === undefined ? [] : [pairOf(query.payload, other.payload, precision)];
  });
}

const signed = (digits: string, locale: string): string =>
  `${digits.startsWith('-') || !/[1-9]/.test(digits) ? '' : '+'}${formatNumber(digits, locale)}`;

function shownComparedCell(cell: ComparedCell, show: (value: unknown) => string, locale: string): ShownCell {
  const { isChanged, change } = cell;
  return {
    isChanged,
    ...('left' in cell ? { left: shownOrNull(cell.left, show) } : {}),
    ...('right' in cell ? { right: shownOrNull(cell.right, show) } : {}),
    ...(change ? { absolute: signed(change.absolute, locale) } : {}),
    ...(change?.percent === undefined ? {} : { percent: `${signed(change.percent, locale)}%` }),
  };
}

/** Formats cells for the locale. Above `MOST_ROWS`, only rows that differ are included. */
function shownComparison(comparison: Comparison, locale: string): ShownComparison {
  const { dimensions, measures, rows, counts, isPartial, cellOf, precision } = comparison;
  const keys = rows.map(({ key }) => key);
  const cellsOf = ({ at }: ComparedColumn): unknown[][] =>
    rows.flatMap((row) => row.rows.map((each, side) => [each?.[at[side]!]]));
  const showKey = dimensions.map((column, at) => displayOf(column, at, keys, locale));
  const showCell = measures.map((column) => displayOf(column, 0, cellsOf(column), locale));
  const chosen = rows.length > MOST_ROWS ? rows.filter(({ status }) => status !== 'same').slice(0, MOST_ROWS) : rows;
  return {
    dimensions: dimensions.map(({ name }) => name),
    measures: measures.map(({ name, kind }) => ({ name, isNumber: kind === 'number' })),
    rows: chosen.map((row) => ({
      status: row.status,
      key: row.key.map((value, at) => shownOrNull(value, showKey[at]!)),
      cells: measures.map((measure, at) => shownComparedCell(cellOf(row, measure), showCell[at]!, locale)),
    })),
    counts,
    isPartial,
    ...(precision === undefined ? {} : { precision }),
  };
}

/** Converts pairs for the page. @param locale BCP 47 tag for numbers and dates */
export function shownQueries(found: readonly QueryPair[], locale: string): ComparedQuery[] {
  return found.map(({ title, sql, comparison }) => ({
    title,
    sql,
    ...(comparison ? { results: shownComparison(comparison, locale) } : {}),
  }));
}

/** @returns the labels of the exported tables */
function labelsFor(heads: CompareHeads): CompareLabels {
  return {
    ...sideLabels(heads),
    status: t('status'),
    statuses: { same: t('same'), changed: t('changed'), added: t('added'), removed: t('removed') },
    change: t('change'),
    percent: '%',
  };
}

/** @returns the compared results, one table per pair of queries that has results */
export function comparisonAsCsv(heads: CompareHeads, pairs: readonly QueryPair[]): string {
  return pairs
    .flatMap(({ comparison }) => (comparison ? [exportComparison(comparison, 'csv', labelsFor(heads))] : []))
    .join('\r\n');
}

/** @returns a Markdown table with the title and description of each member on both sides */
function definitionTable(members: readonly ChangedMember[], { left, right }: CompareLabels): string {
  const names = [t('Member'), left, right];
  const columns = names.map((name) => ({ name, type: 'string', kind: 'string' as const }));
  const words = ({ title, description }: ModelMember): string => [title, description].filter(Boolean).join(': ');
  const rows = members.map((member) => [member.name, words(member.left), words(member.right)]);
  return encodeRows('markdown', columns, rows, { headers: true, guardFormulas: false }).trimEnd();
}

const answerOf = (thread: Thread): string =>
  harmless(shownTurns(thread).at(-1)?.answer?.content.trim() ?? '') || `*${t('There is no answer.')}*`;

/** @returns the question, both answers, the SQL diff and the compared results; images and raw HTML are made inert */
export function comparisonAsMarkdown(
  heads: CompareHeads,
  threads: Readonly<Record<SideName, Thread>>,
  pairs: readonly QueryPair[],
): string {
  const labels = labelsFor(heads);
  const parts = [`# ${plain(heads.question)}`];
  for (const side of SIDES)
    parts.push(`## ${plain(heads[side].branch)} · ${plain(heads[side].identity)}`, answerOf(threads[side]));
  const members = changedMembers(threads.left, threads.right);
  if (members.length > 0) parts.push(`## ${t('Definitions that differ')}`, definitionTable(members, labels));
  for (const { left, title, sql, comparison } of pairs) {
    parts.push(`## ${plain(title) || t('Query')}`);
    parts.push(sql.length === 0 ? fenced(left.sqlQuery, 'sql') : fenced(diffText(sql), 'diff'));
    if (comparison) parts.push(exportComparison(comparison, 'markdown', labels).trimEnd());
    if (comparison?.precision !== undefined) parts.push(`*${precisionNote(comparison.precision)}*`);
    if (comparison?.isPartial) parts.push(`*${t('Only the rows included in the answers are compared.')}*`);
  }
  return `${parts.join('\n\n')}\n`;
}
