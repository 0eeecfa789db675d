/** Results outside the conversation: as a file, and with all their rows. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { ResultTable, SqlQueryPayload } from '../../shared/wire/toolPayloads.ts';
import type { LoadedRows, LoadState } from '../../shared/protocol/chat.ts';
import { allRows, canQueryAllRows } from '../results/allRows.ts';
import type { App } from '../app.ts';
import { withSignal } from '../host/cancellation.ts';
import { findSql } from '../insert/generatedSql.ts';
import { encodeOptions, encodeResult, exportFormats, type ExportFormat } from '../results/formats.ts';
import { proposedFile } from '../results/proposedFile.ts';
import { writeRows } from '../results/writeRows.ts';
import { fileSink } from '../host/fileSink.ts';

/** Rows that a view takes; what goes beyond is for a file. */
const VIEW_LIMIT = 100_000;

type WithTable = SqlQueryPayload & { table: ResultTable };

export function payloadWithTable(session: ChatSession, toolCallId: string): WithTable | undefined {
  const payload = findSql(session, toolCallId)?.payload;
  return payload?.table ? (payload as WithTable) : undefined;
}

/** Whether the rows that are here or all of them; undefined when the user gave up. */
async function askWhichRows(app: App, session: ChatSession, { table }: WithTable): Promise<'here' | 'all' | undefined> {
  if (table.totalRows <= table.rows.length || app.keeper.isReadOnly(session.thread.id)) return 'here';
  const here = plural(
    table.rows.length,
    'The {0} row that came with the answer|The {0} rows that came with the answer',
  );
  const all = plural(table.totalRows, 'All {0} row|All {0} rows');
  const choice = await vscode.window.showQuickPick([here, all], { title: t('Export results') });
  if (choice === undefined) return undefined;
  if (choice === here) return 'here';
  return (await canQueryAllRows(app, session)) ? 'all' : undefined;
}

/** Writes rows into a file, in a format and at a place that the user chooses. */
export async function exportResults(app: App, session: ChatSession, toolCallId: string): Promise<void> {
  const payload = payloadWithTable(session, toolCallId);
  const which = payload && (await askWhichRows(app, session, payload));
  if (!payload || which === undefined) return;
  const chosen = await vscode.window.showQuickPick(exportFormats(), {
    title: t('Export results'),
    placeHolder: t('Format of the file'),
  });
  const target =
    chosen &&
    (await vscode.window.showSaveDialog({
      title: t('Export results'),
      filters: { [chosen.label]: [chosen.ending] },
      defaultUri: proposedFile(payload.queryTitle || t('Results'), chosen.ending),
    }));
  if (!target) return;
  if (which === 'all') {
    await exportAll(app, session, payload.sqlQuery, target, chosen);
    return;
  }
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(encodeResult(payload.table, chosen)));
  said(payload.table.rows.length);
}

const said = (rows: number): void =>
  void vscode.window.showInformationMessage(plural(rows, '{0} row was exported.|{0} rows were exported.'));

/** Streams every row into the file; memory holds a piece at a time, and a cancelled export leaves no file. */
async function exportAll(
  app: App,
  session: ChatSession,
  query: string,
  target: vscode.Uri,
  chosen: ExportFormat,
): Promise<void> {
  await withProgress(t('Exporting all rows…'), async (signal, report) => {
    const sink = await fileSink(target);
    try {
      const all = allRows(app, session, query, signal);
      const rows = await writeRows(all, chosen.format, encodeOptions(chosen), sink.write, (count) =>
        report(plural(count, '{0} row|{0} rows')),
      );
      if (signal.aborted) return await sink.discard();
      await sink.commit();
      said(rows);
    } catch (failure) {
      await sink.discard();
      throw failure;
    }
  });
}

/** Loads that are under way, by what they load. */
const underWay = new WeakMap<ChatSession, Set<string>>();

/**
 * Streams all rows to a view, up to what a view can hold.
 * @param onPart gets the rows as they come, and last a part without rows that says how it ended
 */
export async function loadAll(
  app: App,
  session: ChatSession,
  toolCallId: string,
  onPart: (part: LoadedRows) => void,
): Promise<void> {
  const payload = payloadWithTable(session, toolCallId);
  const loads = underWay.get(session) ?? new Set<string>();
  if (!payload || !(await canQueryAllRows(app, session))) return;
  if (loads.has(toolCallId)) {
    void vscode.window.showInformationMessage(t('All rows of this query are being loaded already.'));
    return;
  }
  underWay.set(session, loads.add(toolCallId));
  const { totalRows } = payload.table;
  const total = totalRows.toLocaleString();
  let state: LoadState = 'stopped';
  let count = 0;
  try {
    await withProgress(t('Loading all rows…'), async (signal, report) => {
      for await (const part of allRows(app, session, payload.sqlQuery, signal)) {
        const rows = part.rows.slice(0, VIEW_LIMIT - count);
        onPart({ from: count, rows, state: 'loading' });
        count += rows.length;
        if (count > 0) report(t('{0} of {1} rows', count.toLocaleString(), total));
        if (count < VIEW_LIMIT) continue;
        state = totalRows > count || part.rows.length > rows.length ? 'limited' : 'done';
        return;
      }
      if (!signal.aborted) state = 'done';
    });
  } finally {
    loads.delete(toolCallId);
    onPart({ from: count, rows: [], state });
  }
}

/** Shows that work is going on, and lets the user end it. */
async function withProgress(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<void>,
): Promise<void> {
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  await vscode.window.withProgress(options, (progress, token) =>
    withSignal(token, (signal) => work(signal, (message) => progress.report({ message }))),
  );
}
