/** Plans the files of a new question test: its question and, where it needs one, its accepted result. */
import * as vscode from 'vscode';
import { queryTable } from '../../api/dataQuery.ts';
import { withRetries } from '../../chat/session/retry.ts';
import { addQuestion, type NewQuestion } from '../../evals/files/addQuestion.ts';
import { acceptResult } from '../../evals/files/baseline.ts';
import { nameKey, textKey, type TestQuestion } from '../../evals/question.ts';
import { allRowsOf } from '../../compare/answerRows.ts';
import { DEFAULT_PRECISION } from '../../compare/cellEquality.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Home, QuestionContext } from '../../shared/thread/model.ts';
import type { GeneratedSql } from '../../shared/thread/turns.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import { withProgress } from '../host/notify.ts';
import { readSettings } from '../host/settings.ts';
import type { Services } from '../services.ts';
import { currentText, type FileChange } from '../host/fileChanges.ts';

const FILES = ['.analytics-chat/questions.yml', '.analytics-chat/questions.yaml'] as const;

export type NewTestServices = Services<'branches' | 'connections' | 'connector' | 'questionFiles'>;

/** An answered query, with its question and result. */
export interface Answered {
  sql: string;
  table: ResultTable;
  text: string;
  context: QuestionContext | undefined;
  home: Home | undefined;
}

/** @returns undefined if the query has no question or no result */
export function answeredQuery(
  { connector }: Pick<NewTestServices, 'connector'>,
  { payload, question }: GeneratedSql,
  home: Home | undefined,
): Answered | undefined {
  const { table, sqlQuery: sql } = payload;
  if (table === undefined || question === undefined) return undefined;
  return { sql, table, text: question.content, context: question.context ?? connector.context(home), home };
}

/** @returns the names of the questions in a folder, in lower case */
export async function questionNames(
  { questionFiles }: Pick<NewTestServices, 'questionFiles'>,
  folder: vscode.WorkspaceFolder,
): Promise<Set<string>> {
  return new Set((await questionFiles.questionsOf(folder)).map(({ name }) => nameKey(name)));
}

/** @returns the entry to add to a question file; it has an identity only if the settings name that identity */
export function newQuestion({ text, context }: Answered, name: string): NewQuestion {
  const identity = context?.identity ?? '';
  return { name, text, ...(Object.hasOwn(readSettings().identities, identity) ? { identity } : {}) };
}

/** @returns the test of the same question and identity, if there is one */
export async function existingTest(
  { questionFiles }: Pick<NewTestServices, 'questionFiles'>,
  folder: vscode.WorkspaceFolder,
  answered: Answered,
): Promise<TestQuestion | undefined> {
  const { identity } = newQuestion(answered, '');
  const questions = await questionFiles.questionsOf(folder);
  return questions.find(
    (each) =>
      textKey(each.text) === textKey(answered.text) &&
      each.identity === identity &&
      each.space === undefined &&
      each.access === undefined,
  );
}

/**
 * @returns the file with the accepted result, relative to the folder
 * @throws Error if the answer lacks rows
 */
export function baselineOf(
  { branches }: Pick<NewTestServices, 'branches'>,
  folder: vscode.WorkspaceFolder,
  { sql, table, text, context }: Answered,
  name: string,
): { path: string; text: string } {
  return acceptResult({
    question: { name, text },
    sql,
    table,
    branch: context?.branch || branches.mainOf(folder),
    identity: context?.identity ?? '',
    time: Date.now(),
  });
}

/** @returns the answer with all rows of its result, if they can be loaded; undefined if the user cancels */
export async function answerWithAllRows(
  { connector, connections }: Pick<NewTestServices, 'connector' | 'connections'>,
  answered: Answered,
): Promise<Answered | undefined> {
  const { sql, home, context } = answered;
  const load = async (signal: AbortSignal): Promise<ResultTable> => {
    const options = { ...(await connector.dataQuery(home, context)), signal };
    return withRetries(() => queryTable(sql, options), signal);
  };
  const table = await loadAllRows(answered.table, connections.of(home)?.dataQueryUrl ? load : undefined);
  return table && { ...answered, table };
}

/**
 * Loads the rows that an answer left out.
 * @param load runs the query; undefined without a data query URL, and the table is then returned as it is
 * @returns undefined if the user cancels, because the rows loaded so far are not the result
 * @throws Error if they are not those of the answer
 */
export async function loadAllRows(
  table: ResultTable,
  load: ((signal: AbortSignal) => Promise<ResultTable>) | undefined,
): Promise<ResultTable | undefined> {
  if (table.rows.length >= table.totalRows || !load) return table;
  return withProgress(t('Loading all rows…'), true, async (signal) => {
    const whole = await allRowsOf(table, () => load(signal), { signal, precision: DEFAULT_PRECISION });
    return signal.aborted ? undefined : whole;
  });
}

/**
 * @param clean redacts secrets
 * @returns the change that adds a question to `.analytics-chat/questions.yml`, in which questions may have no SQL
 */
export async function questionChange(
  folder: vscode.WorkspaceFolder,
  question: NewQuestion,
  clean: (text: string) => string,
): Promise<FileChange> {
  for (const path of FILES) {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const before = await currentText(uri);
    if (before === undefined) continue;
    const { offset, remove, text } = addQuestion(before, question);
    return { uri, before, text: before.slice(0, offset) + clean(text) + before.slice(offset + remove) };
  }
  const { text } = addQuestion('', question);
  return { uri: vscode.Uri.joinPath(folder.uri, FILES[0]), before: undefined, text: clean(text) };
}
