/** Support for the tests of the history: folders, threads, and a file system that fails on demand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryError } from '../../../../../src/chat/history/files/errors.ts';
import type { HistoryFiles } from '../../../../../src/chat/history/files/files.ts';
import { History, type HistoryOptions } from '../../../../../src/chat/history/history.ts';
import { nodeFiles } from '../../../../../src/chat/history/files/nodeFiles.ts';
import { reduce } from '../../../../../src/shared/thread/reducer.ts';
import { emptyThread, type Item, type Thread, type ThreadEvent } from '../../../../../src/shared/thread/model.ts';
import { turnsOf } from '../../../../../src/shared/thread/turns.ts';
import { collect } from '../../../../support/collect.ts';
import { makeItem, makeTurn } from '../../../../support/item.ts';

export const about = { origin: 'https://chat.example.com' };

const opened = new Set<History>();

/** Runs a test in its own folder, and saves what every history that it opened has pending. */
export async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'history-'));
  try {
    await test(folder);
  } finally {
    await Promise.all([...opened].map((history) => history.flush()));
    opened.clear();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Seen {
  history: History;
  /** Threads whose file is damaged, and the copies of the files. */
  damage: [threadId: string, copy?: string][];
  errors: { error: HistoryError; threadId: string }[];
}

/** The history of one window, with its events and errors. */
export function historyOn(files: HistoryFiles, options: Partial<HistoryOptions> = {}): Seen {
  const seen = { damage: [], errors: [] } as Omit<Seen, 'history'>;
  const history = new History(files, {
    onDamage: (...damage) => seen.damage.push(damage),
    onError: (error, threadId) => seen.errors.push({ error, threadId }),
    ...options,
  });
  opened.add(history);
  return { history, ...seen };
}

/** Saves a thread, and waits until it is written. */
export async function saveNow(history: History, thread: Thread): Promise<void> {
  history.save(thread, about);
  await history.flush();
}

export const openFolder = async (folder: string, options: Partial<HistoryOptions> = {}): Promise<Seen> =>
  historyOn(await nodeFiles(folder), options);

export const textItem = (id: string, fields: Partial<Item> = {}): Item =>
  makeItem(id, { content: `text of ${id}`, time: 1000, updated: 1000, ...fields });

/** A finished thread with some questions and answers. */
export function makeThread(id: string, questions = 2): Thread {
  const turns = Array.from({ length: questions }, (_, at) =>
    makeTurn({ id: `${at}-message`, content: `Question ${at} of ${id}?`, time: 1000 }, [
      textItem(`${at}-answer`, { content: `Answer ${at} of ${id}.` }),
    ]),
  );
  return { ...emptyThread(id), chatId: `chat-${id}`, turns, messageId: turns.at(-1)?.id };
}

export const dispatch = (thread: Thread, ...events: ThreadEvent[]): Thread => events.reduce(reduce, thread);

export const ask = (id: string, text: string, time: number): ThreadEvent => ({
  type: 'sent',
  id,
  text,
  images: [],
  context: { branch: 'main', isDefaultBranch: true, identity: 'dev' },
  time,
});

export const delta = (id: string, content: string, time: number, sort: number): ThreadEvent => ({
  type: 'line',
  line: { kind: 'message', id, role: 'assistant', content, graphPath: [], isDelta: true, isInProcess: true, sort },
  time,
});

/** A tool call, running or with a result. */
export const tool = (id: string, time: number, result?: string): ThreadEvent => ({
  type: 'line',
  line: {
    kind: 'toolCall',
    id,
    role: 'assistant',
    graphPath: ['tools'],
    isDelta: false,
    isInProcess: result === undefined,
    toolCall: { name: 'svcSqlApi', input: '{}', ...(result === undefined ? {} : { result }) },
  },
  time,
});

/** @returns the thread as read from a file: its response is merged into the turns */
export const saved = (thread: Thread): Thread =>
  plainly({
    ...thread,
    reconnecting: undefined,
    response: undefined,
    turns: turnsOf(thread).map((turn) => ({
      ...turn,
      items: turn.items.map((item) => ({ ...item, exact: undefined })),
    })),
  });

/** @returns the content of a file that is written in parts */
export async function bytesOf(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await collect(parts));
}

/** Removes undefined properties, like JSON. */
export const plainly = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A file system in which the named operations fail with a system error code while `fault.code` is set. */
export function faulty(
  files: HistoryFiles,
  ...operations: (keyof HistoryFiles)[]
): [HistoryFiles, { code: string | undefined }] {
  const fault: { code: string | undefined } = { code: undefined };
  const wrapped = new Proxy(files, {
    get: (target, name: keyof HistoryFiles) =>
      operations.includes(name) && fault.code !== undefined
        ? () => Promise.reject(Object.assign(new Error(`${fault.code}: made up`), { code: fault.code }))
        : target[name],
  });
  return [wrapped, fault];
}
