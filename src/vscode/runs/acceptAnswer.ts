/** *Accept as Expected*: writes the result of an answer to the baseline of its question. */
import * as vscode from 'vscode';
import { acceptResult } from '../../evals/files/baseline.ts';
import type { GradableQuery } from '../../evals/matrix/expectation.ts';
import { questionKey, type TestQuestion } from '../../evals/question.ts';
import { t } from '../../shared/text/l10n.ts';
import { writeText } from '../host/files.ts';
import { setStatusBarMessage, showInformationMessage } from '../host/notify.ts';
import type { Services } from '../services.ts';
import type { AskContext } from './askContext.ts';

export interface AcceptedAnswer {
  folder: vscode.WorkspaceFolder;
  question: TestQuestion;
  /** Absent if the answer has no result. */
  query: GradableQuery | undefined;
  context: AskContext;
}

/** Writes only the baseline; no other file changes. */
export async function acceptAnswer(
  services: Services<'log' | 'questionFiles'>,
  { folder, question, query, context }: AcceptedAnswer,
): Promise<void> {
  // The question may have changed since the run: this would be the answer to another one.
  const now = (await services.questionFiles.questionsOf(folder)).find(
    (each) => questionKey(each) === questionKey(question),
  );
  const isSame = now?.text === question.text && now.identity === question.identity;
  if (query === undefined || !isSame) {
    void showInformationMessage(t('There is no result to accept. Run the test again.'));
    return;
  }
  if (query.loadError !== undefined) throw new Error(query.loadError);
  const { branch, sent } = context;
  const { path, text } = acceptResult({
    question,
    sql: query.sql,
    table: query.table,
    branch,
    identity: sent.identity,
    time: Date.now(),
  });
  await writeText(vscode.Uri.joinPath(folder.uri, path), services.log.redactDocument(text));
  await services.questionFiles.reload(folder);
  setStatusBarMessage(t('Accepted: {0}', path), 5000);
}
