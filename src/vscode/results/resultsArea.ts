/** Results of queries: their tabs, exports and charts. */
import type { CommandHandlers, IntentHandlers } from '../host/area.ts';
import { promptFrom } from '../host/chatView.ts';
import { loadAll } from './allRows.ts';
import { saveChart } from './charts.ts';
import { askForExport } from './exportResults.ts';
import { openResults, type ResultsTabServices } from './resultsTab.ts';

export const registerResults = (services: ResultsTabServices) => ({
  commands: {
    'analyticsChat.openResults': (argument) => openResults(services, argument),
  } satisfies CommandHandlers,
  intents: {
    openResults: ({ session }, { toolCallId, shown }) =>
      openResults(services, { threadId: session.thread.id, toolCallId, shown }),
    exportResults: async (view, { toolCallId, shown }) => {
      // The export may take long; the user may be elsewhere at its end.
      await (
        await promptFrom(view, () => askForExport(services, view.session, toolCallId, shown))
      )?.();
    },
    loadAll: (view, { toolCallId }) => {
      const { session } = view;
      return loadAll(services, session, toolCallId, (rows) => {
        // The view may have switched to a thread with the same tool call id.
        if (view.session === session) view.post({ type: 'rows', toolCallId, ...rows });
      });
    },
    saveChart: (view, { toolCallId, format, data }) =>
      promptFrom(view, () => saveChart(view.session, toolCallId, format, services.log.redactDocument(data))),
    openChartSpec: ({ session }, { toolCallId }) => services.charts.open(session, toolCallId),
    changeChart: ({ session }, { toolCallId, spec }) => services.charts.change(session, toolCallId, spec),
  } satisfies Partial<IntentHandlers>,
});
