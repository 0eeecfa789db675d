/** Commands for bug reports: they copy a request as a cURL command, without the credential, and diagnostics. */
import * as vscode from 'vscode';
import { curlCommand, SHELL_VARIABLE, streamBody, withoutLargeImages } from '../../api/request.ts';
import { newMessageId } from '../../chat/session/clock.ts';
import { requestOn } from '../../chat/connection/connection.ts';
import { lastQuestion, requestFor } from '../../chat/session/message.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Question, Thread } from '../../shared/thread/model.ts';
import type { Command } from '../host/command.ts';
import { showInformationMessage } from '../host/notify.ts';
import { originOf } from '../../chat/connection/connectionList.ts';
import { readSettings } from '../host/settings.ts';
import type { Services } from '../services.ts';
import type { Sessions } from '../threads/sessions.ts';

/** @returns the draft if the last message was not sent, otherwise the last question of the thread */
function lastAsked(sessions: Sessions, thread: Thread): Question | undefined {
  const { text, images } = sessions.draft(thread.id);
  const last = lastQuestion(thread);
  if (text.trim() !== '' && (last === undefined || thread.error))
    return { id: newMessageId(Date.now()), content: text.trim(), time: Date.now(), images };
  return last;
}

export const copyAsCurl: Command<Services<'log' | 'connector' | 'sessions'>> = async (services) => {
  const session = services.sessions.active;
  const question = lastAsked(services.sessions, session.thread);
  if (question === undefined) {
    void showInformationMessage(t('Ask a question first, then copy its request.'));
    return;
  }
  const connection = await services.connector.connect(services.sessions.homeOf(session), question.context);
  const kind = connection.sessionSettings ? 'apiKey' : 'serviceToken';
  const request = requestOn(connection, requestFor(session.thread, question));
  const light = withoutLargeImages(request);
  const body = streamBody(light, kind);
  // The question itself may contain the key.
  const command = curlCommand(connection.client.addresses.stream, kind, services.log.redactDocument(body));
  await vscode.env.clipboard.writeText(command);
  const copied = t('Command copied. Before you run it, set the shell variable {0} to your key.', SHELL_VARIABLE[kind]);
  const without =
    light === request
      ? ''
      : ` ${t('The command contains only the names of the images. Add their data before you run it.')}`;
  void showInformationMessage(copied + without);
};

type DiagnosticsServices = Services<'context' | 'log' | 'branches' | 'connections' | 'sessions'>;

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
