/** Exports query results to files. */
import type * as vscode from 'vscode';
import type { DataBatch } from '../../api/dataQuery.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { arranged, isAsCame, type Arrangement } from '../../shared/results/arrange.ts';
import { typeColumns, type Row } from '../../shared/results/cells.ts';
import { encodeRows, type ResultFormat } from '../../shared/results/encode.ts';
import type { EncodeOptions } from '../../shared/results/rowEncoder.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { AnswerRows } from '../../compare/answerRows.ts';
import { readSettings } from '../host/settings.ts';
import {
  allRows,
  canQueryAllRows,
  differenceText,
  queryWithTable,
  type LoadAllServices,
  type QueryWithTable,
  type WithTable,
} from './allRows.ts';
import { writeRows } from './writeRows.ts';
import { askWhereToSave, writeText } from '../host/files.ts';
import { fileSink } from './fileSink.ts';
import { showWarningMessage, showWritten, withProgress } from '../host/notify.ts';
import { showQuickPick } from '../host/quickPick.ts';
import type { Services } from '../services.ts';

interface ExportFormat {
  label: string;
  /** File extension without the dot. */
  ending: string;
  format: ResultFormat;
  /** Whether the first row contains the column names; in JSON, whether rows are objects instead of arrays. */
  headers: boolean;
  /** Whether the file starts with a UTF-8 byte order mark, which spreadsheets need to detect the encoding. */
  byteOrderMark?: boolean;
}

const exportFormats = (): readonly ExportFormat[] => [
  { label: t('CSV'), ending: 'csv', format: 'csv', headers: true },
  { label: t('CSV, UTF-8 with BOM'), ending: 'csv', format: 'csv', headers: true, byteOrderMark: true },
  { label: t('CSV without headers'), ending: 'csv', format: 'csv', headers: false },
  { label: t('TSV'), ending: 'tsv', format: 'tsv', headers: true },
  { label: t('TSV without headers'), ending: 'tsv', format: 'tsv', headers: false },
  { label: t('JSON'), ending: 'json', format: 'json', headers: true },
  { label: t('JSON, rows as lists'), ending: 'json', format: 'json', headers: false },
  { label: t('Markdown'), ending: 'md', format: 'markdown', headers: true },
  { label: t('SQL IN list'), ending: 'sql', format: 'sqlIn', headers: false },
];

const encodeOptions = ({ headers, byteOrderMark = false }: ExportFormat): EncodeOptions => ({
  headers,
  byteOrderMark,
  guardFormulas: readSettings().guardFormulas,
});

/** @returns the table as text in the chosen format */
const encodeResult = ({ columns, rows }: ResultTable, chosen: ExportFormat): string =>
  encodeRows(chosen.format, typeColumns(columns, rows), rows, encodeOptions(chosen));

/** Redacts secrets before the rows are encoded, because each format escapes texts in its own way. */
const redacted = <T extends Pick<ResultTable, 'rows'>>({ log }: Services<'log'>, table: T): T => ({
  ...table,
  rows: table.rows.map((row) => row.map((cell) => (typeof cell === 'string' ? log.redactDocument(cell) : cell))),
});

async function* redactedBatches(
  services: Services<'log'>,
  batches: AsyncIterable<DataBatch>,
): AsyncGenerator<DataBatch> {
  for await (const batch of batches) yield redacted(services, batch);
}

type Extent = 'shown' | 'here' | 'all';

