/** The view context: everything that a view shows besides its thread. */
import * as vscode from 'vscode';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { ViewContext } from '../../shared/protocol/chat.ts';
import { exampleQuestions } from '../../shared/text/followUps.ts';
import { t } from '../../shared/text/l10n.ts';
import { generatedSql } from '../../shared/thread/turns.ts';
import { readSettings, SECTION } from '../host/settings.ts';
import type { Services } from '../services.ts';

type ViewContextServices = Services<
  | 'branches'
  | 'charts'
  | 'connections'
  | 'identities'
  | 'lifetimeNotices'
  | 'members'
  | 'questionFiles'
  | 'repository'
  | 'sessions'
>;

/** @returns example questions for the data model of the thread's connection; generic ones while the model is unknown */
function examplesFor(services: Services<'sessions' | 'members'>, session: ChatSession): string[] {
  const found = exampleQuestions(services.members.on(services.sessions.connectionOf(session)?.name));
  if (found.length > 0) return found;
  return [t('revenue by month in 2024'), t('top 10 products by revenue'), t('returns by region last quarter')];
}

export function viewContextOf(services: ViewContextServices, session: ChatSession): ViewContext {
  const { thread } = session;
  const connection = services.sessions.connectionOf(session);
  const readOnly = services.repository.isReadOnly(thread.id);
  const { sendKey, showThinking, guardFormulas } = readSettings();
  return {
    connected: services.connections.current !== undefined,
    connection: services.connections.label(services.sessions.homeOf(session)),
    branch: services.branches.label,
    mainBranch: services.branches.main,
    offeredBranch: services.branches.offeredByGit,
    identity: services.identities.on(connection),
    sendKey,
    showThinking,
    readOnly,
    lifetime: services.lifetimeNotices.of(connection, thread.id),
    examples: examplesFor(services, session),
    guardFormulas,
    timeZones: services.identities.timeZones(connection),
    chartSpecs: services.charts.of(session),
    certified: generatedSql(thread).flatMap(({ toolCallId, payload }) => {
      const found = services.questionFiles.certifiedAs(payload.sqlQuery);
      return found ? [[toolCallId, found.query.path] as const] : [];
    }),
  };
}

type RefreshServices = Services<
  'branches' | 'charts' | 'connections' | 'identities' | 'questionFiles' | 'sessions' | 'views'
>;

/** Posts the view context to the views when it changes. */
export const refreshViewContexts = ({
  branches,
  charts,
  connections,
  identities,
  questionFiles,
  sessions,
  views,
}: RefreshServices): vscode.Disposable =>
  vscode.Disposable.from(
    branches.onDidChange(() => views.viewContextChanged()),
    charts.onDidChange((session) => views.viewContextChanged(session)),
    connections.onDidChange(() => views.viewContextChanged()),
    identities.onDidChange(() => views.viewContextChanged()),
    questionFiles.onDidChange(() => views.viewContextChanged()),
    // The SQL of an answer may be certified.
    sessions.onDidChange(({ session, events }) => {
      if (events.some(({ type }) => type === 'finished')) views.viewContextChanged(session);
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SECTION)) views.viewContextChanged();
    }),
  );
