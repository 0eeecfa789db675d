/** Copies diagnostics for a bug report: versions, settings and thread states, but no credentials or chat contents. */
import * as vscode from 'vscode';
import { originOf } from '../../chat/connection/connectionList.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Command } from './command.ts';
import { readSettings } from '../host/settings.ts';
import { showInformationMessage } from '../host/notify.ts';
import type { Log } from '../host/log.ts';
import type { Branches } from '../connection/branches.ts';
import type { Connections } from '../connection/connections.ts';
import type { Sessions } from '../threads/sessions.ts';

export interface DiagnosticsServices {
  context: vscode.ExtensionContext;
  log: Log;
  branches: Branches;
  connections: Connections;
  sessions: Sessions;
}

function diagnosticsOf(services: DiagnosticsServices): Record<string, unknown> {
  const { stallTimeout, identities } = readSettings();
  const { current, all, unusable } = services.connections;
  const manifest = services.context.extension.packageJSON as { version?: unknown };
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
    branch: services.branches.current,
    threads: services.sessions.all.map(({ thread, status }) => ({
      status,
      turns: thread.turns.length,
      items: thread.turns.reduce((count, { items }) => count + items.length, 0),
      unknownLines: thread.unknownLines,
      error: thread.error?.kind ?? null,
    })),
  };
}

export const copyDiagnostics: Command<DiagnosticsServices> = async (services) => {
  const text = services.log.redact(JSON.stringify(diagnosticsOf(services), null, 2));
  await vscode.env.clipboard.writeText(text);
  void showInformationMessage(t('Diagnostics copied. They contain no keys and no chat content.'));
};
