/** What a view shows besides its thread. */
import type { ChatSession } from '../chat/chatSession.ts';
import type { Surroundings } from '../shared/protocol.ts';
import { t } from '../shared/l10n.ts';
import type { App } from './app.ts';
import { readSettings } from './settings.ts';

export function surroundingsOf(app: App, session: ChatSession): Surroundings {
  const { thread } = session;
  const { mainBranch, sendKey, showThinking, dataQueryUrl, guardFormulas } = readSettings();
  return {
    connected: app.connector.connected,
    branch: app.branches.label,
    isDefaultBranch: app.branches.current.isDefault,
    mainBranch,
    identity: app.identities.current,
    sendKey,
    showThinking,
    canLoadAll: dataQueryUrl !== '',
    readOnly: app.keeper.isReadOnly(thread.id),
    examples: [t('revenue by month in 2024'), t('top 10 products by revenue'), t('returns by region last quarter')],
    guardFormulas,
    chartSpecs: app.charts.of(session),
  };
}
