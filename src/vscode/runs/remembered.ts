/** The state from which the tab of a run is restored after a restart. Its page saves it, together with what it shows. */
import { CELL_STATES, ROW_STATES, type RunComparison, type RunRow } from '../../shared/protocol/runs.ts';
import { flag, listOf, maybe, oneOf, questionContext, shape, text } from '../../shared/text/checks.ts';
import { each } from '../../shared/thread/turnChecks.ts';
import type { Thread } from '../../shared/thread/model.ts';
import type { AskedQuestion } from './questionRun.ts';
import type { RunSpec } from './runSpec.ts';

const context = shape({
  ...each(text, 'label', 'branch', 'main', 'identity'),
  sent: questionContext,
  home: maybe(shape(each(text, 'origin', 'connection'))),
});
const asked = shape({
  ...each(text, 'name', 'text'),
  ...{ identity: maybe(text), turns: maybe(listOf(text)), contexts: listOf(context) },
});
const run = shape({
  ...each(text, 'title', 'tabTitle'),
  ...{ asked: listOf(asked), isAccess: flag, threads: maybe(listOf(text)) },
});

export type RememberedRun = ReturnType<typeof remembered>;

/** @param threads those of the sides, if the answers are side by side */
export const remembered = (
  { title, tabTitle, run: { accessTests } }: RunSpec,
  all: readonly AskedQuestion[],
  threads: readonly Thread[] | undefined,
) => ({
  ...{ title, tabTitle },
  /** Whether the question is asked as several identities. */
  isAccess: accessTests !== undefined,
  asked: all.map(({ question: { name, text: question, identity, turns }, contexts }) => ({
    ...{ name, text: question, identity, contexts },
    /** The texts of the turns, if the question has several. */
    turns: turns?.map((turn) => turn.text),
  })),
  threads: threads?.map(({ id }) => id),
});

/** @returns whether each question has two contexts or more, and each side its thread */
export function isRememberedRun(value: unknown): value is RememberedRun {
  if (!run(value)) return false;
  const { asked: all, threads } = value as RememberedRun;
  const [first] = all;
  const isPaired = threads === undefined || threads.length === first?.contexts.length;
  return first !== undefined && isPaired && all.every(({ contexts }) => contexts.length > 1);
}

const cell = shape({ message: text, state: oneOf(...CELL_STATES) });
const row = shape({ ...each(text, 'name', 'text', 'message'), state: oneOf(...ROW_STATES), cells: listOf(cell) });
export const areRows = (value: unknown): value is RunRow[] => listOf(row)(value);

const found = shape({ queries: Array.isArray, members: Array.isArray, notes: Array.isArray });
export const isComparison = (value: unknown): value is RunComparison => found(value);
