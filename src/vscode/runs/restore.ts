/** Restores the tabs of runs and comparisons after a restart, from the state that their page saved. */
import type * as vscode from 'vscode';
import { CELL_STATES, ROW_STATES, type RunCell, type RunComparison, type RunRow } from '../../shared/protocol/runs.ts';
import { fieldsOf, isFields, isQuestionContext } from '../../shared/text/checks.ts';
import { t } from '../../shared/text/l10n.ts';
import { editorAsking, type AskContext } from './askContext.ts';
import { runOptions, runSpec, sidesSpec, type RememberedRun, type RememberedSides } from './open.ts';
import { looseQuestion } from './questionRun.ts';
import { RunTab, type RunSpec, type RunTabServices } from './runTab.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isList = <T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] =>
  Array.isArray(value) && value.every(isItem);

const isSides = (value: unknown): value is RememberedSides =>
  isFields(value) &&
  isText(value.question) &&
  isList(value.threads, isText) &&
  isList(value.stamps, isQuestionContext) &&
  value.threads.length === value.stamps.length &&
  value.threads.length > 1;

const isContext = (value: unknown): value is AskContext =>
  isFields(value) &&
  [value.label, value.branch, value.main, value.identity].every(isText) &&
  isQuestionContext(value.sent) &&
  (value.home === undefined || (isFields(value.home) && isText(value.home.origin) && isText(value.home.connection)));

type Asked = RememberedRun['asked'][number];
const isAsked = (value: unknown): value is Asked =>
  isFields(value) &&
  isText(value.name) &&
  isText(value.text) &&
  (value.identity === undefined || isText(value.identity)) &&
  isList(value.contexts, isContext) &&
  value.contexts.length > 1;

const isRun = (value: unknown): value is RememberedRun =>
  isFields(value) &&
  isText(value.title) &&
  isText(value.tabTitle) &&
  isList(value.asked, isAsked) &&
  value.asked.length > 0;

const isCell = (value: unknown): value is RunCell =>
  isFields(value) && isText(value.message) && CELL_STATES.some((state) => state === value.state);

const isRow = (value: unknown): value is RunRow =>
  isFields(value) &&
  [value.name, value.text, value.message].every(isText) &&
  ROW_STATES.some((state) => state === value.state) &&
  isList(value.cells, isCell);

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
  const asked = remember.asked.map(({ name, text, identity, contexts }) => ({
    question: { ...looseQuestion(text), name, ...(identity === undefined ? {} : { identity }) },
    contexts,
  }));
  const folders = remember.isAccess ? await services.questionFiles.load() : [];
  const tests = folders.flatMap(({ questions }) => questions.filter(({ access }) => access !== undefined));
  const isComplete = isList(rows, isRow) && rows.length === asked.length;
  const shown = comparison as RunComparison;
  const isCompared = isFields(comparison) && [shown.queries, shown.members, shown.notes].every(Array.isArray);
  return {
    ...runSpec(services, remember, {
      ...editorAsking(services),
      ...runOptions(),
      asked,
      ...(isComplete ? { rows: rows.map(shownAgain) } : {}),
      ...(remember.isAccess ? { accessTests: tests, attempts: 1 } : {}),
    }),
    ...(isCompared ? { comparison: shown } : {}),
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
