/** Judges a question with several turns: each turn is judged like a question, and the worst verdict counts. */
import { t } from '../../shared/text/l10n.ts';
import type { VerdictStatus } from '../../shared/protocol/verdicts.ts';
import { askedTurns } from '../question.ts';
import { turnAnswers } from './answer.ts';
import type { Again, CellJudgment, Judge, Judgment, MatrixRow } from './matrix.ts';

const WORST: readonly VerdictStatus[] = [
  ...(['failed', 'changed', 'review', 'errored', 'canceled', 'unstable', 'flaky', 'passed', 'same'] as const),
  // A turn without an expectation prepares the next one.
  'skipped',
];

/**
 * @param row without its expected result
 * @param truths the expected results by turn, as far as there are any
 */
export function judgeTurns(judge: Judge, row: MatrixRow, truths: readonly MatrixRow['truth'][]): Judgment | Again {
  const turns = askedTurns(row.question);
  const decided = turns.map((question, at) => {
    const cells = row.cells.map(({ context, answers }) => ({
      context,
      // The error of an earlier turn is that of all later ones.
      answers: answers.map((answer) => turnAnswers(answer)[at] ?? answer),
    }));
    const truth = truths[at];
    return judge({ ...row, question, cells, ...(truth ? { truth } : {}) });
  });
  const again = decided.flatMap((each) => ('again' in each ? each.again : []));
  if (again.length > 0) return { again: [...new Set(again)].sort((a, b) => a - b) };
  const judgments = decided.flatMap((each) => ('again' in each ? [] : [each]));
  const worst = worstOf(judgments);
  if (!row.question.turns) return worst;
  const turn = judgments.indexOf(worst);
  return {
    ...worst,
    message: messageOf(worst, turn, row),
    turn,
    ...(worst.compared
      ? { compared: worst.compared.map((_, at) => worstOf(judgments.flatMap((each) => each.compared?.[at] ?? []))) }
      : {}),
  };
}

/** A turn has no accepted result. */
function messageOf({ status, message }: Judgment, turn: number, { cells }: MatrixRow): string {
  if (status === 'skipped')
    return cells.length > 1
      ? message
      : t('No turn has an expected result: set “expect”, or “sql” with a data query URL.');
  return message === '' ? '' : t('Turn {0}: {1}', turn + 1, message);
}

const worstOf = <J extends CellJudgment>(judgments: readonly J[]): J =>
  judgments.toSorted((a, b) => WORST.indexOf(a.status) - WORST.indexOf(b.status))[0]!;
