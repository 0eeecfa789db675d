/** Exports threads as Markdown and JSON, and imports JSON. Imported threads are read-only. */
import { checkImages } from '../../shared/protocol/images.ts';
import { isFields, textIn } from '../../shared/text/checks.ts';
import { fenced, harmless, plain } from '../../shared/text/plainText.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { ResultTable, SqlQueryPayload } from '../../shared/wire/toolPayloads.ts';
import { typeColumns } from '../../shared/results/cells.ts';
import { markdownTable } from '../../shared/results/encode.ts';
import {
  emptyThread,
  type Item,
  type Question,
  type QuestionContext,
  type Thread,
  type Turn,
  type TurnOutcome,
} from '../../shared/thread/model.ts';
import { payloadOf, shortened, shownTurns, type ShownTurn } from '../../shared/thread/turns.ts';
import { HistoryError } from './files/errors.ts';
import { metaOf, type StoredThread } from './storedThread.ts';
import { isTurn } from './threadFile.ts';

/** @returns the thread as Markdown: questions, SQL, result tables and answers; content from the service can't load or run anything in a viewer */
export function exportMarkdown({ thread, meta }: StoredThread): string {
  const parts = [`# ${plain(meta.title || t('New chat'))}`, ...shownTurns(thread).flatMap(turnParts)];
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
  return [`### ${title}`, fenced(sqlQuery, 'sql'), ...(table ? tableParts(table) : [])];
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

/** Maximum length of an imported title. */
const LONGEST_TITLE = 500;
const FORMAT = 'analytics-chat.thread';

export interface Imported {
  thread: Thread;
  title: string;
  origin: string;
  /** Why images were left out. */
  problems: readonly string[];
  /** Number of turns that were left out because they are invalid. */
  invalid: number;
}

/**
 * @param now Unix milliseconds
 * @returns the thread with its results, without the draft; the origin is the only part of the connection
 */
export function exportJson({ thread, meta }: StoredThread, now: number): string {
  const { title, chatId, origin, createdAt, updatedAt } = meta;
  const exported = { format: FORMAT, version: 2, exportedAt: new Date(now).toISOString() };
  return (
    JSON.stringify({ ...exported, title, chatId, origin, createdAt, updatedAt, turns: thread.turns }, null, 2) + '\n'
  );
}

/**
 * @param text the output of `exportJson`
 * @param id the id of the imported thread
 * @param now Unix milliseconds
 * @returns the thread, with no answer in progress, and what was left out
 * @throws HistoryError `invalid` if the text is not an exported thread
 */
export function importJson(text: string, id: string, now: number): Imported {
  const file = parsed(text);
  if (!isFields(file) || file.format !== FORMAT) throw new HistoryError('invalid');
  const problems: string[] = [];
  const all: unknown[] = Array.isArray(file.turns) ? file.turns : [];
  const valid = all.filter(isTurn);
  const turns = valid.map((turn) => ({
    ...withCheckedImages(turn, problems),
    items: turn.items.map((item) => ({ ...item, inProcess: false })),
  }));
  if (turns.length === 0 || hasDuplicates(turns) || turns.some(({ items }) => hasDuplicates(items)))
    throw new HistoryError('invalid');
  const chatId = textIn(file, 'chatId');
  const thread: Thread = { ...emptyThread(id), ...(chatId === undefined ? {} : { chatId }), turns };
  const given = shortened(textIn(file, 'title') ?? '', LONGEST_TITLE);
  const title = given === '' ? metaOf(thread, now).title : given;
  return { thread, title, origin: textIn(file, 'origin') ?? '', problems, invalid: all.length - valid.length };
}

function withCheckedImages(turn: Turn, problems: string[]): Turn {
  if (!turn.question?.images) return turn;
  const checked = checkImages(turn.question.images);
  problems.push(...checked.problems);
  return { ...turn, question: { ...turn.question, images: checked.images } };
}

const hasDuplicates = (entries: readonly { id: string }[]): boolean =>
  new Set(entries.map(({ id }) => id)).size < entries.length;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (failure) {
    throw new HistoryError('invalid', failure);
  }
}
