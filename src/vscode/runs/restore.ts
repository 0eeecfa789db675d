/** Restores the tabs of runs after a restart, from the state that their page saved. */
import type * as vscode from 'vscode';
import { isOpen, type RunCell, type RunRow } from '../../shared/protocol/runs.ts';
import { fieldsOf } from '../../shared/text/checks.ts';
import { looseQuestion } from '../../evals/question.ts';
import { t } from '../../shared/text/l10n.ts';
import { areRows, isComparison, isRememberedRun } from './remembered.ts';
import { accessOptions, runOptions, sidesSpec, type RunSpec } from './runSpec.ts';
import { RunTab, type RunTabServices } from './runTab.ts';

/** @returns the row or cell as it was; chats are not kept, and what was still being asked is canceled */
const shownAgain = <Shown extends RunRow | RunCell>(shown: Shown): Shown => ({
  ...{ ...shown, canOpen: false },
  ...(isOpen(shown) ? { state: 'canceled', message: t('Canceled') } : {}),
});

/** @returns what the tab showed; undefined if the state is invalid */
async function specOf(services: RunTabServices, state: unknown): Promise<RunSpec | undefined> {
  const { remember, rows, comparison } = fieldsOf(state);
  if (!isRememberedRun(remember)) return undefined;
  const { title, tabTitle, threads, isAccess } = remember;
  if (threads) {
    const { contexts } = remember.asked[0]!;
    const sessions = await Promise.all(threads.map((id) => services.repository.open(id)));
    const sides = sessions.map((session, at) => ({ session, context: contexts[at]! }));
    return sidesSpec(services, title, sides);
  }
  const asked = remember.asked.map(({ name, text, identity, turns, contexts }) => ({
    question: { ...looseQuestion(text), name, identity, turns: turns?.map((turn) => looseQuestion(turn)) },
    contexts,
  }));
  const isComplete = areRows(rows) && rows.length === asked.length;
  return {
    ...{ title, tabTitle },
    run: {
      ...{ ...runOptions(services), asked },
      ...(isComplete
        ? { rows: rows.map((row) => ({ ...shownAgain(row), cells: row.cells.map(shownAgain), canAccept: false })) }
        : {}),
      ...(isAccess ? await accessOptions(services) : {}),
    },
    ...(isComparison(comparison) ? { comparison } : {}),
  };
}

/** Restores a tab; closes it if its state is invalid or a thread can't be opened. */
export async function restoreRun(services: RunTabServices, panel: vscode.WebviewPanel, state: unknown): Promise<void> {
  try {
    const spec = await specOf(services, state);
    if (spec) new RunTab(services, panel, spec);
    else panel.dispose();
  } catch (failure) {
    services.log.error('A comparison could not be restored.', failure);
    panel.dispose();
  }
}
