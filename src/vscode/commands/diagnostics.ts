/** What a report of a problem needs, without anything that is secret. */
import * as vscode from 'vscode';
import { t } from '../../shared/l10n.ts';
import type { App, Command } from '../app.ts';
import { readSettings } from '../settings.ts';

function diagnosticsOf(app: App): Record<string, unknown> {
  const { authentication, stallTimeout, sessionSettings, identities, dataQueryUrl } = readSettings();
  const manifest = app.context.extension.packageJSON as { version?: unknown };
  return {
    extension: String(manifest.version),
    vscode: vscode.version,
    host: vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop',
    remote: vscode.env.remoteName ?? null,
    trusted: vscode.workspace.isTrusted,
    origin: app.connector.origin,
    authentication,
    sessionSettings: Object.keys(sessionSettings ?? {}),
    identities: Object.keys(identities).length,
    dataQueryUrl: dataQueryUrl !== '',
    stallTimeout,
    branch: app.branches.current,
    threads: app.sessions.all.map(({ thread, status }) => ({
      status,
      items: thread.items.length,
      run: thread.run,
      connection: thread.connection,
      unknownLines: thread.unknownLines,
      error: thread.error?.kind ?? null,
    })),
  };
}

export const copyDiagnostics: Command = async (app) => {
  const text = app.log.redact(JSON.stringify(diagnosticsOf(app), null, 2));
  await vscode.env.clipboard.writeText(text);
  void vscode.window.showInformationMessage(t('Diagnostics copied. They hold no keys and nothing of your chats.'));
};
