/** Long threads: reduces all messages as a thread read delivers them, and one more delta. */
import { decodeLine } from '../../../src/api/decode.ts';
import { ChatError } from '../../../src/api/errors.ts';
import { reduceAll } from '../../../src/shared/thread/reducer.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../src/shared/thread/model.ts';
import { turnsOf } from '../../../src/shared/thread/turns.ts';
import { median, type Result } from '../result.ts';
import { computed } from '../support/computed.ts';

const MESSAGES = 20_000;
const PER_TURN = 10;
const ROUNDS = 9;
const DELTAS = 20_000;
/** Repetitions in each round, because the processor clock of some systems ticks only every 4 ms. */
const REPEATS = 20;

const lines = Array.from({ length: MESSAGES }, (_, at) =>
  JSON.stringify({
    id: `message-${at}`,
    role: at % PER_TURN === 0 ? 'user' : 'assistant',
    content: `Revenue of region ${at} grew in the last quarter. `.repeat(6),
    graphPath: ['svc_data_analyst_agent'],
    isDelta: false,
    isInProcess: false,
    sort: at + 1,
  }),
);

const eventsOf = (values: readonly unknown[]): ThreadEvent[] =>
  values.flatMap((value, at): ThreadEvent[] => {
    const line = decodeLine({ value, text: lines[at] ?? '' });
    return line instanceof ChatError ? [] : [{ type: 'line', line, time: 0 }];
  });

/** @returns milliseconds of processor time */
const timed = (work: () => unknown): number => {
  const from = computed();
  for (let times = 0; times < REPEATS; times += 1) work();
  return (computed() - from) / REPEATS;
};

/** @returns milliseconds for this many deltas, each reduced separately */
function deltas(before: Thread): number {
  const sent: ThreadEvent = {
    type: 'sent',
    id: '1700000000000-message',
    text: 'And now?',
    images: [],
    context: { branch: '', isDefaultBranch: true, identity: 'dev' },
    time: 1,
  };
  const [event] = eventsOf([{ id: 'answer', role: 'assistant', content: 'word ', isDelta: true, isInProcess: true }]);
  const asked = reduceAll(before, [sent]);
  return timed(() => {
    let thread = asked;
    for (let at = 0; at < DELTAS; at += 1) thread = reduceAll(thread, event ? [event] : []);
  });
}

/** @returns milliseconds and their ratios: to `JSON.parse` of the same lines, and to deltas of an empty thread */
export default function bench(): Promise<Result[]> {
  const events = eventsOf(lines.map((line) => JSON.parse(line) as unknown));
  const read = (): Thread => reduceAll(emptyThread('bench'), [{ type: 'loading' }, ...events, { type: 'finished' }]);
  const long = read();
  if (turnsOf(long).length !== MESSAGES / PER_TURN) throw new Error('The thread is not as long as it should be.');
  const times = { parse: [] as number[], reduce: [] as number[], empty: [] as number[], long: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.parse.push(timed(() => lines.forEach((line) => JSON.parse(line))));
    times.reduce.push(timed(read));
  }
  // In rounds of their own, because the garbage of the rounds above would be collected during one of the two.
  for (let round = 0; round < ROUNDS; round += 1) {
    times.empty.push(deltas(emptyThread('bench')));
    times.long.push(deltas(long));
  }
  const [parse, reduced, empty, more] = [times.parse, times.reduce, times.empty, times.long].map(median) as [
    number,
    number,
    number,
    number,
  ];
  return Promise.resolve([
    { name: 'JSON.parse of 20,000 messages', value: parse, unit: 'ms', ratio: 1 },
    { name: 'reduce 20,000 messages', value: reduced, unit: 'ms', ratio: reduced / parse },
    { name: '20,000 deltas in an empty thread', value: empty, unit: 'ms', ratio: 1 },
    { name: '20,000 deltas in a thread of 20,000 messages', value: more, unit: 'ms', ratio: more / empty },
  ]);
}
