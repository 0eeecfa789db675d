/** *Accept as Expected*: the answer's result becomes the baseline. */
import { t } from '../../shared/text/l10n.ts';
import type { ResultTable } from '../../shared/wire/toolPayloads.ts';
import type { Question } from '../question.ts';
import type { SourceFile } from '../files/sourceFile.ts';
import { baselinePath, writeBaseline } from './write.ts';

export interface AcceptedResult {
  question: Pick<Question, 'name' | 'text' | 'baseline'>;
  sql: string;
  table: ResultTable;
  branch: string;
  identity: string;
  /** Unix milliseconds. */
  time: number;
}

/**
 * @returns the file to write
 * @throws Error for a result with only a part of its rows
 */
export function acceptResult({ question, sql, table, branch, identity, time }: AcceptedResult): SourceFile {
  const { rows, columns, totalRows } = table;
  if (rows.length < totalRows)
    throw new Error(
      t('Can’t accept {0} of {1} rows. Set a data query URL to load all.', rows.length, totalRows.toLocaleString()),
    );
  const { name, text, baseline: previous } = question;
  const accepted = { name, question: text, branch, identity, time: new Date(time).toISOString(), sql, columns, rows };
  return { path: baselinePath(name), text: writeBaseline(accepted, previous) };
}
