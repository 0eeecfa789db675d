/** From bytes to batches of events and the resulting thread: a million lines, processed like in a session. */
import { decodeLine } from '../../../src/api/decode.ts';
import { ChatError } from '../../../src/api/errors.ts';
import { NdjsonParser } from '../../../src/api/ndjson.ts';
import { reduceAll } from '../../../src/shared/thread/reducer.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../src/shared/thread/model.ts';
import { chunksOf, linesOfBytes } from '../parse/lines.ts';
import { median, type Result } from '../result.ts';
import { computed } from '../support/computed.ts';
import { inFunctions } from '../support/cpu.ts';

const LINES = Number(process.env.BENCH_LINES ?? 1_000_000);
/** Number of items after which the next conversation starts. */
const ITEMS = 100;
/** The question, the reasoning, the query and the answer. */
const ITEMS_PER_TURN = 4;
const BLOCK = 20e6;
/** Number of parts, alternating with parsing alone. */
const ROUNDS = 5;

type Take = (parser: NdjsonParser, chunk: Uint8Array) => number;

/** @returns the number of lines */
function pass(chunks: readonly Uint8Array[], take: Take): number {
  const parser = new NdjsonParser();
  let lines = 0;
  for (const chunk of chunks) lines += take(parser, chunk);
  return lines;
}

/** @returns the lines per second of one round */
function run(chunks: readonly Uint8Array[], take: Take): number {
  let lines = 0;
  let ms = 0;
  while (lines < LINES / ROUNDS) {
    const from = computed();
    lines += pass(chunks, take);
    ms += computed() - from;
  }
  return (lines * 1000) / ms;
}

/** Live bytes. */
function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function reducing(): Take {
  let thread: Thread = emptyThread('bench');
  return (parser, chunk) => {
    const events: ThreadEvent[] = [];
    for (const parsed of parser.push(chunk)) {
      const line = decodeLine(parsed);
      if (line instanceof ChatError) throw line;
      events.push({ type: 'line', line, time: 0 });
    }
    thread = reduceAll(thread, events);
    if ((thread.response?.turns.length ?? 0) * ITEMS_PER_TURN > ITEMS) thread = emptyThread('bench');
    return events.length;
  };
}

/**
 * @returns lines per second, their ratio to parsing alone, and the ratio of the memory at the end to that at the
 * beginning
 */
export default async function bench(): Promise<Result[]> {
  const results: Result[] = [];
  const bytes = linesOfBytes(BLOCK);
  for (const [size, label] of [
    [8192, '8 KB'],
    [200, '200 B'],
  ] as const) {
    const chunks = chunksOf(bytes, size);
    const take = reducing();
    const parse: Take = (parser, chunk) => parser.push(chunk).length;
    const parsing: number[] = [];
    const whole: number[] = [];
    const heaps: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      parsing.push(run(chunks, parse));
      whole.push(run(chunks, take));
      heaps.push(heap());
    }
    const [alone, reduced] = [Math.round(median(parsing)), Math.round(median(whole))];
    const [first = 1, last = 1] = [heaps[0], heaps.at(-1)];
    const of = {
      'parse, decode and reduce': await inFunctions(() => pass(chunks, take)),
      'parse alone': await inFunctions(() => pass(chunks, parse)),
    };
    results.push(
      { name: `parse alone, chunks of ${label}`, value: alone, unit: 'lines/s', ratio: 1 },
      {
        name: `parse, decode and reduce, chunks of ${label}`,
        value: reduced,
        unit: 'lines/s',
        ratio: reduced / alone,
        profile: { unit: 'µs a line', of },
      },
      {
        name: `live memory at the end, chunks of ${label}`,
        value: Math.round(last / 1e6),
        unit: 'MB',
        ratio: last / first,
      },
    );
  }
  return results;
}
