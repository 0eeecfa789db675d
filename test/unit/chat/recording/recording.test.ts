/** A recorded conversation replays unchanged and with its timing; other files are rejected with a message. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { MOST_BYTES, readRecording, type Moment, play } from '../../../../src/chat/recording/read.ts';
import { RecordingWriter } from '../../../../src/chat/recording/write.ts';
import { reduceAll } from '../../../../src/shared/thread/reducer.ts';
import { emptyThread, type Thread, type Turn, type TurnOutcome } from '../../../../src/shared/thread/model.ts';
import type { StreamLine, Usage } from '../../../../src/shared/wire/streamLines.ts';
import type { FaultSpec } from '../../../sandbox/server.ts';
import { askedTwice, turnsOf } from '../../../../src/shared/thread/turns.ts';
import { flat, makeItem, makeTurn } from '../../../support/item.ts';
import { repoRoot } from '../../../vscode/paths.ts';
import { useSandbox } from '../../sandbox/support.ts';
import { threadOf } from '../../shared/support/threads.ts';
import { instantClock, message, open } from '../support/sessions.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const replayed = (moments: readonly Moment[]): Thread =>
  reduceAll(
    emptyThread('replay'),
    moments.map(({ event }) => event),
  );
/** The visible content of a thread, regardless of how its text was accumulated. */
const shown = (thread: Thread): unknown[] =>
  flat(thread).map((item) => ({ ...item, exact: undefined, partial: item.partial ?? false }));
const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const mark = (fields: object): object => ({ id: '__recording__', ...fields });
const said = (id: string, content: string): object => ({ id, role: 'assistant', content, graphPath: ['final'] });

const context = { branch: 'main', isDefaultBranch: true, identity: 'ana' };

