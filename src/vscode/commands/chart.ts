/** Saves charts as image files. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { t } from '../../shared/text/l10n.ts';
import { findSql } from '../insert/generatedSql.ts';
import { proposedFile } from '../results/proposedFile.ts';
import { setStatusBarMessage, showErrorMessage } from '../host/notify.ts';

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
  const target = await vscode.window.showSaveDialog({
    title: t('Save chart'),
    filters: format === 'png' ? { PNG: ['png'] } : { SVG: ['svg'] },
    defaultUri: proposedFile(findSql(session, toolCallId)?.payload.queryTitle || t('Chart'), format),
    saveLabel: t('Save'),
  });
  if (!target) return;
  const bytes =
    format === 'svg'
      ? new TextEncoder().encode(data)
      : Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  await vscode.workspace.fs.writeFile(target, bytes);
  setStatusBarMessage(t('Chart saved'), 3000);
}
