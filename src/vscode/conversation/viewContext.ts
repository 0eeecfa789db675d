/** Creates the view context: everything that a view shows besides its thread. */
import type { ChatSession } from '../../chat/session/chatSession.ts';
import type { ViewContext } from '../../shared/protocol/chat.ts';
import { exampleQuestions } from '../../shared/text/followUps.ts';
import { t } from '../../shared/text/l10n.ts';
import type { LifetimeNotices } from '../connection/lifetimeNotices.ts';
import { readSettings } from '../host/settings.ts';
import type { AllRowsServices } from '../results/allRows.ts';
import type { Services } from '../services.ts';
import { connectionOf } from '../threads/sessions.ts';

interface ViewContextServices extends AllRowsServices, Services<'branches' | 'identities' | 'charts' | 'members'> {
  lifetimeNotices: LifetimeNotices;
}

/** @returns example questions for the data model of the thread's connection; generic ones while the model is unknown */
function examplesFor(services: Services<'connections' | 'sessions' | 'members'>, session: ChatSession): string[] {
  const found = exampleQuestions(services.members.on(connectionOf(services, session)?.name));
  if (found.length > 0) return found;
  return [t('revenue by month in 2024'), t('top 10 products by revenue'), t('returns by region last quarter')];
}

export function viewContextOf(services: ViewContextServices, session: ChatSession): ViewContext {
  const { thread } = session;
  const readOnly = services.repository.isReadOnly(thread.id);
  const { sendKey, showThinking, guardFormulas } = readSettings();
  return {
    connected: services.connections.current !== undefined,
    connection: services.connections.label(services.sessions.homeOf(session)),
    branch: services.branches.label,
    mainBranch: services.branches.main,
    identity: services.identities.on(connectionOf(services, session)),
    sendKey,
    showThinking,
    readOnly,
    lifetime: services.lifetimeNotices.of(session),
    examples: examplesFor(services, session),
    guardFormulas,
    chartSpecs: services.charts.of(session),
  };
}
