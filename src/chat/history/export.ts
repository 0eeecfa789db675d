/** Exports threads as JSON, and imports them as read-only threads. Threads as Markdown: `shared/text/threadText.ts`. */
import { emptyDraft } from '../../shared/protocol/chat.ts';
import { checkImages } from '../../shared/protocol/images.ts';
import { isFields, textIn } from '../../shared/text/checks.ts';
import { emptyThread, type Thread, type Turn } from '../../shared/thread/model.ts';
import { isTurn } from '../../shared/thread/turnChecks.ts';
import { shortened } from '../../shared/thread/turns.ts';
import { HistoryError } from './files/errors.ts';
import { metaOf, type StoredThread } from './storedThread.ts';
import { parsed } from './threadFile.ts';

/** Maximum length of an imported title. */
const LONGEST_TITLE = 500;
const FORMAT = 'analytics-chat.thread';

export interface Imported extends StoredThread {
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
 * @returns the thread, read-only and with no answer in progress, and what was left out
 * @throws HistoryError `invalid` if the text is not an exported thread
 */
export function importJson(text: string, id: string, now: number): Imported {
  const file = parsed(text.replace(/^\uFEFF/, ''));
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
  const title = shortened(textIn(file, 'title') ?? '', LONGEST_TITLE);
  const about = { origin: textIn(file, 'origin') ?? '', readOnly: true, ...(title ? { title, named: true } : {}) };
  const invalid = all.length - valid.length;
  return { thread, meta: metaOf(thread, now, about), draft: emptyDraft, problems, invalid };
}

function withCheckedImages(turn: Turn, problems: string[]): Turn {
  if (!turn.question?.images) return turn;
  const checked = checkImages(turn.question.images);
  problems.push(...checked.problems);
  return { ...turn, question: { ...turn.question, images: checked.images } };
}

const hasDuplicates = (entries: readonly { id: string }[]): boolean =>
  new Set(entries.map(({ id }) => id)).size < entries.length;
