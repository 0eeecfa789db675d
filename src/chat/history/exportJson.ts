/** Threads as JSON, for keeping and for passing on; read again they are shown and cannot be continued. */
import { emptyThread, type Thread } from '../../shared/thread/model.ts';
import { HistoryError } from './errors.ts';
import { metaOf, type StoredThread } from './merge.ts';
import { isFields } from '../../shared/text/checks.ts';
import { ordered } from './order.ts';
import { isItem } from './records.ts';
import { shortened } from './title.ts';

/** Longer than any that a person gives; a file may say anything. */
const LONGEST_TITLE = 500;
const FORMAT = 'analytics-chat.thread';

/**
 * @param now Unix milliseconds
 * @returns the thread with its results; neither the draft nor anything of the connection but its origin
 */
export function exportJson({ thread, meta }: StoredThread, now: number): string {
  const { title, chatId, origin, createdAt, updatedAt } = meta;
  const items = thread.items.map((item) => ({ ...item, assembly: undefined }));
  const exported = { format: FORMAT, version: 1, exportedAt: new Date(now).toISOString() };
  return JSON.stringify({ ...exported, title, chatId, origin, createdAt, updatedAt, items }, null, 2) + '\n';
}

/**
 * @param text what `exportJson` wrote, perhaps long ago and elsewhere
 * @param id the imported thread's id
 * @returns the thread, at rest
 * @throws HistoryError `invalid`
 */
export function importJson(text: string, id: string, now: number): { thread: Thread; title: string; origin: string } {
  const file = parsed(text);
  if (!isFields(file) || file.format !== FORMAT || !Array.isArray(file.items)) throw new HistoryError('invalid');
  const items = ordered(file.items.filter(isItem)).map((item) => ({ ...item, inProcess: false, assembly: undefined }));
  if (items.length === 0 || new Set(items.map((item) => item.id)).size < items.length)
    throw new HistoryError('invalid');
  const run = items.at(-1)?.run ?? 0;
  const chatId = typeof file.chatId === 'string' ? { chatId: file.chatId } : {};
  const thread: Thread = { ...emptyThread(id), ...chatId, items, run, connection: run };
  const given = typeof file.title === 'string' ? shortened(file.title, LONGEST_TITLE) : '';
  const title = given === '' ? metaOf(thread, now).title : given;
  return { thread, title, origin: typeof file.origin === 'string' ? file.origin : '' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (failure) {
    throw new HistoryError('invalid', failure);
  }
}
