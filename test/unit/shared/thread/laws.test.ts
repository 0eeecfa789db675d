/** The invariants of threads, from src/shared/thread/README.md. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decodeLine } from '../../../../src/api/decode.ts';
import { ChatError } from '../../../../src/api/errors.ts';
import { NdjsonParser } from '../../../../src/api/ndjson.ts';
import { mergeTurns } from '../../../../src/shared/thread/merge.ts';
import { emptyThread, type Thread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { reduceAll } from '../../../../src/shared/thread/reducer.ts';
import { turnsOf } from '../../../../src/shared/thread/turns.ts';
import { attached, finished, QUESTION, sent } from '../support/threads.ts';
import { runs } from '../../../support/runs.ts';

const numRuns = runs(80, 10_000);

interface Said {
  id: string;
  pieces: readonly string[];
  thinking: readonly string[];
  /** A tool call, with its result. */
  tool: boolean;
}
type Line = Record<string, unknown>;

/** All pieces are different, so that a text shows which part of the answer it is. */
const answers = fc
  .array(
    fc.record({
      pieces: fc.integer({ min: 1, max: 8 }),
      thinking: fc.nat(3),
      tool: fc.boolean(),
      settles: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((items) => {
    let word = 0;
    const words = (count: number): string[] => Array.from({ length: count }, () => `${(word += 1)}🙂é `);
    return items.map(({ pieces, thinking, tool, settles }, at): Said & { settles: boolean } => ({
      id: `item-${at}`,
      pieces: words(pieces),
      thinking: words(thinking),
      tool,
      // The last message of an answer is always complete.
      settles: settles || at === items.length - 1,
    }));
  });
type Answer = Said & { settles: boolean };

const base = { role: 'assistant', graphPath: ['svc_data_analyst_agent'] };

/** The lines of a response from the echo to the last item. */
function linesOf(answer: readonly Answer[]): Line[] {
  const lines: Line[] = [{ id: QUESTION, role: 'user', content: 'revenue?', isDelta: false }];
  for (const { id, pieces, thinking, tool, settles } of answer) {
    const delta = (fields: Line): Line => ({ ...base, id, isDelta: true, isInProcess: true, ...fields });
    lines.push(...thinking.map((text) => delta({ thinking: text })), ...pieces.map((content) => delta({ content })));
    const content = pieces.join('');
    if (settles) lines.push({ ...base, id, content, thinking: '', isDelta: false, isInProcess: false });
    if (!tool) continue;
    const call = { ...base, id: `tool-${id}`, content: '', isDelta: false };
    const toolCall = { name: 'svcMeta', input: '{}' };
    lines.push(
      { ...call, isInProcess: true, toolCall },
      { ...call, toolCall: { ...toolCall, result: '{"cubes":[]}' } },
    );
  }
  return lines.map((line, at) => ({ ...line, sort: at + 1 }));
}

/** A snapshot of the lines so far: each item once, in its latest state. */
function snapshotOf(lines: readonly Line[]): Line[] {
  const items = new Map<unknown, Line>();
  for (const line of lines) {
    const known = items.get(line.id);
    const join = (field: 'content' | 'thinking'): string =>
      line.isDelta === true
        ? `${String(known?.[field] ?? '')}${String(line[field] ?? '')}`
        : String(line[field] || (known?.[field] ?? ''));
    const texts = { content: join('content'), thinking: join('thinking') };
    items.set(line.id, { ...known, ...line, ...texts, isDelta: false, sort: known?.sort ?? line.sort });
  }
  return [...items.values()];
}

const marker: Line = { id: '__cutoff__', role: 'assistant', sort: 0, state: { chatId: 'c1', isStreaming: true } };
const bytesOf = (lines: readonly Line[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

function eventsOf(chunks: readonly Uint8Array[]): ThreadEvent[] {
  const parser = new NdjsonParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.flush()].flatMap((parsed): ThreadEvent[] => {
    const line = decodeLine(parsed);
    return line instanceof ChatError ? [] : [{ type: 'line', line, time: 2 }];
  });
}
const response = (lines: readonly Line[]): ThreadEvent[] => eventsOf([bytesOf([marker, ...lines])]);
const threadOf = (...events: ThreadEvent[]): Thread => reduceAll(emptyThread('t'), [sent(), ...events]);

/** The visible content of a thread. */
const read = (thread: Thread): unknown =>
  turnsOf(thread).map(({ question, items }) => [
    question?.content,
    ...items.map(({ id, content, thinking, toolCall, inProcess }) => [
      id,
      content,
      thinking,
      toolCall?.result,
      inProcess,
    ]),
  ]);

const cuts = fc.array(fc.record({ how: fc.constantFrom('continue', 'replay', 'snapshot'), lines: fc.nat(40) }), {
  minLength: 1,
  maxLength: 6,
});

/** Responses that each end after some lines; the last one is complete. */
function responses(lines: readonly Line[], plan: readonly { how: string; lines: number }[]): ThreadEvent[][] {
  let reached = 0;
  return [...plan, { how: plan.at(-1)?.how ?? 'replay', lines: Infinity }].map(({ how, lines: count }) => {
    const from = how === 'replay' ? 0 : reached;
    const to = Math.min(lines.length, from + count);
    const before = how === 'snapshot' ? snapshotOf(lines.slice(0, reached)) : [];
    reached = Math.max(reached, to);
    return response([...before, ...lines.slice(from, to)]);
  });
}
const joined = (all: readonly ThreadEvent[][]): ThreadEvent[] =>
  all.flatMap((events, at) => (at === 0 ? events : [attached, ...events]));

describe('thread invariants', () => {
  const check = (...parameters: Parameters<typeof fc.property<[Answer[], { how: string; lines: number }[]]>>): void =>
    fc.assert(fc.property(...parameters), { numRuns });

  it('1: merging an empty transcript changes nothing', () => {
    check(answers, cuts, (answer, plan) => {
      const turns = turnsOf(threadOf(...joined(responses(linesOf(answer), plan))));
      assert.equal(mergeTurns(turns, { asked: turns[0]!.question!, turns: [], marked: false }), turns);
    });
  });

  it('2: replaying a whole response changes nothing', () => {
    check(answers, cuts, (answer) => {
      const lines = linesOf(answer);
      const once = threadOf(...response(lines), finished);
      for (const again of [lines, snapshotOf(lines)])
        assert.deepEqual(read(reduceAll(once, [attached, ...response(again), finished])), read(once));
    });
  });

  it('3 and 4: any cuts, then continuations or replays, from the start or a snapshot, yield the uncut answer', () => {
    check(answers, cuts, (answer, plan) => {
      const lines = linesOf(answer);
      assert.deepEqual(
        read(threadOf(...joined(responses(lines, plan)), finished)),
        read(threadOf(...response(lines), finished)),
      );
    });
  });

  it('5: any chunking of the bytes yields the same transcript', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat(), { maxLength: 30 }), (answer, places) => {
        const bytes = bytesOf([marker, ...linesOf(answer)]);
        const at = [0, ...places.map((place) => place % bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((to, index) => bytes.subarray(at[index], to));
        const whole = threadOf(...eventsOf([bytes]));
        const one = eventsOf(chunks).reduce((thread, event) => reduceAll(thread, [event]), threadOf());
        assert.deepEqual(one.response, whole.response);
      }),
      { numRuns },
    );
  });

  it('6: a webview that starts with a snapshot at any time has the thread of the host', () => {
    fc.assert(
      fc.property(answers, cuts, fc.nat(), (answer, plan, moment) => {
        const events = [...joined(responses(linesOf(answer), plan)), finished];
        const at = moment % events.length;
        const host = threadOf(...events.slice(0, at));
        const replica = JSON.parse(JSON.stringify(host)) as Thread;
        const plain = (thread: Thread): unknown => JSON.parse(JSON.stringify(reduceAll(thread, events.slice(at))));
        assert.deepEqual(plain(replica), plain(host));
      }),
      { numRuns },
    );
  });

  it('7: a thread that is read later has the turns of one that was streamed', () => {
    check(answers, cuts, (answer, plan) => {
      const lines = linesOf(answer);
      const watched = threadOf(...joined(responses(lines, plan)), finished);
      const history = snapshotOf(lines).map((line) => ({ ...line, isInProcess: false }));
      const reading = eventsOf([bytesOf([...history, marker])]);
      const after = reduceAll(emptyThread('t'), [{ type: 'loading' }, ...reading, finished]);
      assert.deepEqual(read(after), read(watched));
      assert.deepEqual(read(reduceAll(watched, [{ type: 'loading' }, ...reading, finished])), read(watched));
    });
  });
});
