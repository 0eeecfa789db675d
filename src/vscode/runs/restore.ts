/** Restores the tabs of runs after a restart, from the state that their page saved. */
import type * as vscode from 'vscode';
import type { RunCell, RunRow } from '../../shared/protocol/runs.ts';
import { fieldsOf } from '../../shared/text/checks.ts';
import { looseQuestion } from '../../evals/question.ts';
import { t } from '../../shared/text/l10n.ts';
import { editorAsking } from './askContext.ts';
import { areRows, isComparison, isRememberedRun } from './remembered.ts';
import { runOptions, sidesSpec, type RunSpec } from './runSpec.ts';
import { RunTab, type RunTabServices } from './runTab.ts';

/** @returns the row as it was; its chats are not kept, and what was still being asked is canceled */
function shownAgain(row: RunRow): RunRow {
  const isOpen = row.state === 'asking' || row.state === 'waiting';
  const cells = row.cells.map((cell): RunCell => {
    const isDone = cell.state !== 'asking' && cell.state !== 'waiting';
    return { ...(isDone ? cell : { state: 'canceled', message: t('Canceled') }), canOpen: false };
  });
  const state = isOpen ? { state: 'canceled' as const, message: t('Canceled') } : {};
  return { ...row, ...state, cells, canOpen: false, canAccept: false };
}

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
    question: {
      ...{ ...looseQuestion(text), name },
      ...(identity === undefined ? {} : { identity }),
      ...(turns?.length ? { turns: turns.map((turn) => looseQuestion(turn)) } : {}),
    },
    contexts,
  }));
  const folders = isAccess ? await services.questionFiles.load() : [];
  const accessTests = folders.flatMap(({ questions }) => questions.filter(({ access }) => access !== undefined));
  const isComplete = areRows(rows) && rows.length === asked.length;
  return {
    ...{ title, tabTitle },
    run: {
      ...{ ...editorAsking(services), ...runOptions(), asked },
      ...(isComplete ? { rows: rows.map(shownAgain) } : {}),
      ...(isAccess ? { accessTests, attempts: 1 } : {}),
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
