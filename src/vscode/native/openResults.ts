/** The *Open Results* command, which VS Code's chat uses to open the rows of a query in a tab. */
import { fieldsOf } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Command } from '../commands/command.ts';
import { openResults as openTab, type ResultsTabServices } from '../results/resultsTab.ts';

/**
 * @param argument `{threadId, toolCallId}` of a query in any thread
 * @throws Error if the argument is invalid or the results no longer exist
 */
export const openResults: Command<ResultsTabServices> = async (services, argument) => {
  const { threadId, toolCallId } = fieldsOf(argument);
  if (typeof threadId !== 'string' || typeof toolCallId !== 'string')
    throw new Error(t('These results are no longer available.'));
  openTab(services, await services.repository.open(threadId), toolCallId);
};
