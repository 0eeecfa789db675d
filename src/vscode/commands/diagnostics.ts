/** Copies diagnostics for a bug report: versions, settings and thread states, but no credentials or chat contents. */
import * as vscode from 'vscode';
import { originOf } from '../../chat/connection/connectionList.ts';
import { t } from '../../shared/text/l10n.ts';
import type { App, Command } from '../app.ts';
import { readSettings } from '../host/settings.ts';
import { showInformationMessage } from '../host/notify.ts';

function diagnosticsOf(app: App): Record<string, unknown> {
  const { stallTimeout, identities } = readSettings();
  const { current, all, unusable } = app.connections;
  const manifest = app.context.extension.packageJSON as { version?: unknown };
  return {
    extension: String(manifest.version),
    vscode: vscode.version,
    host: vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop',
    remote: vscode.env.remoteName ?? null,
    trusted: vscode.workspace.isTrusted,
    connection: current && {
      name: current.name,
      origin: originOf(current),
      authentication: current.authentication,
      sessionSettings: Object.keys(current.sessionSettings ?? {}),
      dataQueryUrl: current.dataQueryUrl !== '',
    },
    connections: all.length,
    unusableConnections: unusable.map(({ problem }) => problem),
    identities: Object.keys(identities).length,
    stallTimeout,
    branch: app.branches.current,
    threads: app.sessions.all.map(({ thread, status }) => ({
      status,
      turns: thread.turns.length,
      items: thread.turns.reduce((count, { items }) => count + items.length, 0),
      unknownLines: thread.unknownLines,
      error: thread.error?.kind ?? null,
    })),
  };
}

export const copyDiagnostics: Command = async (app) => {
  const text = app.log.redact(JSON.stringify(diagnosticsOf(app), null, 2));
  await vscode.env.clipboard.writeText(text);
  void showInformationMessage(t('Diagnostics copied. They contain no keys and no chat content.'));
};
