/** Formats threads as Markdown files. */
import { typeColumns } from '../results/cells.ts';
import { markdownTable } from '../results/encode.ts';
import type { Item, Question, QuestionContext, Thread, TurnOutcome } from '../thread/model.ts';
import { payloadOf, shownTurns, type ShownTurn } from '../thread/turns.ts';
import type { ResultTable, SqlQueryPayload } from '../wire/toolPayloads.ts';
import { plural, t } from './l10n.ts';
import { fenced, harmless, plain } from './plainText.ts';

/** @returns the thread as Markdown: questions, SQL, result tables and answers; content from the service can't load or run anything in a viewer */
export function threadText(title: string, thread: Thread): string {
  const parts = [`# ${plain(title || t('New chat'))}`, ...shownTurns(thread).flatMap(turnParts)];
  return parts.filter((part) => part !== '').join('\n\n') + '\n';
}

function turnParts({ question, steps, answer, outcome }: ShownTurn): string[] {
  return [
    ...(question ? questionParts(question) : []),
    ...steps.flatMap((step) => (step.toolCall ? toolParts(step) : [harmless(step.content)])),
    ...(answer ? [harmless(answer.content)] : []),
    ...outcomeParts(outcome),
  ];
}

function questionParts({ content, time, context, images }: Question): string[] {
  const quote = `> ${harmless(content).replaceAll('\n', '\n> ')}`;
  const facts = [
    new Date(time).toISOString(),
    ...(context ? [branchWords(context), t('as {0}', context.identity)] : []),
    ...(images?.length ? [plural(images.length, '{0} image|{0} images')] : []),
  ];
  return [`## ${t('You')}`, quote, `*${facts.map(plain).join(' · ')}*`, `## ${t('Assistant')}`];
}

/** An empty branch means that none was chosen and the service used its main branch. */
const branchWords = ({ branch }: QuestionContext): string =>
  branch === '' ? t('main branch') : t('branch {0}', branch);

function outcomeParts(outcome: TurnOutcome | undefined): string[] {
  if (outcome?.state === 'stopped') return [`*${t('Stopped')}*`];
  return outcome?.state === 'failed' ? [`*${plain(outcome.error.message)}*`] : [];
}

function toolParts(item: Item): string[] {
  const payload = payloadOf(item);
  if (payload === undefined) return [];
  const failed = payload.error === undefined ? [] : [`*${plain(payload.error)}*`];
  if (payload.kind === 'sqlQuery') return [...sqlParts(payload), ...failed];
  if (payload.kind === 'unknownTool') {
    const texts = [payload.input, ...(payload.result === undefined ? [] : [payload.result])];
    return [`### ${plain(payload.name)}`, ...texts.map((text) => fenced(text, '')), ...failed];
  }
  const found = (payload.definitions ?? []).flatMap(({ members }) => members.map(({ name }) => `\`${bare(name)}\``));
  return [`### ${t('Model search')}: ${plain(payload.searchQuery)}`, found.join(', '), ...failed];
}

function sqlParts({ queryTitle, sqlQuery, table }: SqlQueryPayload): string[] {
  const title = queryTitle === '' ? t('SQL query') : plain(queryTitle);
  const sql = sqlQuery === '' ? [] : [fenced(sqlQuery, 'sql')];
  return [`### ${title}`, ...sql, ...(table ? tableParts(table) : [])];
}

function tableParts({ columns, rows, totalRows }: ResultTable): string[] {
  if (columns.length === 0) return [];
  const encoder = markdownTable(typeColumns(columns, rows), { headers: true });
  const table = encoder.encodeHeader() + rows.map((row) => encoder.encodeRow(row)).join('');
  return [
    table.trimEnd(),
    `*${plural(totalRows, '{0} of {1} row|{0} of {1} rows', rows.length.toLocaleString(), totalRows.toLocaleString())}*`,
  ];
}

/** @returns text for a code span: one line, without backticks */
const bare = (text: string): string => text.replace(/[`\s]+/g, ' ');
