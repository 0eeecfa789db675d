/** Charts as files and as documents. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/chatSession.ts';
import { t } from '../../shared/l10n.ts';
import { findSql } from '../generated.ts';

/** @param data SVG text, or a PNG as base64 */
export async function saveChart(format: 'png' | 'svg', data: string): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: t('Save chart'),
    filters: format === 'png' ? { PNG: ['png'] } : { SVG: ['svg'] },
    saveLabel: t('Save'),
  });
  if (!target) return;
  const bytes =
    format === 'svg'
      ? new TextEncoder().encode(data)
      : Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  await vscode.workspace.fs.writeFile(target, bytes);
}

/** Opens the chart's specification as a JSON document, to be read and changed. */
export async function openChartSpec(session: ChatSession, toolCallId: string): Promise<void> {
  const spec = findSql(session, toolCallId)?.payload.vegaSpec;
  if (spec === undefined) return;
  const document = await vscode.workspace.openTextDocument({ language: 'json', content: pretty(spec) });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
}

function pretty(spec: string): string {
  try {
    return `${JSON.stringify(JSON.parse(spec), null, 2)}\n`;
  } catch {
    return spec;
  }
}
