/** The JSON format in which threads are exported and imported again. Threads as Markdown: `threadText.ts`. */
import { checkImages } from '../protocol/images.ts';
import { fieldsOf, textIn } from './checks.ts';
import { parsed } from './jsonText.ts';
import { t } from './l10n.ts';
import { emptyThread, type Thread, type ThreadMeta, type Turn } from '../thread/model.ts';
import { isTurn } from '../thread/turnChecks.ts';
import { shortened } from '../thread/turns.ts';

/** Maximum length of an imported title. */
const LONGEST_TITLE = 500;
const FORMAT = 'analytics-chat.thread';

export interface Imported {
  thread: Thread;
  about: { origin: string; readOnly: true; title?: string; named?: boolean };
  /** Why images were left out. */
  problems: readonly string[];
  /** Number of turns that were left out because they are invalid. */
  invalid: number;
}

/**
 * @param now Unix milliseconds
 * @returns the thread with its results, without the draft; the origin is the only part of the connection
 */
export function threadJson(meta: ThreadMeta, { turns }: Thread, now: number): string {
  const { title, chatId, origin, createdAt, updatedAt } = meta;
  const exported = { format: FORMAT, version: 2, exportedAt: new Date(now).toISOString() };
  return JSON.stringify({ ...exported, title, chatId, origin, createdAt, updatedAt, turns }, null, 2) + '\n';
}

/**
 * @param text the output of `threadJson`
 * @param id the id of the imported thread
 * @returns the thread, read-only and with no answer in progress, and what was left out
 * @throws Error with a message for the user if the text is not an exported thread
 */
export function importThread(text: string, id: string): Imported {
  const file = fieldsOf(parsed(text.replace(/^\uFEFF/, '')));
  const problems: string[] = [];
  const all: unknown[] = file.format === FORMAT && Array.isArray(file.turns) ? file.turns : [];
  const valid = all.filter(isTurn);
  const turns = valid.map((turn) => ({
    ...withCheckedImages(turn, problems),
    items: turn.items.map((item) => ({ ...item, inProcess: false })),
  }));
  if (turns.length === 0 || hasDuplicates(turns) || turns.some(({ items }) => hasDuplicates(items)))
    throw new Error(t('This file is not an exported chat.'));
  const chatId = textIn(file, 'chatId');
  const thread: Thread = { ...emptyThread(id), ...(chatId === undefined ? {} : { chatId }), turns };
  const title = shortened(textIn(file, 'title') ?? '', LONGEST_TITLE);
  const about = { origin: textIn(file, 'origin') ?? '', readOnly: true, ...(title && { title, named: true }) } as const;
  return { thread, about, problems, invalid: all.length - valid.length };
}

function withCheckedImages(turn: Turn, problems: string[]): Turn {
  if (!turn.question?.images) return turn;
  const checked = checkImages(turn.question.images);
  problems.push(...checked.problems);
  return { ...turn, question: { ...turn.question, images: checked.images } };
}

const hasDuplicates = (entries: readonly { id: string }[]): boolean =>
  new Set(entries.map(({ id }) => id)).size < entries.length;