describe('a recording', () => {
  const sandbox = useSandbox();
  afterEach(() => sandbox.faults());

  it('drops images whose content does not match their type, and reports them', () => {
    const images = [{ mimeType: 'image/png', data: btoa('<html>'), name: 'fake.png' }];
    const problems: string[] = [];
    const event = { type: 'sent', id: 'q', text: 'What is this?', images, context, time: 1 };
    const moments = readRecording(bytes(lines(mark({ at: 0, event }))), 0, (problem) => problems.push(problem));
    assert.deepEqual(turnsOf(replayed(moments))[0]?.question?.images ?? [], []);
    assert.match(problems.join(), /fake\.png/);
    assert.deepEqual(readRecording(bytes(lines(mark({ at: 0, event }))), 0), moments, 'also if nobody is told');
  });

  /** Asks a question while a recording runs. */
  const record = async (questions: readonly string[], thread = emptyThread('t')) => {
    const texts = new WeakMap<StreamLine, string>();
    const raw: string[] = [];
    const clock = instantClock();
    const writer = new RecordingWriter(thread, clock.now(), (line) => texts.get(line));
    const { session } = open({
      url: sandbox.chatApiUrl,
      credential: { kind: 'apiKey', value: sandbox.apiKey },
      thread,
      clock,
      onLine: (line, text) => {
        texts.set(line, text);
        raw.push(text);
        clock.time += 7;
      },
      onEvents: (events) => writer.add(events, clock.now()),
    });
    for (const question of questions) await session.send(message(question));
    return { thread: session.thread, text: writer.text, raw };
  };

  const kinds: Record<string, FaultSpec[]> = {
    'an answer': [],
    'an answer that broke off twice': [{ cutAfter: 900 }, { cutAfter: 2000 }],
    'an answer with lines that nobody knows': [{ traceLine: true, unknownLine: true }],
    'an answer that failed': [{ errorLine: 'Out of memory.', errorAfter: 6 }],
  };
  for (const [name, faults] of Object.entries(kinds))
    it(`restores ${name}, with every time`, async () => {
      sandbox.faults(...faults);
      const { thread, text } = await record(['revenue by month in 2024', 'now by region']);
      assert.ok(flat(thread).some(({ toolCall }) => toolCall));
      assert.equal(
        flat(thread).some(({ outcome }) => outcome?.state === 'failed'),
        faults.some(({ errorLine }) => errorLine),
      );
      const again = replayed(readRecording(bytes(text), 0));
      assert.deepEqual(shown(again), shown({ ...thread, turns: turnsOf(thread).map(withoutActions) }));
      assert.equal(again.chatId, thread.chatId);
    });

  it('contains the lines of the service, but no final state and no key', async () => {
    const { text, raw } = await record(['revenue by month in 2024']);
    const held = new Set(text.split('\n'));
    const missing = raw.filter((line) => !held.has(line));
    assert.ok(missing.length > 0 && missing.every((line) => line.includes('"__state__"')));
    assert.ok(!text.includes('"messages"'));
    assert.ok(!text.includes(sandbox.apiKey));
  });

  it('keeps every kind of line, also without the text that the service sent', () => {
    const line = { id: 'a', role: 'assistant', graphPath: ['final'], isDelta: false, isInProcess: false } as const;
    const every: StreamLine[] = [
      { kind: 'cutoff', chatId: 'c', isStreaming: true },
      { kind: 'message', ...line, content: 'Up.', thinking: 'Hm.', sort: 3 },
      { kind: 'toolCall', ...line, toolCall: { name: 'svcSqlApi', input: '{}', result: '[]' } },
      { kind: 'usage', usage: { totalTokens: 9 } },
      { kind: 'aborted', reason: 'Stopped.' },
      { kind: 'suspended', reason: 'Later.', retryable: false },
      { kind: 'state' },
    ];
    const writer = new RecordingWriter(emptyThread('t'), 0, () => undefined);
    writer.add(
      [...every, { kind: 'unknown', reason: 'no text of it' } as const].map((line) => ({
        type: 'line',
        line,
        time: 1,
      })),
      1,
    );
    const events = readRecording(bytes(writer.text), 0).map(({ event }) => event);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'line' ? [event.line] : [])),
      every,
    );
  });

  it('has one line for each line and event, with its time, after those of the thread so far', () => {
    const png = { mimeType: 'image/png', data: 'iVBORw==' };
    const error = { kind: 'server', message: 'No.', actions: [] };
    const thread: Thread = {
      ...emptyThread('t'),
      chatId: 'c',
      turns: [
        { id: '', items: [makeItem('h', { thinking: 'Hm.', time: 50, updated: 60 })] },
        { ...makeTurn({ id: 'q1', content: 'One?', time: 70 }), outcome: { state: 'failed', error } },
        {
          ...makeTurn({ id: 'q2', content: 'Two?', time: 90, context, images: [png] }, [
            makeItem('b', { toolCall: { name: 'svcMeta' }, graphPath: ['final'], time: 95, updated: 99 }),
          ]),
          outcome: { state: 'stopped', service: 'forbidden' },
        },
      ],
    };
    const writer = new RecordingWriter(thread, 1000, (line) => (line.kind === 'unknown' ? 'raw' : undefined));
    const queued = { id: 'w', text: 'Wait', images: [] };
    const line = (line: StreamLine, time: number) => ({ type: 'line', line, time }) as const;
    writer.add([{ type: 'queued', message: queued }, line({ kind: 'unknown', reason: 'no id' }, 140)], 120);
    writer.add([line({ kind: 'state' }, 140), line({ kind: 'usage', usage: {} }, 130), { type: 'loading' }], 150);
    const ends = { isDelta: false, isInProcess: false };
    const step = { role: 'assistant', content: '', thinking: '', graphPath: [], sort: 1, ...ends };
    const sent = { type: 'sent', id: 'q2', text: 'Two?', images: [png], context, time: 90 };
    assert.equal(
      writer.text,
      lines(
        mark({ version: 1, start: 50 }),
        mark({ at: 0, event: { type: 'loading' } }),
        { id: 'h', ...step, thinking: 'Hm.' },
        mark({ at: 10, event: { type: 'finished' } }),
        mark({ at: 20, event: { type: 'loading' } }),
        { id: 'q1', role: 'user', content: 'One?', graphPath: [], ...ends },
        mark({ at: 20, event: { type: 'failed', error } }),
        mark({ at: 40, event: sent }),
        mark({ at: 45 }),
        { id: 'b', ...step, graphPath: ['final'], toolCall: { name: 'svcMeta' } },
        mark({ at: 49, event: { type: 'stopped', messageId: 'q2', service: 'forbidden' } }),
        mark({ at: 49, event: { type: 'named', chatId: 'c' } }),
        mark({ at: 90 }),
      ) +
        'raw\n' +
        lines(
          { id: '__state__', state: {} },
          { id: '__usage__', usage: {} },
          mark({ at: 100, event: { type: 'loading' } }),
        ),
    );
  });

  it('of an empty thread starts now, and ignores more than it can hold', () => {
    const text = 'x'.repeat(20_000_000);
    const writer = new RecordingWriter(emptyThread('t'), 7, () => text);
    const line = { type: 'line', line: { kind: 'aborted', reason: '' }, time: 8 } as const;
    const start = lines(mark({ version: 1, start: 7 }));
    assert.equal(writer.text, start);
    for (const isFull of [false, true, true]) {
      writer.add([line], 8);
      assert.equal(writer.isFull, isFull);
    }
    assert.equal(writer.text.length, start.length + lines(mark({ at: 1 })).length + 2 * (text.length + 1));
  });

  it('starts with the earlier contents of the thread', async () => {
    const before = await record(['revenue by month in 2024']);
    const { thread, text } = await record(['now by region'], before.thread);
    const again = replayed(readRecording(bytes(text), 0));
    const texts = (thread: Thread): unknown[] =>
      flat(thread).map(({ role, content, toolCall, time, outcome }) => [role, content, toolCall, time, outcome]);
    assert.deepEqual(texts(again), texts(thread));
  });

  it('starts with the usage of earlier answers', () => {
    const turn = (id: string, usage?: Usage): Turn => ({
      ...makeTurn({ id, content: id, context }, [makeItem(`${id}-a`, { content: 'Up.' })]),
      ...(usage ? { usage } : {}),
    });
    const thread = { ...emptyThread('t'), turns: [turn('one', { totalTokens: 7 }), turn('two')] };
    const { text } = new RecordingWriter(thread, 0, () => undefined);
    assert.deepEqual(
      replayed(readRecording(bytes(text), 0)).turns.map(({ usage }) => usage),
      [{ totalTokens: 7 }, undefined],
    );
  });

  it('of two windows that asked in one thread has the outcome of each question', () => {
    const turn = (id: string, outcome: TurnOutcome): Turn => ({
      ...makeTurn({ id: `${id}-message`, content: id, context }, [makeItem(id, { content: 'Up.' })]),
      outcome,
    });
    const ends = [{ state: 'done' }, { state: 'stopped', service: 'stopped' }] as const;
    const outcomes = (thread: Thread): unknown[] =>
      flat(thread).map(({ id, content, outcome }) => [id, content, outcome]);
    for (const [first, second] of [ends, ends.toReversed()]) {
      const thread = { ...emptyThread('t'), turns: [turn('1700000000000', first!), turn('1700000000001', second!)] };
      const { text } = new RecordingWriter(thread, 0, () => undefined);
      assert.deepEqual(outcomes(replayed(readRecording(bytes(text), 0))), outcomes(thread));
    }
  });

  it('can be a bare stream, or several concatenated streams', async () => {
    const { raw, thread } = await record(['revenue by month in 2024', 'now by region']);
    const moments = readRecording(bytes(raw.join('\r\n')), 1_700_000_000_000);
    const again = replayed(moments);
    assert.deepEqual(
      flat(again).map(({ content, toolCall }) => [content, toolCall]),
      flat(thread).map(({ content, toolCall }) => [content, toolCall]),
    );
    assert.equal(again.status, 'ready');
    assert.ok((moments.at(-1)?.at ?? 0) >= 1000, 'lines without a time come one after the other');
  });

  const typesOf = (...values: unknown[]): string[] =>
    readRecording(bytes(lines(...values)), 0).map(({ at, event }) =>
      [at, event.type, ...(event.type === 'line' ? [event.line.kind] : [])].join(' '),
    );

  it('without times has a line each 20 milliseconds, and an end where the thread ends', () => {
    const stream = [{ id: '__trace__' }, said('a', 'Up'), { id: '__state__' }, { id: '__usage__' }, said('b', 'x')];
    assert.deepEqual(typesOf(...stream), [
      '0 loading',
      '0 line message',
      '20 line state',
      '20 finished',
      '40 line usage',
      '60 loading',
      '60 line message',
      '60 finished',
    ]);
  });

  it('has the failure that a line reports, without actions', () => {
    assert.deepEqual(typesOf(said('a', 'Up'), { error: 'Out of memory.' }), [
      '0 loading',
      '0 line message',
      '20 failed',
    ]);
    const last = readRecording(bytes(lines(said('a', 'Up'), { error: 'Out of memory.' })), 0).at(-1)?.event;
    assert.deepEqual(last?.type === 'failed' && last.error.actions, []);
  });

  it('keeps the events around a question that was not sent or was resumed', () => {
    const note = (event: object): object => mark({ at: 5, event });
    const error = { kind: 'auth', message: 'No.', actions: ['retry'] };
    const unsent = readRecording(bytes(lines(said('a', 'Up'), note({ type: 'unsent', id: 'q', error }))), 0);
    assert.deepEqual(unsent.at(-1), { at: 5, event: { type: 'unsent', id: 'q', error: { ...error, actions: [] } } });
    const stopped = (messageId: string): object => note({ type: 'stopped', messageId, service: 'stopped' });
    assert.deepEqual(typesOf(said('a', 'x'), note({ type: 'resumed', messageId: 'q' }), stopped('q'), said('b', 'y')), [
      '0 loading',
      '0 line message',
      '5 resumed',
      '5 stopped',
      '5 loading',
      '5 line message',
      '5 finished',
    ]);
    const loaded = [note({ type: 'resumed', messageId: 'q' }), note({ type: 'loading' }), stopped('q'), said('b', 'y')];
    assert.deepEqual(typesOf(...loaded), ['5 resumed', '5 loading', '5 stopped', '5 line message', '5 finished']);
  });

  it('ends an answer at the line that aborts it only if it is a bare stream', () => {
    const aborted = { id: '__aborted__', role: 'assistant' };
    const bare = readRecording(bytes(lines(said('f', 'Up'), aborted)), 0).map(({ event }) => event.type);
    assert.deepEqual(bare, ['loading', 'line', 'line', 'stopped']);
    const sent = { type: 'sent', id: 'q', text: 'Why?', images: [], context, time: 1 };
    const noted = readRecording(bytes(lines(mark({ at: 0, event: sent }), said('f', 'Up'), aborted)), 0);
    assert.deepEqual(
      noted.map(({ event }) => event.type),
      ['sent', 'line', 'line', 'finished'],
    );
    const end = [{ id: '__state__' }, { id: '__usage__', usage: { totalTokens: 9 } }];
    const whole = readRecording(bytes(lines(mark({ at: 0, event: sent }), said('f', 'Up'), ...end)), 0);
    assert.deepEqual(
      whole.map(({ event }) => event.type),
      ['sent', 'line', 'line', 'line', 'finished'],
    );
    const stopped = { type: 'stopped', service: 'stopped' };
    const unnamed = readRecording(bytes(lines(mark({ at: 0, event: sent }), mark({ event: stopped }))), 0);
    assert.deepEqual(
      unnamed.map(({ event }) => event.type),
      ['sent', 'stopped'],
    );
  });

  it('of a stopped answer and an immediate next question has the outcome of both', () => {
    const context = { branch: 'main', isDefaultBranch: true, identity: 'ana' };
    const asked = (id: string): object =>
      mark({ at: 0, event: { type: 'sent', id, text: id, images: [], context, time: 1 } });
    const stopped = (service: string, messageId = 'q1'): object =>
      mark({ at: 0, event: { type: 'stopped', messageId, service } });
    const begun = [asked('q1'), said('a', 'Half'), stopped('pending'), asked('q2'), stopped('stopped')];
    const usage = { id: '__usage__', usage: { totalTokens: 9 } };
    const rest = [
      stopped('stopped', 'unknown'),
      said('b', 'Whole.'),
      usage,
      mark({ at: 0, event: { type: 'finished' } }),
    ];
    for (const end of [rest, rest.slice(0, -1)]) {
      const thread = replayed(readRecording(bytes(lines(...begun, ...end)), 0));
      assert.deepEqual(
        flat(thread).map((item) => [item.content, item.outcome?.state, item.usage?.totalTokens]),
        [
          ['q1', 'stopped', undefined],
          ['Half', undefined, undefined],
          ['q2', 'done', 9],
          ['Whole.', undefined, undefined],
        ],
      );
      assert.equal(thread.status, 'ready');
    }
  });

  it('that was truncated within an answer ends there', () => {
    const thread = replayed(
      readRecording(bytes(lines(said('a', 'Revenue')) + '{"id":"b","role":"assistant","cont'), 0),
    );
    assert.equal(thread.status, 'ready');
    assert.deepEqual(
      flat(thread).map(({ content }) => content),
      ['Revenue'],
    );
  });
});

