/** Charts that the user has changed: kept while their threads are open, and open as documents to be edited. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { specDocument } from '../../shared/chart/document.ts';
import { findSql } from '../insert/generatedSql.ts';

/** Milliseconds after the last key before a chart follows its document. */
const TYPING = 250;

/** Which chart a document holds. */
interface ChartName {
  session: ChatSession;
  toolCallId: string;
}

export class Charts implements vscode.Disposable {
  readonly #changed = new WeakMap<ChatSession, Map<string, string>>();
  readonly #documents = new Map<vscode.TextDocument, ChartName>();
  readonly #waiting = new Map<vscode.TextDocument, ReturnType<typeof setTimeout>>();
  readonly #onChange: (session: ChatSession) => void;
  readonly #subscriptions: vscode.Disposable[];

  /** @param onChange told of the thread whose charts are others than before */
  constructor(onChange: (session: ChatSession) => void) {
    this.#onChange = onChange;
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#edited(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#documents.delete(document)),
    ];
  }

  /** @returns the specifications that the user has changed, by tool call */
  of(session: ChatSession): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#changed.get(session) ?? []);
  }

  /**
   * Keeps what the user has made of a chart; where it is open as a document, that changes too.
   * @param spec Vega-Lite specification, JSON text; empty for the service's own
   */
  async change(session: ChatSession, toolCallId: string, spec: string): Promise<void> {
    const text = spec === '' ? undefined : specDocument(spec);
    this.#keep({ session, toolCallId }, text);
    const document = this.#documentOf(session, toolCallId);
    const content = text ?? specDocument(findSql(session, toolCallId)?.payload.vegaSpec ?? '');
    if (!document || document.getText() === content) return;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), content);
    await vscode.workspace.applyEdit(edit);
  }

  /** Opens a chart's specification as a JSON document; the chart follows what is written there. */
  async open(session: ChatSession, toolCallId: string): Promise<void> {
    const changed = this.of(session);
    const own = Object.hasOwn(changed, toolCallId) ? changed[toolCallId] : undefined;
    const spec = own ?? findSql(session, toolCallId)?.payload.vegaSpec;
    if (spec === undefined) return;
    const document =
      this.#documentOf(session, toolCallId) ??
      (await vscode.workspace.openTextDocument({ language: 'json', content: specDocument(spec) }));
    this.#documents.set(document, { session, toolCallId });
    // The chart is to be seen beside it.
    const chatIsTab = vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
    await vscode.window.showTextDocument(document, {
      viewColumn: chatIsTab ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
    });
  }

  dispose(): void {
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
    const take = (): void => {
      this.#waiting.delete(document);
      this.#keep(chart, document.getText());
    };
    this.#waiting.set(document, setTimeout(take, TYPING));
  }

  #keep({ session, toolCallId }: ChartName, text: string | undefined): void {
    const known = this.#changed.get(session) ?? new Map<string, string>();
    if (known.get(toolCallId) === text) return;
    if (text === undefined) known.delete(toolCallId);
    else known.set(toolCallId, text);
    this.#changed.set(session, known);
    this.#onChange(session);
  }
}
