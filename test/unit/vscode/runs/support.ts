/** What tests of runs share. */
import type { RunPage, ToRuns } from '../../../../src/shared/protocol/runs.ts';
import type { Panel } from '../support.ts';

/** Loads the page of a run. @returns what it shows, and what it saves for a restart */
export function shownIn(panel: Panel): RunPage & { remember: { isAccess?: boolean; threads?: string[] } } {
  panel.receive({ type: 'ready' });
  type Message = { page: RunPage; remember: object };
  const { page, remember } = panel.posted.findLast(({ type }) => type === 'runs') as unknown as Message;
  return { ...page, remember };
}

/** @returns the changes that the page of a run got since it was loaded, in order */
export const changesIn = ({ posted }: Panel): Partial<RunPage>[] =>
  (posted as unknown as ToRuns[]).flatMap((each) => (each.type === 'page' ? each.change : []));
