/** Keeps the user's changes to charts in memory, syncs them with documents opened for editing, and saves charts as images. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { specDocument } from '../../shared/chart/json.ts';
import { t } from '../../shared/text/l10n.ts';
import { findSql } from '../../shared/thread/turns.ts';
import { askWhereToSave } from '../host/files.ts';
import { setStatusBarMessage, showErrorMessage } from '../host/notify.ts';

/** Delay in milliseconds after the last edit before the chart is updated from its document. */
const TYPING = 250;

/** Identifies the chart of a document. */
interface ChartName {
  session: ChatSession;
  toolCallId: string;
}

export class Charts implements vscode.Disposable {
  readonly #changed = new WeakMap<ChatSession, Map<string, string>>();
  readonly #documents = new Map<vscode.TextDocument, ChartName>();
  readonly #waiting = new Map<vscode.TextDocument, ReturnType<typeof setTimeout>>();
  readonly #change = new vscode.EventEmitter<ChatSession>();
  /** Fires with the session whose charts have changed. */
  readonly onDidChange = this.#change.event;
  readonly #subscriptions: vscode.Disposable[];

  constructor() {
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#edited(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#documents.delete(document)),
    ];
  }

  /** @returns the specifications changed by the user, as JSON text */
  of(session: ChatSession): readonly (readonly [toolCallId: string, spec: string])[] {
    return [...(this.#changed.get(session) ?? [])];
  }

  /**
   * Stores a changed chart, and updates its document if one is open.
   * @param spec Vega-Lite specification as JSON text; empty to restore the original
   */
  async change(session: ChatSession, toolCallId: string, spec: string): Promise<void> {
    const text = spec === '' ? undefined : specDocument(spec);
    this.#keep({ session, toolCallId }, text);
    const document = this.#documentOf(session, toolCallId);
    const content = text ?? specDocument(findSql(session.thread, toolCallId)?.payload.vegaSpec ?? '');
    if (!document || document.getText() === content) return;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), content);
    await vscode.workspace.applyEdit(edit);
  }

  /** Opens the specification of a chart as an untitled JSON document; edits update the chart. */
  async open(session: ChatSession, toolCallId: string): Promise<void> {
    const changed = this.#changed.get(session)?.get(toolCallId);
    const spec = changed ?? findSql(session.thread, toolCallId)?.payload.vegaSpec;
    if (spec === undefined) return;
    const document =
      this.#documentOf(session, toolCallId) ??
      (await vscode.workspace.openTextDocument({ language: 'json', content: specDocument(spec) }));
    this.#documents.set(document, { session, toolCallId });
    // If the chat is a tab, open the document beside it, so that the chart stays visible.
    const chatIsTab = vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
    await vscode.window.showTextDocument(document, {
      viewColumn: chatIsTab ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    });
  }

  dispose(): void {
    this.#change.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
  }

  #documentOf(session: ChatSession, toolCallId: string): vscode.TextDocument | undefined {
    const found = [...this.#documents].find(
      ([, chart]) => chart.session === session && chart.toolCallId === toolCallId,
    );
    return found?.[0];
  }

  #edited(document: vscode.TextDocument): void {
    const chart = this.#documents.get(document);
    if (!chart) return;
    clearTimeout(this.#waiting.get(document));
    const apply = (): void => {
      this.#waiting.delete(document);
      this.#keep(chart, document.getText());
    };
    this.#waiting.set(document, setTimeout(apply, TYPING));
  }

  #keep({ session, toolCallId }: ChartName, text: string | undefined): void {
    const known = this.#changed.get(session) ?? new Map<string, string>();
    if (known.get(toolCallId) === text) return;
    if (text === undefined) known.delete(toolCallId);
    else known.set(toolCallId, text);
    this.#changed.set(session, known);
    this.#change.fire(session);
  }
}

/** @param data SVG text or base64-encoded PNG; empty if the page could not render the chart as an image */
export async function saveChart(
  session: ChatSession,
  toolCallId: string,
  format: 'png' | 'svg',
  data: string,
): Promise<void> {
  if (data === '') {
    void showErrorMessage(t('Can’t convert the chart to PNG. Save it as SVG instead.'));
    return;
  }
  const name = findSql(session.thread, toolCallId)?.payload.queryTitle || t('Chart');
  const target = await askWhereToSave(t('Save chart'), { [format.toUpperCase()]: [format] }, name);
  if (!target) return;
  const bytes =
    format === 'svg'
      ? new TextEncoder().encode(data)
      : Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  await vscode.workspace.fs.writeFile(target, bytes);
  setStatusBarMessage(t('Chart saved'), 3000);
}
