/** What is read from the service after an answer whose lines may be incomplete. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { backfill } from '../../../../src/chat/session/backfill.ts';
import { emptyThread, type Thread, type ThreadEvent, type Turn } from '../../../../src/shared/thread/model.ts';
import { reduceAll } from '../../../../src/shared/thread/reducer.ts';
import { turnsOf } from '../../../../src/shared/thread/turns.ts';
import { isItemLine, type ChatRequest, type StreamLine } from '../../../../src/shared/wire/streamLines.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';
import { fakeClient, line, marker, state, usage, user, type Batch } from '../support/fakeClient.ts';
import { instantClock } from '../support/sessions.ts';

const held = makeTurn({ id: 'q', content: 'Why?' }, [makeItem('a', { content: 'Up' })]);
const threadWith = (turn = held): Thread => ({ ...emptyThread('t'), chatId: 'c', messageId: 'q', turns: [turn] });

interface Filled {
  /** Ids of the applied lines; undefined if nothing was applied. */
  lines: string[] | undefined;
  /** The thread with them. */
  turns: readonly Turn[];
  requests: ChatRequest[];
  waits: number[];
}

async function filled(
  responses: readonly (readonly Batch[])[],
  { thread = threadWith(), controller = new AbortController() } = {},
): Promise<Filled> {
  const { client, requests } = fakeClient((_, index) => responses[index] ?? []);
  const clock = instantClock();
  let lines: string[] | undefined;
  let turns: readonly Turn[] = [];
  const host = {
    ...{ thread, clock },
    dispatch: ([first, ...events]: readonly ThreadEvent[]) => {
      assert.deepEqual(first, { type: 'attached' });
      turns = turnsOf(reduceAll(thread, [first, ...events]));
      lines = events.flatMap((event) => {
        assert.ok(event.type === 'line' && event.time === clock.time && isItemLine(event.line));
        return [event.line.id];
      });
    },
  };
  const connection = { client, stallTimeout: 1000, context: { branch: 'dev', isDefaultBranch: false, identity: '' } };
  await backfill(host, connection, controller.signal);
  return { lines, turns, requests, waits: clock.waits };
}

describe('the backfill', () => {
  it('applies the messages of the thread, without its other lines', async () => {
    const first = [marker, usage, user('p', 'Before?'), line('z')];
    const { lines, requests } = await filled([[first, [user('q', 'Why?'), line('a'), line('b'), state]]]);
    assert.deepEqual(lines, ['p', 'z', 'q', 'a', 'b']);
    assert.deepEqual(requests, [{ chatId: 'c', activeBranchName: 'dev', isDefaultBranch: false }]);
  });

  it('leaves an answer that is running for another client to its question', async () => {
    const next = line('c', { isInProcess: true });
    const live = [line('c', { isDelta: true, isInProcess: true }), line('d'), line('e', { isDelta: true })];
    const read = [user('q', 'Why?'), line('a'), line('b'), user('p', 'What?'), next];
    const running: StreamLine = { kind: 'cutoff', chatId: 'c', isStreaming: true };
    for (const batches of [
      [[...read, running], live, [state]],
      [[running, ...read], live, [state]],
    ]) {
      const { turns, requests } = await filled([batches]);
      assert.equal(requests.length, 1);
      assert.deepEqual(
        turns.map(({ items }) => items.map(({ id }) => id)),
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
      );
    }
  });

  it('does not apply an answer under other ids, which would show it twice', async () => {
    const other = [[[user('q', 'Why?'), line('x'), state]]];
    assert.equal((await filled(other)).lines, undefined);
    assert.deepEqual((await filled(other, { thread: threadWith(makeTurn({ id: 'q' })) })).lines, ['q', 'x']);
  });

  it('finds the turn by its question or its echo, and nothing without them', async () => {
    const echoed = { ...held, question: { ...held.question!, echo: 'e' } };
    const renamed = [[[user('e', 'What?'), line('a'), state]]];
    assert.deepEqual((await filled(renamed, { thread: threadWith(echoed) })).lines, ['e', 'a']);
    assert.equal((await filled(renamed)).lines, undefined);
    assert.equal((await filled(renamed, { thread: emptyThread('t') })).lines, undefined);
  });

  it('is tried three times, with what the last try read', async () => {
    const lost = [[user('q', 'Why?'), line('b')], new Error('reset')];
    const whole = [[user('q', 'Why?'), line('a'), state]];
    const third = await filled([lost, lost, whole]);
    assert.deepEqual(
      [third.lines, third.waits],
      [
        ['q', 'a'],
        [450, 900],
      ],
    );
    const early = [[user('q', 'Why?'), line('b')]];
    assert.deepEqual((await filled([early, whole])).lines, ['q', 'a'], 'also if a response ends early');
    assert.equal((await filled([lost, lost, lost, whole])).requests.length, 3);
    assert.equal((await filled([[[{ kind: 'aborted', reason: '' }]], whole])).requests.length, 1);
  });

  it('reads nothing without a thread id or after a stop', async () => {
    const controller = new AbortController();
    controller.abort();
    for (const options of [{ thread: { ...threadWith(), chatId: undefined } }, { controller }]) {
      const { lines, requests } = await filled([[[user('q', 'Why?'), line('a'), state]]], options);
      assert.deepEqual([lines, requests], [undefined, []]);
    }
  });
});
