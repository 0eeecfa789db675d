/** Threads as JSON, for keeping and for passing on; read again they are shown and cannot be continued. */
import { emptyThread, type Thread } from '../../shared/thread.ts';
import { HistoryError } from './errors.ts';
import { metaOf, type StoredThread } from './merge.ts';
import { isFields } from '../../shared/checks.ts';
import { ordered } from './order.ts';
import { isItem } from './records.ts';

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
  const title = typeof file.title === 'string' && file.title !== '' ? file.title : metaOf(thread, now).title;
  return { thread, title, origin: typeof file.origin === 'string' ? file.origin : '' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (failure) {
    throw new HistoryError('invalid', failure);
  }
}
