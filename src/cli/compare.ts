/** `analytics-chat compare`: one question on two branches. */
import { matchAnswers } from '../evals/matrix/answerClasses.ts';
import { branchWaitText } from '../evals/matrix/branchProbe.ts';
import { gradableQueries } from '../evals/matrix/expectation.ts';
import { decidingAnswers, DEFAULT_ATTEMPTS, type Cell, type Verdict } from '../evals/matrix/matrix.ts';
import { runMatrix } from '../evals/matrix/runMatrix.ts';
import { same } from '../evals/matrix/same.ts';
import { looseQuestion } from '../evals/question.ts';
import { costText } from '../evals/report/summary.ts';
import { sameName } from '../compare/columns.ts';
import { flatComparison } from '../compare/compareExport.ts';
import { compareTables } from '../compare/compareTables.ts';
import { plural } from '../shared/text/l10n.ts';
import type { ResultTable } from '../shared/wire/toolPayloads.ts';
import type { CliCommand, ExitCode } from './command.ts';
import { askProgress, typedLines, waitingLines, type Output } from './output.ts';
import { runEntry, runFile } from './runFile.ts';
import { Service, serviceAsking, type ServiceContext } from './service.ts';
import { ArgumentError, countOption, durationOption, oneQuestion, UsageError } from './usage.ts';

/** All digits: rows are shown exactly, so they are compared exactly. */
const PRECISION = Infinity;

export const compare: CliCommand = async ({ environment, output, signal }, { positionals, values }) => {
  const text = oneQuestion(positionals);
  const branches = values.branches?.split(',').map((name) => name.trim()) ?? [];
  if (branches.length !== 2 || branches.includes('')) throw new ArgumentError('Pass two branches: --branches A,B');
  const attempts = countOption('--attempts', values.attempts) ?? DEFAULT_ATTEMPTS;
  const wait = durationOption('--wait', values.wait);
  const contexts = branches.map((branch) => new Service(environment, branch).context(values.as));
  contexts[0]!.service.identityLabel(values.as);
  const question = looseQuestion(text);
  output.note(`${costText({ questions: [question], contextsOf: () => contexts, attempts }, ...branches)}.`);
  const failed = new AbortController();
  let failure = '';
  let verdict: Verdict<ServiceContext> | undefined;
  const summary = await runMatrix([question], () => contexts, same({ precision: PRECISION }), {
    ask: (_, { identity: as, service }, cancel, { onServed } = {}) =>
      service.ask({ question: text, as, signal: cancel, onServed, ...askProgress((line) => output.note(line)) }),
    runSql: serviceAsking(
      environment,
      waitingLines((line) => output.note(line)),
    ).runSql,
    precision: PRECISION,
    attempts,
    branches: { wait, onWaiting: (branch) => output.note(branchWaitText(branch)) },
    signal: AbortSignal.any([signal, failed.signal]),
    onEvent: (event) => {
      if (event.type === 'judged') ({ verdict } = event);
      if (event.type !== 'answered' || !event.answer.isFinal) return;
      // There is nothing to compare with the other answer: stop it, also on the service.
      failure ||= `${contexts[event.cell]!.label}: ${event.answer.error}`;
      failed.abort();
    },
  });
  if (verdict && values.json !== undefined) {
    const decided = failure === '' ? verdict : { ...verdict, status: 'errored' as const, message: failure };
    await output.file(values.json, runFile('compare', [runEntry(decided)], summary));
  }
  if (signal.aborted) return 130;
  if (failure !== '' || verdict === undefined) throw new UsageError(failure);
  output.note(plural(summary.requests, '{0} request|{0} requests'));
  return report(verdict, output);
};

/** Prints the rows that differ, and the verdict. */
function report(verdict: Verdict<ServiceContext>, output: Output): ExitCode {
  const { status, message, cells } = verdict;
  const answers = decidingAnswers(verdict);
  const match = answers[0] && answers[1] && matchAnswers(answers[0], answers[1], PRECISION);
  // The verdict may be about an earlier query than the last one.
  const queries =
    match?.kind === 'equal' ? [match.left, match.right] : answers.map((answer) => gradableQueries(answer!)[0]);
  const [left, right] = queries.map((query) => query?.table);
  if (status === 'errored') throw new UsageError(message);
  const rows = left && right ? differingRows(left, right, cells, output) : '';
  if (left || right)
    output.result([rows, message === '' ? status : `${status}: ${message}`].filter(Boolean).join('\n\n'));
  else output.note(message);
  return status === 'changed' || status === 'review' ? 1 : 0;
}

/** @returns a table of the rows that differ; empty if there are none */
function differingRows(
  leftTable: ResultTable,
  rightTable: ResultTable,
  cells: readonly Cell<ServiceContext>[],
  output: Output,
): string {
  const [left = '', right = ''] = cells.map(({ context }) => context.label);
  const comparison = compareTables([leftTable, rightTable], PRECISION);
  if (comparison.isPartial && !cells[0]!.context.service.canRunSql)
    output.note(
      'The answers don’t contain all rows, so differences may be misleading. Set ANALYTICS_CHAT_DATA_QUERY_URL to compare all rows.',
    );
  // Rows don't differ by a column that only one side has, or that has another name.
  const names = [leftTable, rightTable].map(({ columns }) => columns.map(({ name }) => name));
  for (const [side, branch] of [left, right].entries()) {
    const alone = names[side]!.filter((name) => !names[1 - side]!.some((other) => sameName(name, other)));
    if (alone.length > 0) output.note(`Only ${branch} has the columns: ${alone.join(', ')}`);
  }
  const differing = comparison.rows.filter(({ status }) => status !== 'same');
  if (differing.length === 0) return '';
  const { columns, rows } = flatComparison({ ...comparison, rows: differing }, [left, right], '–');
  return typedLines(columns, rows);
}