const withoutActions = (turn: Turn): Turn =>
  turn.outcome?.state === 'failed'
    ? { ...turn, outcome: { ...turn.outcome, error: { ...turn.outcome.error, actions: [] } } }
    : turn;

describe('an invalid recording', () => {
  const refused = (content: Uint8Array): string => {
    try {
      readRecording(content, 0);
    } catch (error) {
      assert.equal((error as Error).name, 'RecordingError');
      return (error as Error).message;
    }
    return assert.fail('it was taken');
  };

  it('is rejected with a message, whatever its content', () => {
    const binary = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256);
    const files = [
      '',
      '\n\n',
      'not json',
      '{}',
      '[]',
      'null',
      lines(mark({ at: 1 })),
      lines({ id: 'x', role: 'admin' }),
      lines({ id: '__cutoff__' }),
    ];
    for (const content of [binary, ...files.map(bytes)])
      assert.match(refused(content), /doesn’t contain a recorded chat/);
  });

  it('is rejected if it would take too long to show', () => {
    const many = Array.from({ length: 6000 }, (_, at) => said(`m${at}`, 'x'));
    assert.match(refused(bytes(lines(...many))), /too large/);
    assert.equal(readRecording(bytes(lines(...many.slice(0, 5000))), 0).length, 5002);
    assert.match(refused(new Uint8Array(MOST_BYTES + 1)), /too large/);
  });

  it('is shown up to the valid part', () => {
    const events = [
      { type: 'sent', id: 'q', text: 1 },
      { type: 'sent', id: 'q', text: 'x', images: [{ mimeType: 1 }], context: {}, time: 0 },
      { type: 'failed', error: 'x' },
      { type: 'stopped', service: '<b>' },
      { type: 'queued', message: null },
      { type: '__proto__' },
      null,
    ];
    const text =
      lines(...events.map((event) => mark({ at: 0, event }))) +
      lines(mark({ at: -5 }), mark({ at: 1e999 }), mark({ start: 'x' }), said('a', 'Still here.')) +
      '\u0000\u0001\n';
    const thread = replayed(readRecording(bytes(text), 5));
    assert.deepEqual(
      flat(thread).map(({ content, time }) => [content, time]),
      [['Still here.', 5]],
    );
  });

  it('has its times clamped to valid dates', () => {
    const context = { branch: 'main', isDefaultBranch: true, identity: 'ana' };
    const asked = (id: string, time: number): object =>
      mark({ at: 0, event: { type: 'sent', id, text: id, images: [], context, time } });
    const text = lines(mark({ start: 1e20 }), asked('q1', 1e20), asked('q2', 5), mark({ at: 1e16 }), said('a', 'x'));
    const far = lines(mark({ start: 8e15, at: 8e15 }), said('b', 'y'));
    const thread = replayed(readRecording(bytes(text + far), 7));
    assert.deepEqual(
      flat(thread).map(({ id, time }) => [id, new Date(time).getTime()]),
      [
        ['q2', 5],
        ['a', 7],
        ['b', 8.64e15],
      ],
    );
  });

  it('offers nothing that would reach the service', () => {
    const error = { kind: 'auth', message: 'No.', actions: ['setApiKey', 'retry'] };
    const context = { branch: 'main', isDefaultBranch: true, identity: 'ana' };
    const asked = { type: 'sent', id: 'q', text: 'x', images: [], context, time: 1 };
    const noted = [asked, { type: 'failed', error }].map((event) => mark({ at: 0, event }));
    const [turn] = replayed(readRecording(bytes(lines(...noted, said('a', 'x'))), 0)).turns;
    assert.deepEqual(turn?.outcome, { state: 'failed', error: { ...error, actions: [] } });
  });

  it("can't be forged by the service: a line with our id is not written", () => {
    const writer = new RecordingWriter(threadOf(), 0, () => lines(mark({ event: { type: 'finished' } })).trim());
    writer.add([{ type: 'line', line: { kind: 'unknown', reason: 'reserved id' }, time: 1 }], 1);
    assert.ok(!writer.text.includes('finished'));
  });
});

