/** Results outside the conversation: as a document, as a file, and with all their rows. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/chatSession.ts';
import { t } from '../../shared/l10n.ts';
import type { SqlQueryPayload } from '../../shared/payloads.ts';
import type { LoadState } from '../../shared/protocol.ts';
import { typeColumns } from '../../shared/results/cells.ts';
import { createEncoder, type ResultFormat } from '../../shared/results/encode.ts';
import { allRows, canQueryAllRows } from '../allRows.ts';
import type { App } from '../app.ts';
import { findSql } from '../generated.ts';
import { encodeResult, FORMATS } from '../resultFormats.ts';
import { readSettings } from '../settings.ts';
import type { ThreadView } from '../threadView.ts';
import { fileSink } from '../writeAside.ts';

/** Rows that a view takes; what goes beyond is for a file. */
const VIEW_LIMIT = 100_000;
const PIECE = 256 * 1024;

type WithTable = SqlQueryPayload & { table: NonNullable<SqlQueryPayload['table']> };

function payloadWithTable(session: ChatSession, toolCallId: string): WithTable | undefined {
  const payload = findSql(session, toolCallId)?.payload;
  return payload?.table ? (payload as WithTable) : undefined;
}

/** Opens the rows as a CSV document in a tab of its own. */
export async function openResults(session: ChatSession, toolCallId: string): Promise<void> {
  const payload = payloadWithTable(session, toolCallId);
  if (!payload) return;
  const content = encodeResult(payload.table, 'csv');
  const document = await vscode.workspace.openTextDocument({ language: 'csv', content });
  await vscode.window.showTextDocument(document);
}

/** Whether the rows that are here or all of them; undefined when the user gave up. */
async function askWhichRows({ table }: WithTable): Promise<'here' | 'all' | undefined> {
  if (table.totalRows <= table.rows.length) return 'here';
  const here = t('The {0} rows that are shown', table.rows.length.toLocaleString());
  const all = t('All {0} rows', table.totalRows.toLocaleString());
  const choice = await vscode.window.showQuickPick([here, all], { title: t('Export results') });
  if (choice === undefined) return undefined;
  if (choice === here) return 'here';
  return (await canQueryAllRows()) ? 'all' : undefined;
}

/** Writes rows into a file that the user chooses; its ending decides the format. */
export async function exportResults(app: App, session: ChatSession, toolCallId: string): Promise<void> {
  const payload = payloadWithTable(session, toolCallId);
  const which = payload && (await askWhichRows(payload));
  if (!payload || which === undefined) return;
  const target = await vscode.window.showSaveDialog({
    title: t('Export results'),
    filters: Object.fromEntries(FORMATS.map(({ name, ending }) => [name, [ending]])),
  });
  if (!target) return;
  const ending = target.path.split('.').at(-1)?.toLowerCase();
  const format = FORMATS.find((each) => each.ending === ending)?.format ?? 'csv';
  if (which === 'all') await exportAll(app, payload.sqlQuery, target, format);
  else await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(encodeResult(payload.table, format)));
}

/** Streams every row into the file; memory holds a piece at a time, and a cancelled export leaves no file. */
export async function exportAll(app: App, query: string, target: vscode.Uri, format: ResultFormat): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: t('Exporting all rows…'),
  };
  await vscode.window.withProgress(options, async (progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    const sink = await fileSink(target);
    try {
      const rows = await writeAll(app, query, format, sink.write, controller.signal, (count) =>
        progress.report({ message: t('{0} rows', count.toLocaleString()) }),
      );
      if (controller.signal.aborted) return await sink.discard();
      await sink.commit();
      void vscode.window.showInformationMessage(t('{0} rows were exported.', rows.toLocaleString()));
    } catch (failure) {
      await sink.discard();
      throw failure;
    }
  });
}

async function writeAll(
  app: App,
  query: string,
  format: ResultFormat,
  write: (text: string) => Promise<void>,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<number> {
  let encoder: ReturnType<typeof createEncoder> | undefined;
  let text = '';
  let count = 0;
  for await (const { columns, rows } of allRows(app, query, signal)) {
    if (!encoder) {
      encoder = createEncoder(format, typeColumns(columns, rows), {
        headers: true,
        guardFormulas: readSettings().guardFormulas,
      });
      text = encoder.encodeHeader();
    }
    for (const row of rows) text += encoder.encodeRow(row);
    count += rows.length;
    if (text.length < PIECE) continue;
    await write(text);
    text = '';
    onProgress(count);
  }
  await write(text + (encoder?.encodeEnd() ?? ''));
  return count;
}

/** Streams all rows into the view's grid, up to what a view can hold. */
export async function loadAll(app: App, view: ThreadView, toolCallId: string): Promise<void> {
  const payload = payloadWithTable(view.session, toolCallId);
  if (!payload || !(await canQueryAllRows())) return;
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title: t('Loading all rows…') };
  await vscode.window.withProgress(options, async (progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    let count = 0;
    let state: LoadState = 'stopped';
    try {
      for await (const { columns, rows } of allRows(app, payload.sqlQuery, controller.signal)) {
        count += rows.length;
        view.post({ type: 'rows', toolCallId, columns, rows, state: 'loading' });
        progress.report({
          message: t('{0} of {1} rows', count.toLocaleString(), payload.table.totalRows.toLocaleString()),
        });
        if (count < VIEW_LIMIT) continue;
        state = 'limited';
        return;
      }
      if (!controller.signal.aborted) state = 'done';
    } finally {
      view.post({ type: 'rows', toolCallId, columns: payload.table.columns, rows: [], state });
    }
  });
}
