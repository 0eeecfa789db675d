/** Restores the tabs of runs and comparisons after a restart, from the state that their page saved. */
import type * as vscode from 'vscode';
import { CELL_STATES, ROW_STATES, type RunCell, type RunComparison, type RunRow } from '../../shared/protocol/runs.ts';
import { fieldsOf, listOf, maybe, oneOf, questionContext, shape, text, type Check } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { each } from '../../shared/thread/turnChecks.ts';
import { editorAsking } from './askContext.ts';
import { runOptions, runSpec, sidesSpec, type RememberedRun, type RememberedSides } from './open.ts';
import { looseQuestion } from './questionRun.ts';
import { RunTab, type RunSpec, type RunTabServices } from './runTab.ts';

const sides = shape({ question: text, threads: listOf(text), stamps: listOf(questionContext) });
const isSides = (value: unknown): value is RememberedSides => sides(value) && isPaired(value as RememberedSides);
const isPaired = ({ threads, stamps }: RememberedSides): boolean =>
  threads.length === stamps.length && threads.length > 1;

const home = shape(each(text, 'origin', 'connection'));
const context = shape({
  ...each(text, 'label', 'branch', 'main', 'identity'),
  sent: questionContext,
  home: maybe(home),
});
const contexts: Check = (value) => listOf(context)(value) && (value as unknown[]).length > 1;
const asked = shape({ ...each(text, 'name', 'text'), identity: maybe(text), turns: maybe(listOf(text)), contexts });
const run = shape({ ...each(text, 'title', 'tabTitle'), asked: listOf(asked) });
const isRun = (value: unknown): value is RememberedRun => run(value) && (value as RememberedRun).asked.length > 0;

const cell = shape({ message: text, state: oneOf(...CELL_STATES) });
const row = shape({ ...each(text, 'name', 'text', 'message'), state: oneOf(...ROW_STATES), cells: listOf(cell) });
const areRows = (value: unknown): value is RunRow[] => listOf(row)(value);

const found = shape({ queries: Array.isArray, members: Array.isArray, notes: Array.isArray });
const isComparison = (value: unknown): value is RunComparison => found(value);

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
  if (isSides(remember)) {
    const { question, threads, stamps } = remember;
    const sessions = await Promise.all(threads.map((id) => services.repository.open(id)));
    return sidesSpec(
      question,
      sessions.map((session, at) => ({ session, context: stamps[at]! })),
    );
  }
  if (!isRun(remember)) return undefined;
  const asked = remember.asked.map(({ name, text, identity, turns, contexts }) => ({
    question: {
      ...{ ...looseQuestion(text), name },
      ...(identity === undefined ? {} : { identity }),
      ...(turns?.length ? { turns: turns.map((turn) => looseQuestion(turn)) } : {}),
    },
    contexts,
  }));
  const folders = remember.isAccess ? await services.questionFiles.load() : [];
  const tests = folders.flatMap(({ questions }) => questions.filter(({ access }) => access !== undefined));
  const isComplete = areRows(rows) && rows.length === asked.length;
  return {
    ...runSpec(services, remember, {
      ...editorAsking(services),
      ...runOptions(),
      asked,
      ...(isComplete ? { rows: rows.map(shownAgain) } : {}),
      ...(remember.isAccess ? { accessTests: tests, attempts: 1 } : {}),
    }),
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
