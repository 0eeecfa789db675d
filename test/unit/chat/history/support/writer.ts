/**
 * A separate window process, for tests with several windows or with kills: `writer.ts <folder> <mode> <number>`. It
 * writes a line for each saved change, so that the parent process knows what the folder must contain.
 */
import { writeSync } from 'node:fs';
import { History } from '../../../../../src/chat/history/history.ts';
import { nodeFiles } from '../../../../../src/chat/history/files/nodeFiles.ts';
import { emptyThread, type Thread, type Turn } from '../../../../../src/shared/thread/model.ts';
import { seeded } from '../../../../support/random.ts';
import { flat, makeTurn } from '../../../../support/item.ts';
import { about, ask, delta, dispatch } from './stores.ts';

const [folder = '', mode = '', number = '0'] = process.argv.slice(2);
const me = Number(number);
const random = seeded(me + 1);

function tell(line: object): void {
  writeSync(1, JSON.stringify(line) + '\n');
}

const history = new History(await nodeFiles(folder), {
  onDamage: (id) => tell({ id, damage: true }),
  onError: (error) => tell({ error: error.kind }),
});

/** Streams answers into one thread without end, and reports after each save. */
async function stream(): Promise<void> {
  let thread = await history.open('stream').then(
    (stored) => stored.thread,
    () => emptyThread('stream'),
  );
  for (let time = (flat(thread).at(-1)?.updated ?? 0) + 1; ;) {
    const question = `${time}-message`;
    thread = dispatch(thread, ask(question, `Question at ${time}`, time));
    const answer = `${time}-answer`;
    for (let sort = 1; sort <= 30; sort += 1) {
      time += 1;
      thread = dispatch(thread, delta(answer, `${sort} `.repeat(1 + Math.floor(random() * 3000)), time, sort));
      history.save(thread, about);
      await history.flush();
      tell({ items: flat(thread).length, last: flat(thread).at(-1)?.content.length, time });
    }
    thread = dispatch(thread, { type: 'finished' });
  }
}

/** Edits threads that all windows share: its own items, and the title, pin and draft of some of the threads. */
async function share(windows: number, threads: number, steps: number): Promise<void> {
  const open = new Map<string, Thread>();
  for (let step = 0; step < steps; step += 1) {
    const at = Math.floor(random() * threads);
    const id = `t${at}`;
    const mine = at % windows === me;
    const thread = open.get(id) ?? emptyThread(id);
    const kind = mine ? Math.floor(random() * 6) : Math.floor(random() * 3);
    const own = thread.turns.filter((turn) => turn.id.startsWith(`${me}-`));
    const chosen = own[Math.floor(random() * own.length)];
    if (kind === 3 && thread.turns.length > 0) {
      await history.rename(id, `name ${step}`);
      tell({ id, title: `name ${step}` });
    } else if (kind === 4 && thread.turns.length > 0) {
      const pinned = random() < 0.5;
      await history.pin(id, pinned);
      tell({ id, pinned });
    } else if (kind === 5) {
      history.saveDraft(id, { text: `draft ${step}`, images: [] }, about);
      await history.flush();
      tell({ id, draft: `draft ${step}` });
    } else {
      const next = changed(thread, kind === 2 ? chosen : undefined, kind === 1 ? chosen : undefined, step);
      open.set(id, next.thread);
      history.save(next.thread, about);
      await history.flush();
      tell({ id, item: next.item, content: next.content });
    }
    if (random() < 0.05 && open.has(id)) open.set(id, (await history.open(id)).thread);
  }
  tell({ done: true });
}

function changed(
  thread: Thread,
  removed: Turn | undefined,
  updated: Turn | undefined,
  step: number,
): { thread: Thread; item: string; content?: string } {
  if (removed)
    return { thread: { ...thread, turns: thread.turns.filter((turn) => turn !== removed) }, item: removed.id };
  const content = `${step} `.repeat(1 + Math.floor(random() * 2000));
  if (updated) {
    const turn = { ...updated, question: { ...updated.question!, content } };
    const turns = thread.turns.with(thread.turns.indexOf(updated), turn);
    return { thread: { ...thread, turns }, item: turn.id, content };
  }
  const turn = makeTurn({ id: `${me}-${step}`, content, time: step });
  return { thread: { ...thread, turns: [...thread.turns, turn] }, item: turn.id, content };
}

if (mode === 'stream') await stream();
else await share(Number(process.argv[5]), Number(process.argv[6]), Number(process.argv[7]));
