/** The editor tab that shows the rows of one query. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { arrangement, type Arrangement } from '../../shared/results/arrange.ts';
import { fieldsOf } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { assertNever } from '../../shared/protocol/chat.ts';
import { isFromResults, type FromResults, type ToResults } from '../../shared/protocol/results.ts';
import { loadAll, queryWithTable, type LoadAllServices } from './allRows.ts';
import { askForExport } from './exportResults.ts';
import { openSql } from '../insert/sql.ts';
import { strings, readSettings } from '../host/settings.ts';
import { showPage, tabIcon, RESULTS_TYPE } from '../host/html.ts';
import type { Command } from '../host/command.ts';
import type { Services } from '../services.ts';

export type ResultsTabServices = LoadAllServices & Services<'context' | 'log' | 'guarded' | 'charts'>;

/** Open tabs by thread and tool call. */
const tabs = new Map<string, { panel: vscode.WebviewPanel; post: (message: ToResults) => void }>();

/**
 * Opens the rows of a query in a tab, or reveals the existing one.
 * @param argument `{threadId, toolCallId}` of a query in any thread, and `shown`, how a grid shows its rows
 * @throws Error if the argument is invalid or the results no longer exist
 */
export const openResults: Command<ResultsTabServices> = async (services, argument) => {
  const { threadId, toolCallId, shown: given } = fieldsOf(argument);
  if (typeof threadId !== 'string' || typeof toolCallId !== 'string')
    throw new Error(t('These results are no longer available.'));
  const session = await services.repository.open(threadId);
  const shown = arrangement(given) ? (given as Arrangement) : undefined;
  const open = tabs.get(nameOf(session, toolCallId));
  if (open) {
    open.panel.reveal();
    if (shown) open.post({ type: 'arrange', shown });
    return;
  }
  // Keep sorting, filters and column layout while the tab is hidden.
  const options = { retainContextWhenHidden: true };
  const panel = vscode.window.createWebviewPanel(RESULTS_TYPE, t('Results'), vscode.ViewColumn.Active, options);
  fill(services, panel, session, toolCallId, shown);
};

/** Restores a tab after a restart; closes it if its results can't be loaded. */
export async function restoreResults(
  services: ResultsTabServices,
  panel: vscode.WebviewPanel,
  state: unknown,
): Promise<void> {
  const { threadId, toolCallId } = fieldsOf(state);
  try {
    if (typeof threadId !== 'string' || typeof toolCallId !== 'string') throw new Error('No thread is remembered.');
    fill(services, panel, await services.repository.open(threadId), toolCallId);
  } catch (failure) {
    services.log.error('A tab with results could not be restored.', failure);
    panel.dispose();
  }
}

const nameOf = ({ thread }: ChatSession, toolCallId: string): string => `${thread.id} ${toolCallId}`;

/**
 * Shows the rows of a query in a new or restored panel.
 * @throws Error if the thread has no such results; the panel is then closed
 */
function fill(
  services: ResultsTabServices,
  panel: vscode.WebviewPanel,
  session: ChatSession,
  toolCallId: string,
  shown?: Arrangement,
): void {
  const payload = queryWithTable(services, session, toolCallId)?.payload;
  if (!payload) {
    panel.dispose();
    throw new Error(t('These results are no longer available.'));
  }
  const { webview } = panel;
  const extension = services.context.extensionUri;
  const title = payload.queryTitle || payload.description || t('Results');
  panel.title = title;
  panel.iconPath = tabIcon(extension);
  const closed = new AbortController();
  const post = (message: ToResults): void => void webview.postMessage(message);
  const postTable = (): void => {
    const { guardFormulas } = readSettings();
    const changed = services.charts.of(session).find(([id]) => id === toolCallId)?.[1];
    const spec = changed ?? payload.vegaSpec;
    post({
      type: 'table',
      title,
      table: payload.table,
      ...(spec === undefined ? {} : { spec }),
      guardFormulas,
      hasSql: payload.sqlQuery !== '',
      remember: { threadId: session.thread.id, toolCallId },
      l10n: strings(),
    });
  };
  const act = (message: FromResults): unknown => {
    switch (message.type) {
      case 'ready':
        postTable();
        if (shown) post({ type: 'arrange', shown });
        return shown?.isWhole ? act({ type: 'loadAll' }) : undefined;
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'exportResults':
        return askForExport(services, session, toolCallId, message.shown).then((save) => save?.());
      case 'loadAll':
        return loadAll(services, session, toolCallId, (part) => post({ type: 'rows', ...part }), closed.signal);
      case 'openSql':
        return openSql(services, { threadId: session.thread.id, toolCallId });
      case 'problem':
        return services.log.warn(`A page reported an error: ${message.text}`);
      default:
        return assertNever(message);
    }
  };
  const received = webview.onDidReceiveMessage((message: unknown) => {
    if (isFromResults(message)) void services.guarded(() => act(message));
    else services.log.warn('A page sent an invalid message.');
  });
  const name = nameOf(session, toolCallId);
  tabs.set(name, { panel, post });
  panel.onDidDispose(() => {
    received.dispose();
    closed.abort();
    tabs.delete(name);
  });
  showPage(webview, extension, 'results');
}