/** Asks whether to export the rows that are shown, those of the answer or all; undefined if the user cancels. */
async function askWhichRows(
  services: LoadAllServices,
  session: ChatSession,
  { table, sqlQuery }: WithTable,
  shown: Arrangement | undefined,
): Promise<Extent | undefined> {
  const choices: { label: string; extent: Extent }[] = [];
  if (shown && !isAsCame(shown, table)) choices.push({ label: t('The rows and columns as shown'), extent: 'shown' });
  const here = plural(table.rows.length, 'The {0} row in the answer|The {0} rows in the answer');
  choices.push({ label: here, extent: 'here' });
  const all = plural(table.totalRows, 'All {0} row|All {0} rows');
  const isMore = table.totalRows > table.rows.length && sqlQuery !== '';
  if (isMore && !services.repository.isReadOnly(session.thread.id)) choices.push({ label: all, extent: 'all' });
  const choice = choices.length === 1 ? choices[0] : await showQuickPick(choices, { title: t('Export results') });
  const isOfAll = choice?.extent === 'all' || (choice?.extent === 'shown' && shown?.isWhole === true);
  return isOfAll && !(await canQueryAllRows(services, session)) ? undefined : choice?.extent;
}

/**
 * Asks which rows of a query to export, the format and the file.
 * @param shown how a grid shows the rows
 * @returns the export, which may take long; undefined if the user cancels
 */
export async function askForExport(
  services: LoadAllServices & Services<'log'>,
  session: ChatSession,
  toolCallId: string,
  shown?: Arrangement,
): Promise<(() => Promise<void>) | undefined> {
  const query = queryWithTable(services, session, toolCallId);
  const which = query && (await askWhichRows(services, session, query.payload, shown));
  if (!query || which === undefined) return undefined;
  const { table, queryTitle } = query.payload;
  const title = t('Export results');
  const chosen = await showQuickPick(exportFormats(), { title, placeHolder: t('Select a file format') });
  const target =
    chosen && (await askWhereToSave(title, { [chosen.label]: [chosen.ending] }, queryTitle || t('Results')));
  if (!target) return undefined;
  if (which === 'all') return () => exportAll(services, session, query, target, chosen);
  return async () => {
    const whole = shown?.isWhole && which === 'shown' ? await wholeTable(services, session, query) : table;
    if (!whole) return;
    const exported = shown && which === 'shown' ? arranged(whole, shown) : whole;
    await writeText(target, encodeResult(redacted(services, exported), chosen));
    notifyExported(target, exported.rows.length);
  };
}

/** @returns all rows of a query; undefined if the user cancels */
async function wholeTable(
  services: LoadAllServices,
  session: ChatSession,
  query: QueryWithTable,
): Promise<ResultTable | undefined> {
  const rows: Row[] = [];
  let columns = query.payload.table.columns;
  const isDone = await withProgress(t('Loading all rows…'), true, async (signal, report) => {
    for await (const batch of allRows(services, session, query, signal)) {
      columns = batch.columns;
      for (const row of batch.rows) rows.push(row);
      report(plural(rows.length, '{0} row|{0} rows'));
    }
    return !signal.aborted;
  });
  return isDone ? { columns, rows, totalRows: rows.length } : undefined;
}

/** @param difference message on how the exported rows differ from those of the answer */
function notifyExported(target: vscode.Uri, rows: number, difference?: string): void {
  const exported = plural(rows, '{0} row was exported.|{0} rows were exported.');
  if (difference === undefined) void showWritten(target, exported);
  else void showWritten(target, `${exported} ${difference}`, showWarningMessage);
}

/** Streams all rows to the file in batches; if the export is canceled or fails, the target is left unchanged. */
async function exportAll(
  services: Services<'connector' | 'log' | 'sessions'>,
  session: ChatSession,
  query: QueryWithTable,
  target: vscode.Uri,
  chosen: ExportFormat,
): Promise<void> {
  await withProgress(t('Exporting all rows…'), true, async (signal, report) => {
    const sink = await fileSink(target);
    const answer = new AnswerRows(query.payload.table);
    const difference = (): string | undefined => differenceText(answer, true);
    const onProgress = (count: number): void => report(plural(count, '{0} row|{0} rows'));
    try {
      const all = redactedBatches(services, answer.watch(allRows(services, session, query, signal)));
      const rows = await writeRows(all, chosen.format, encodeOptions(chosen), sink.write, onProgress, difference);
      if (signal.aborted) return await sink.discard();
      await sink.commit();
      notifyExported(target, rows, difference());
    } catch (failure) {
      await sink.discard();
      throw failure;
    }
  });
}
