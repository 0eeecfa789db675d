/** Reads the thread once more where lines of an answer may be missing, and puts what was missed into its place. */
import { isNamed } from '../../shared/thread/items.ts';
import { placeOf } from '../../shared/thread/turns.ts';
import { isItemLine, type ItemLine, type StreamLine } from '../../shared/wire.ts';
import { attempt } from './attempt.ts';
import { waitBefore } from './retry.ts';
import type { RunOptions } from './run.ts';

/** Milliseconds after which the answer is left as it is: its reader waits for the end. */
const READ_PATIENCE = 10_000;
const READ_TRIES = 3;

/** Lines may be missing: the thread as the service keeps it has them. Where it fails, what came stays as it is. */
export async function readAgain(options: RunOptions): Promise<void> {
  const { clock, dispatch, thread } = options;
  options.answered();
  const { messageId, input } = options.request();
  const asked = thread().items.findLast(({ id }) => id === messageId);
  const sortOf = (name: string): number | undefined =>
    thread().items.findLast((item) => isNamed(item, name) && (asked === undefined || item.run === asked.run))?.sort;
  const kept = await readThread(options);
  const isKnown = ({ id }: ItemLine): boolean => sortOf(id) !== undefined;
  // Some services echo a question under an id of their own.
  const question = kept.findLastIndex(
    ({ id, role, content }) => id === messageId || (role === 'user' && content === input),
  );
  const [shown, ...rest] = question < 0 ? [] : kept.slice(question);
  const next = rest.findIndex(({ role }) => role === 'user');
  const own = next < 0 ? rest : rest.slice(0, next);
  const answer = (shown ? own : kept.filter(isKnown)).filter((line) => line.role === 'assistant' && !line.isDelta);
  // A service that names its items otherwise here would have everything shown twice.
  if (!answer.some((line) => isKnown(line) || placeOf(thread(), line.id) === 'none')) return;
  const time = clock.now();
  // The question tells whose answer it is.
  const heading: StreamLine[] = shown ? [{ kind: 'cutoff', isStreaming: false }, shown] : [];
  const lines = [...heading, ...inPlace(answer, sortOf, shown ? 0 : (asked?.sort ?? -1))];
  dispatch([
    { type: 'attached', numbering: 'thread' },
    ...lines.map((line) => ({ type: 'line', line, time }) as const),
  ]);
}

async function readThread(options: RunOptions): Promise<ItemLine[]> {
  const { client, request, signal, clock, stallTimeout, isWanted } = options;
  const { chatId, sessionSettings, activeBranchName, isDefaultBranch } = request();
  let kept: ItemLine[] = [];
  if (chatId === undefined) return kept;
  const patience = new AbortController();
  const giveUp = (): void => patience.abort();
  const timer = setTimeout(giveUp, READ_PATIENCE);
  signal.addEventListener('abort', giveUp, { once: true });
  for (let tries = 1; tries <= READ_TRIES && isWanted(); tries += 1) {
    kept = [];
    const { how } = await attempt({
      client,
      request: { chatId, sessionSettings, activeBranchName, isDefaultBranch },
      stallTimeout,
      signal: patience.signal,
      take: (lines) => {
        for (const line of lines) if (isItemLine(line)) kept.push(line);
      },
    });
    if (how !== 'lost') break;
    await clock.sleep(waitBefore(tries, clock.random()), patience.signal);
  }
  clearTimeout(timer);
  signal.removeEventListener('abort', giveUp);
  return kept;
}

/**
 * The service may number the lines of a reading anew; their order is what counts.
 * @param sortOf the number of an item that the thread has
 * @param start the number that all of them come after
 * @returns the lines in the numbers of the thread: what it has under its own, what it lacks in between
 */
function inPlace(lines: readonly ItemLine[], sortOf: (id: string) => number | undefined, start: number): ItemLine[] {
  const numbers = new Map<string, number>();
  let missing: string[] = [];
  let before = start;
  const place = (after: number): void => {
    const step = (after - before) / (missing.length + 1);
    missing.forEach((id, at) => numbers.set(id, before + step * (at + 1)));
    missing = [];
  };
  for (const id of new Set(lines.map((line) => line.id))) {
    const sort = sortOf(id);
    if (sort === undefined) missing.push(id);
    else {
      place(sort);
      numbers.set(id, sort);
      before = sort;
    }
  }
  place(before + missing.length + 1);
  return lines.map((line) => ({ ...line, sort: numbers.get(line.id) }));
}
