/** Builds the context of a view: everything it shows besides the thread, such as the branch and settings. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { exampleQuestions } from '../../shared/text/exampleQuestions.ts';
import type { ViewContext } from '../../shared/protocol/chat.ts';
import { t } from '../../shared/text/l10n.ts';
import { dataQueryUrlOf } from '../results/allRows.ts';
import type { App } from '../app.ts';
import { lifetimeToTell } from '../connection/ephemeral.ts';
import { readSettings } from '../host/settings.ts';
import { connectionOf } from '../connection/threadConnection.ts';

/** @returns example questions for the data model of the thread's connection; generic ones while the model is unknown */
function examplesFor(app: App, session: ChatSession): string[] {
  const found = exampleQuestions(app.members.on(connectionOf(app, session)?.name));
  if (found.length > 0) return found;
  return [t('revenue by month in 2024'), t('top 10 products by revenue'), t('returns by region last quarter')];
}

export function viewContextOf(app: App, session: ChatSession): ViewContext {
  const { thread } = session;
  const readOnly = app.repository.isReadOnly(thread.id);
  const { sendKey, showThinking, guardFormulas } = readSettings();
  return {
    connected: app.connections.current !== undefined,
    connection: app.connections.label(app.sessions.homeOf(session)),
    branch: app.branches.label,
    mainBranch: app.branches.main,
    identity: app.identities.on(connectionOf(app, session)),
    sendKey,
    showThinking,
    canLoadAll: dataQueryUrlOf(app, session) !== '',
    readOnly,
    lifetime: lifetimeToTell(app, session),
    examples: examplesFor(app, session),
    guardFormulas,
    chartSpecs: app.charts.of(session),
  };
}
