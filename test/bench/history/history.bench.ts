/** The history of a long year: lists, searches and saves 5,000 threads of 40 KB each. */
import { appendFile, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeRecord } from '../../../src/chat/history/format/records.ts';
import { History } from '../../../src/chat/history/history.ts';
import { headOf, metaOf } from '../../../src/chat/history/merge.ts';
import { storedTurn } from '../../../src/chat/history/format/storedTurns.ts';
import { nodeFiles } from '../../../src/chat/history/files/nodeFiles.ts';
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
    return [...(await lists(folder)), ...(await searches(folder)), ...(await saves(folder))];
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
  const head = encodeRecord(headOf(thread, metaOf(thread, 0, about)));
  const records = thread.turns.flatMap((turn, at) => [
    encodeRecord({ kind: 'turn', turn: storedTurn(turn, thread.turns[at - 1]?.id) }),
    ...turn.items.map((item) => encodeRecord({ kind: 'message', turn: turn.id, item })),
  ]);
  await writeFile(join(folder, `${thread.id}.ndjson`), Buffer.concat([head, ...records, head]));
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
  const index = join(folder, 'index.cache');
  const list = async (): Promise<void> => {
    if ((await (await openHistory(folder)).list()).length !== THREADS) unexpected('list');
  };
  const cold = await timed(async () => {
    await rm(index, { force: true });
    await list();
  }, 3);
  const warm = await timed(list);
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
    { name: 'list, index warm', value: warm, unit: 'ms', ratio: warm / limit },
    { name: 'list, the same window again', value: again, unit: 'ms', ratio: again / limit },
    { name: 'list, no index', value: cold, unit: 'ms', ratio: cold / limit },
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
  const bytes = 'x'.repeat(ITEM_BYTES);
  const limit = await timed(async () => {
    const handle = await open(join(folder, 'limit'), 'a');
    await appendFile(handle, bytes);
    await handle.datasync();
    await handle.close();
  }, rounds);
  return [
    { name: 'save one message', value: save, unit: 'ms', ratio: save / limit },
    { name: 'files that a save touches', value: touched, unit: 'files' },
  ];
}

async function times(folder: string): Promise<Map<string, number>> {
  const names = await readdir(folder);
  const entries = await Promise.all(
    names.map(async (name) => [name, (await stat(join(folder, name))).mtimeMs] as const),
  );
  return new Map(entries);
}