describe('a replay', () => {
  const moment = (at: number, id: string): Moment => ({ at, event: { type: 'named', chatId: id } });
  const moments = [moment(0, 'a'), moment(0, 'b'), moment(300, 'c'), moment(90_000, 'd'), moment(90_100, 'e')];

  it('keeps the pace and shortens long pauses', async () => {
    const clock = instantClock();
    const begun = clock.time;
    const seen: unknown[] = [];
    const take = (events: readonly object[]): void => void seen.push([clock.time - begun, events.length]);
    await play(moments, take, clock, new AbortController().signal);
    assert.deepEqual(seen, [
      [0, 2],
      [300, 1],
      [2300, 1],
      [2400, 1],
    ]);
  });

  it('shows many events of one time in slices', async () => {
    const seen: number[] = [];
    const many = Array.from({ length: 1200 }, () => moment(7, 'a'));
    await play(many, (events) => void seen.push(events.length), instantClock(), new AbortController().signal);
    assert.deepEqual(seen, [500, 500, 200]);
  });

  it('shows the rest at once on request', async () => {
    const clock = instantClock();
    const controller = new AbortController();
    let seen = 0;
    const take = (events: readonly object[]): void => {
      seen += events.length;
      if (seen === 3) controller.abort();
    };
    const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
      signal.aborted ? Promise.resolve() : clock.sleep(ms, signal);
    await play(moments, take, { ...clock, now: () => clock.time, sleep }, controller.signal);
    assert.equal(seen, 5);
    assert.deepEqual(clock.waits, [300, 0, 0]);
  });
});

describe('the bundled sample', () => {
  it('has a question that was asked on two branches, which can be compared', () => {
    const sample = readFileSync(join(repoRoot, 'media', 'sample.ndjson'));
    const thread = replayed(readRecording(sample, 0, assert.fail));
    assert.deepEqual(
      Object.values(askedTwice(thread) ?? {}).map(({ question }) => question.context?.branch),
      ['main', 'dev-net-revenue'],
    );
  });
});
