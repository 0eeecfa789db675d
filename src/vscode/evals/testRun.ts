/** One run in the Test Explorer: asks the questions, reports each verdict, and ends with a summary. */
import * as vscode from 'vscode';
import type { Question } from '../../evals/question.ts';
import { failureTexts, verdictLine } from '../../evals/report/verdictText.ts';
import { runQuestions } from '../../evals/run/runner.ts';
import { summaryText, Tally, type Verdict } from '../../evals/run/verdict.ts';
import { t } from '../../shared/text/l10n.ts';
import { readSettings } from '../host/settings.ts';
import { askerFor } from './asker.ts';
import type { QuestionTest, TestResults } from './testTree.ts';
import type { Log } from '../host/log.ts';
import type { Branches } from '../connection/branches.ts';
import type { Identities } from '../connection/identities.ts';
import type { Connections } from '../connection/connections.ts';
import type { Connector } from '../connection/connector.ts';

export interface TestRunServices {
  log: Log;
  branches: Branches;
  identities: Identities;
  connections: Connections;
  connector: Connector;
  testResults: TestResults;
}

/** Where and how often questions are asked. */
export interface RunMode {
  /** On the main branch of the folder; otherwise on its current branch. */
  onMain?: boolean;
  times?: number;
}

export async function runTests(
  services: TestRunServices,
  run: vscode.TestRun,
  tests: readonly QuestionTest[],
  { onMain = false, times = 1 }: RunMode,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  const clean = (text: string): string => printable(services.log.redact(text));
  const print = (line: string, test?: QuestionTest, location?: vscode.Location): void =>
    run.appendOutput(`${clean(line).replaceAll('\n', '\r\n')}\r\n`, location, test?.item);
  const tally = new Tally();
  for (const { item } of tests) run.enqueued(item);
  for (const [folder, inFolder] of Map.groupBy(tests, (test) => test.folder)) {
    const asker = askerFor(services, folder, onMain ? { branch: services.branches.mainOf(folder) } : {});
    const byQuestion = new Map(inFolder.map((test) => [test.question, test]));
    const testOf = (question: Question): QuestionTest => byQuestion.get(question)!;
    const { evalsConcurrency, evalsPrecision } = readSettings(folder);
    print(t('Asking on branch “{0}”', asker.branch));
    await runQuestions(
      [...byQuestion.keys()],
      { ...asker, concurrency: evalsConcurrency, precision: evalsPrecision, times, signal },
      {
        onStart: (question) => run.started(testOf(question).item),
        onVerdict: (verdict) => {
          const test = testOf(verdict.question);
          tally.add(verdict);
          services.testResults.keep({ test, verdict, asker });
          print(verdictLine(verdict), test, isExplainedByOutput(verdict) ? locationOf(test) : undefined);
          report(run, test, verdict, clean);
        },
      },
    );
  }
  print(summaryText(tally.summary(performance.now() - start)));
}

/** VS Code shows no message for such a test, so its output is shown next to the question. */
const isExplainedByOutput = ({ status }: Verdict): boolean => status === 'skipped' || status === 'flaky';

function report(run: vscode.TestRun, test: QuestionTest, verdict: Verdict, clean: (text: string) => string): void {
  const { item } = test;
  const { status, milliseconds } = verdict;
  switch (status) {
    case 'passed':
    case 'flaky':
      return run.passed(item, milliseconds);
    case 'failed':
    case 'notComparable':
      return run.failed(item, messagesOf(test, verdict, clean), milliseconds);
    case 'errored':
      return run.errored(item, messagesOf(test, verdict, clean), milliseconds);
    case 'skipped':
    case 'canceled':
      return run.skipped(item);
  }
}

/** The context value decides which actions the menu of a message has. */
function messagesOf(test: QuestionTest, verdict: Verdict, clean: (text: string) => string): vscode.TestMessage[] {
  const { actual, answer } = verdict.attempt;
  return failureTexts(verdict).map(({ message: text, diff }) => {
    const message = diff
      ? vscode.TestMessage.diff(clean(text), clean(diff.expected), clean(diff.actual))
      : new vscode.TestMessage(clean(text));
    message.location = locationOf(test);
    message.contextValue =
      actual && !test.question.access ? 'analyticsChatResult' : answer?.thread.chatId ? 'analyticsChatAnswer' : '';
    return message;
  });
}

const locationOf = ({ item }: QuestionTest): vscode.Location | undefined =>
  item.uri && item.range && new vscode.Location(item.uri, item.range.start);

/** The output is a terminal: control characters from the service must not reach it. */
const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
