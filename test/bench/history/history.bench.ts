/** The history of a long year: lists, searches and saves 5,000 threads of 40 KB each. */
import { mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFiles } from '../../../src/chat/history/files/nodeFiles.ts';
import { History } from '../../../src/chat/history/history.ts';
import { metaOf } from '../../../src/chat/history/storedThread.ts';
import { encodeThread } from '../../../src/chat/history/threadFile.ts';
import { emptyDraft } from '../../../src/shared/protocol/chat.ts';
import { emptyThread, type Thread, type Turn } from '../../../src/shared/thread/model.ts';
import { makeItem, makeTurn } from '../../support/item.ts';
import { median, type Result } from '../result.ts';

const THREADS = 5000;
const ITEMS = 10;
const ITEM_BYTES = 4000;
const ROUNDS = 7;
const about = { origin: 'https://chat.example.com' };

/** @returns how fast the history is with a warm file cache, compared with the least possible work */
export default async function bench(): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'history-bench-'));
  try {
    for (let at = 0; at < THREADS; at += 1) await writeThread(folder, makeThread(at));
    return [...(await lists(folder)), ...(await searches(folder)), ...(await saves(folder)), ...(await large(folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const openHistory = async (folder: string): Promise<History> =>
  new History(await nodeFiles(folder), { onDamage: unexpected, onError: unexpected });

function unexpected(what: unknown): never {
  throw new Error(`The benchmark's history failed: ${JSON.stringify(what)}`);
}

function makeThread(at: number): Thread {
  const id = `thread-${at}`;
  const turns = Array.from({ length: ITEMS / 2 }, (_, turn): Turn => {
    const index = 2 * turn + 1;
    const words = `order revenue of region ${at} grew in quarter ${index}, `;
    // One thread in a hundred contains the searched word.
    const content =
      (at % 100 === 99 && index === ITEMS - 1 ? 'churned ' : '') + words.repeat(ITEM_BYTES / words.length);
    const time = at * 1000 + index;
    return makeTurn({ id: `${id}-${turn}`, content: words.repeat(ITEM_BYTES / words.length), time: time - 1 }, [
      makeItem(`${id}-${index}`, { content, time, updated: time }),
    ]);
  });
  return { ...emptyThread(id), turns };
}

async function writeThread(folder: string, thread: Thread): Promise<void> {
  const stored = { thread, meta: metaOf(thread, about), draft: emptyDraft };
  await writeFile(
    join(folder, `${thread.id}.json`),
    encodeThread(stored, (item) => item),
  );
}

/** @returns the median time of several rounds in milliseconds */
async function timed(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

async function lists(folder: string): Promise<Result[]> {
  const first = await timed(async () => {
    if ((await (await openHistory(folder)).list()).length !== THREADS) unexpected('list');
  });
  const open = await openHistory(folder);
  await open.list();
  const again = await timed(() => open.list());
  const metadata = join(folder, 'metadata.json');
  await writeFile(metadata, JSON.stringify(await open.list()));
  // The least possible work: check whether each file has changed.
  const limit = await timed(async () => {
    const names = await readdir(folder);
    await Promise.all(names.map((name) => stat(join(folder, name))));
    JSON.parse(await readFile(metadata, 'utf8'));
  });
  await rm(metadata);
  return [
    { name: 'list in a new window', value: first, unit: 'ms', ratio: first / limit },
    { name: 'list, the same window again', value: again, unit: 'ms', ratio: again / limit },
  ];
}

async function searches(folder: string): Promise<Result[]> {
  let hits = 0;
  const first = await timed(async () => {
    for await (const hit of (await openHistory(folder)).search('churned')) {
      hits += hit.ranges.length;
      break;
    }
  });
  const all = await timed(async () => {
    let found = 0;
    for await (const hit of (await openHistory(folder)).search('churned')) found += hit.ranges.length;
    if (found < THREADS / 100) unexpected('search');
  }, 1);
  if (hits < ROUNDS) unexpected('search');
  const limit = await timed(async () => {
    for (const name of await readdir(folder)) (await readFile(join(folder, name))).includes('churned');
  }, 1);
  return [
    { name: 'search contents, first hit', value: first, unit: 'ms' },
    { name: 'search contents, all of 200 MB', value: all, unit: 'ms', ratio: all / limit },
  ];
}

async function saves(folder: string): Promise<Result[]> {
  const history = await openHistory(folder);
  let { thread } = await history.open('thread-7');
  const before = await times(folder);
  const rounds = 31;
  const save = await timed(async () => {
    const template = thread.turns[0]!;
    const id = `more-${thread.turns.length}`;
    thread = { ...thread, turns: [...thread.turns, { ...template, id, question: { ...template.question!, id } }] };
    history.save(thread, about);
    await history.flush();
  }, rounds);
  const after = await times(folder);
  const touched = [...after].filter(([name, time]) => before.get(name) !== time).length;
  // The least possible work: write such a file durably under another name, and rename it.
  const bytes = Buffer.alloc((await stat(join(folder, 'thread-7.json'))).size, 'x');
  const limit = await timed(async () => {
    const handle = await open(join(folder, 'limit.tmp'), 'w');
    await handle.writeFile(bytes);
    await handle.sync();
    await handle.close();
    await rename(join(folder, 'limit.tmp'), join(folder, 'limit'));
  }, rounds);
  return [
    { name: 'save one message', value: save, unit: 'ms', ratio: save / limit },
    { name: 'files that a save touches', value: touched, unit: 'files' },
  ];
}

/** A thread with 1,000 messages of 100 rows each: saves of a streaming answer, and how long each blocks the process. */
async function large(folder: string): Promise<Result[]> {
  const data = Array.from({ length: 100 }, (_, row) => [
    `2024-01-${row}`,
    `region ${row}`,
    'shipped',
    row * 7919,
    '12.50',
  ]);
  const schema = ['day', 'region', 'status', 'orders', 'revenue'].map((name) => ({ name, column_type: 'string' }));
  const turns = Array.from({ length: 1000 }, (_, at): Turn => {
    const result = JSON.stringify({ schema, data, totalRows: 12_345 + at });
    const toolCall = { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery: `SELECT ${at}` }), result };
    return makeTurn({ id: `large-${at}`, content: 'Revenue by day?', time: at + 1 }, [
      makeItem(`query-${at}`, { toolCall, time: at + 1, updated: at + 1 }),
      makeItem(`answer-${at}`, { content: 'It grew. '.repeat(50), time: at + 1, updated: at + 1 }),
    ]);
  });
  let thread: Thread = { ...emptyThread('large'), turns };
  await writeThread(folder, thread);
  const history = await openHistory(folder);
  const opening = await blocked(async () => void ({ thread } = await history.open('large')));
  const first = await blocked(() => save(history, thread));
  const size = (await stat(join(folder, 'large.json'))).size / 1e6;
  const saved: number[] = [];
  const time = await timed(async () => {
    const last = thread.turns.at(-1)!;
    const items = last.items.map((item) => ({ ...item, content: `${item.content}more ` }));
    thread = { ...thread, turns: thread.turns.with(-1, { ...last, items }) };
    saved.push(await blocked(() => save(history, thread)));
  }, 15);
  return [
    { name: 'thread of 1,000 messages with 100 rows each', value: size, unit: 'MB' },
    { name: 'open it: longest block of the host', value: Math.max(opening, first), unit: 'ms' },
    { name: 'save it while it streams', value: time, unit: 'ms' },
    { name: 'save it: longest block of the host', value: median(saved), unit: 'ms' },
  ];
}

async function save(history: History, thread: Thread): Promise<void> {
  history.save(thread, about);
  await history.flush();
}

/** @returns the longest time in milliseconds during which nothing else could run */
async function blocked(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isDone = false;
  const beat = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (!isDone) setImmediate(beat);
  };
  setImmediate(beat);
  await work();
  isDone = true;
  beat();
  return longest;
}

async function times(folder: string): Promise<Map<string, number>> {
  const names = await readdir(folder);
  const entries = await Promise.all(
    names.map(async (name) => [name, (await stat(join(folder, name))).mtimeMs] as const),
  );
  return new Map(entries);
}
