/** Exports threads as JSON and imports them. Imported threads are read-only. */
import { checkImages } from '../../../shared/protocol/images.ts';
import { emptyThread, type Thread, type Turn } from '../../../shared/thread/model.ts';
import { HistoryError } from '../files/errors.ts';
import { metaOf, type StoredThread } from '../merge.ts';
import { isFields, type Fields } from '../../../shared/text/checks.ts';
import { isLegacyItem, legacyTurns } from '../format/legacyItems.ts';
import { isTurn } from '../format/records.ts';
import { shortened } from '../title.ts';

/** Maximum length of an imported title. */
const LONGEST_TITLE = 500;
const FORMAT = 'analytics-chat.thread';

export interface Imported {
  thread: Thread;
  title: string;
  origin: string;
  /** Why images were left out. */
  problems: readonly string[];
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
 * @param text the output of this or an earlier version of `exportJson`
 * @param id the id of the imported thread
 * @param now Unix milliseconds
 * @returns the thread, with no answer in progress, and the reasons why images were left out
 * @throws HistoryError `invalid` if the text is not an exported thread
 */
export function importJson(text: string, id: string, now: number): Imported {
  const file = parsed(text);
  if (!isFields(file) || file.format !== FORMAT) throw new HistoryError('invalid');
  const problems: string[] = [];
  const turns = turnsIn(file).map((turn) => ({
    ...withCheckedImages(turn, problems),
    items: turn.items.map((item) => ({ ...item, inProcess: false })),
  }));
  if (turns.length === 0 || hasDuplicates(turns) || turns.some(({ items }) => hasDuplicates(items)))
    throw new HistoryError('invalid');
  const chatId = typeof file.chatId === 'string' ? { chatId: file.chatId } : {};
  const thread: Thread = { ...emptyThread(id), ...chatId, turns };
  const given = typeof file.title === 'string' ? shortened(file.title, LONGEST_TITLE) : '';
  const title = given === '' ? metaOf(thread, now).title : given;
  return { thread, title, origin: typeof file.origin === 'string' ? file.origin : '', problems };
}

function withCheckedImages(turn: Turn, problems: string[]): Turn {
  if (!turn.question?.images) return turn;
  const checked = checkImages(turn.question.images);
  problems.push(...checked.problems);
  return { ...turn, question: { ...turn.question, images: checked.images } };
}

function turnsIn({ turns, items }: Fields): Turn[] {
  if (Array.isArray(turns)) return turns.filter(isTurn);
  // Version 1.
  return Array.isArray(items) ? legacyTurns(items.filter(isLegacyItem)) : [];
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
