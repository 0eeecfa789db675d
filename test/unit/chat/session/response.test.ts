/** How a response ends. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import { readResponse, type Ending } from '../../../../src/chat/session/response.ts';
import type { ChatRequest, StreamLine } from '../../../../src/shared/wire/streamLines.ts';
import { fakeClient, line, marker, state, untilAborted, usage, type Batch } from '../support/fakeClient.ts';

const ask: ChatRequest = { chatId: 'c', input: 'Why?', messageId: '1-message' };
const read: ChatRequest = { chatId: 'c' };

const running: StreamLine = { kind: 'cutoff', chatId: 'c', isStreaming: true };
const aborted: StreamLine = { kind: 'aborted', reason: '' };
const suspended = (retryable: boolean, reason = ''): StreamLine => ({ kind: 'suspended', reason, retryable });

/** Reads a response of these batches. */
async function responseOf(request: ChatRequest, ...batches: Batch[]) {
  const { client } = fakeClient(() => batches);
  const passed: StreamLine[][] = [];
  const ending = await readResponse({
    ...{ client, request, stallTimeout: 1000, signal: new AbortController().signal },
    onLines: (lines) => void passed.push([...lines]),
  });
  return { ending, passed };
}

const described = (ending: Ending): string =>
  ending instanceof ChatError ? `${ending.kind} ${ending.code ?? ''}`.trim() : ending;

describe('a response', () => {
  const endings: [what: string, request: ChatRequest, lines: StreamLine[], ending: string][] = [
    ['without a last line ends early', ask, [marker, line('a')], 'stalled ENDED_EARLY'],
    ['that is empty ends early', read, [], 'stalled ENDED_EARLY'],
    ['with the state of the thread is complete', ask, [marker, line('a'), state], 'complete'],
    ['with the state of a running thread is complete', ask, [running, state], 'complete'],
    ['that was aborted says so', ask, [marker, aborted, usage], 'aborted'],
    ['that is suspended for now can be continued', ask, [marker, suspended(true)], 'stalled SUSPENDED'],
    ['that is suspended for good has failed', ask, [marker, suspended(false)], 'stream SUSPENDED'],
    ['with a suspended thread is complete if it was only read', read, [marker, suspended(true)], 'complete'],
    ['with a finished thread is complete', read, [marker, state], 'complete'],
    ['without a marker is that of a finished thread', read, [line('a'), state], 'complete'],
    ['with a thread that is still answering is not its end', read, [running, state], 'busy'],
    ['with a thread that is still answering may also end early', read, [running], 'stalled ENDED_EARLY'],
  ];
  for (const [what, request, lines, expected] of endings)
    it(what, async () => {
      for (const batches of [[lines], lines.map((each) => [each])]) {
        const { ending, passed } = await responseOf(request, ...batches);
        assert.equal(described(ending), expected);
        assert.deepEqual(passed.flat(), lines);
      }
    });

  it('has the reason why it was suspended, or a general one', async () => {
    for (const [reason, message] of [
      ['Later.', 'Later.'],
      ['', 'The service paused this answer.'],
    ] as const) {
      const { ending } = await responseOf(ask, [suspended(true, reason)]);
      assert.equal(ending instanceof ChatError && ending.message, message);
    }
  });

  it('has only usage after it was suspended or aborted', async () => {
    for (const [last, expected] of [
      [suspended(true), 'stalled SUSPENDED'],
      [aborted, 'aborted'],
    ] as const) {
      const { ending, passed } = await responseOf(ask, [last, line('a'), state], [usage, line('b')]);
      assert.deepEqual([described(ending), passed.flat()], [expected, [last, usage]]);
    }
  });

  it('that fails is lost, unless it was complete', async () => {
    const failure = new ChatError('server', 'down');
    assert.equal(described((await responseOf(ask, [marker, line('a')], failure)).ending), 'server');
    assert.equal(described((await responseOf(ask, [marker, state], failure)).ending), 'complete');
    assert.equal(described((await responseOf(ask, [aborted], failure)).ending), 'aborted');
  });

  it('passes lines on at once, and those of a thread that is only read in growing batches', async () => {
    const batches = ['a', 'b', 'c', 'd', 'e'].map((id) => [line(id)]);
    const sizes = async (request: ChatRequest, first: StreamLine): Promise<number[]> =>
      (await responseOf(request, [first], ...batches)).passed.map(({ length }) => length);
    assert.deepEqual(await sizes(ask, marker), [1, 1, 1, 1, 1, 1]);
    assert.deepEqual(await sizes(read, running), [1, 1, 1, 1, 1, 1]);
    assert.deepEqual(await sizes(read, marker), [1, 1, 2, 2]);
    const { passed } = await responseOf(read, [marker], [line('a')], [line('b')], [state], [line('c')]);
    assert.deepEqual(
      passed.map(({ length }) => length),
      [1, 1, 2, 1],
    );
  });
});

describe('a complete response that is not closed', () => {
  afterEach(() => mock.timers.reset());

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const after =
    (ms: number, ...lines: StreamLine[]) =>
    () =>
      new Promise<StreamLine[]>((resolve) => setTimeout(() => resolve(lines), ms));

  it('leaves no timer behind, which would keep the process running', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await settle();
    const before = timers();
    await responseOf(ask, [marker, line('a'), state], [usage]);
    assert.equal(timers(), before);
  });

  for (const [what, batches, milliseconds] of [
    ['is left after a second', [[marker, line('a'), state], untilAborted], 1000],
    ['is read on for a second after each item', [[state], after(900, line('a')), untilAborted], 1900],
    ['is not read on for its usage', [[state], after(900, usage), untilAborted], 1000],
  ] as const)
    it(what, async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      let ending: Ending | undefined;
      const reading = responseOf(ask, ...(batches as unknown as Batch[])).then(
        (response) => (ending = response.ending),
      );
      for (let time = 0; time < milliseconds; time += 100) {
        await settle();
        assert.equal(ending, undefined, `after ${time} ms`);
        mock.timers.tick(100);
      }
      await reading;
      assert.equal(ending, 'complete');
    });
});
