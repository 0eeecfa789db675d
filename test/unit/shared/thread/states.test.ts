/** What events other than lines change in a thread. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyThread, type Thread, type ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { reduceAll } from '../../../../src/shared/thread/reducer.ts';
import { makeItem, makeTurn } from '../../../support/item.ts';

const error = { kind: 'server', message: 'No.', actions: [] };
const turn = makeTurn({ id: 'q', content: 'Why?' }, [makeItem('a', { content: 'Up', inProcess: true })]);
const thread: Thread = { ...emptyThread('t'), messageId: 'q', turns: [turn, makeTurn({ id: 'r' })] };
const after = (...events: ThreadEvent[]): Thread => reduceAll(thread, events);

describe('an event', () => {
  it('gives the thread its id, or an attempt to reconnect', () => {
    assert.deepEqual(after({ type: 'named', chatId: 'c' }), { ...thread, chatId: 'c' });
    const reconnecting = { type: 'reconnecting', attempt: 2 } as const;
    assert.deepEqual(after(reconnecting).reconnecting, { attempt: 2 });
    assert.deepEqual(after({ ...reconnecting, until: 9 }).reconnecting, { attempt: 2, until: 9 });
    assert.equal(after(reconnecting, { type: 'finished' }).reconnecting, undefined);
  });

  it('attaches again to a question, whose answer may have begun', () => {
    const attached = (status: Thread['status']): unknown[] => {
      const next = reduceAll({ ...thread, status, error }, [{ type: 'attached' }]);
      return [next.status, next.messageId, next.response?.asked?.id, next.error];
    };
    assert.deepEqual(attached('streaming'), ['streaming', 'q', 'q', undefined]);
    for (const status of ['ready', 'submitted', 'error'] as const)
      assert.deepEqual(attached(status), ['submitted', 'q', 'q', undefined]);
    assert.deepEqual(after({ type: 'resumed', messageId: 'r' }).messageId, 'r');
  });

  it('stops the running question, or an earlier one without ending the running one', () => {
    const stop = (messageId: string | undefined): ThreadEvent => ({ type: 'stopped', messageId, service: 'stopped' });
    const outcome = { state: 'stopped', service: 'stopped' };
    const running: Thread = { ...thread, status: 'streaming' };
    const states = (event: ThreadEvent): unknown[] => {
      const { status, turns } = reduceAll(running, [event]);
      return [status, ...turns.map((each) => each.outcome), turns[0]?.items[0]?.inProcess];
    };
    for (const id of ['q', undefined]) assert.deepEqual(states(stop(id)), ['ready', outcome, undefined, false]);
    assert.deepEqual(states(stop('r')), ['streaming', undefined, outcome, true]);
    assert.deepEqual(states(stop('unknown')), ['streaming', undefined, undefined, true]);
  });

  it('ends a failed question with a partial answer, and a read thread with an error', () => {
    const failed = after({ type: 'failed', error });
    assert.deepEqual(
      [failed.status, failed.turns[0]?.outcome, failed.error],
      ['error', { state: 'failed', error }, undefined],
    );
    assert.equal(failed.turns[0]?.items[0]?.partial, true);
    assert.equal(after({ type: 'finished' }).turns[0]?.items[0]?.partial, undefined);
    const read = after({ type: 'loading' }, { type: 'failed', error });
    assert.deepEqual([read.status, read.error, read.turns[0]?.outcome], ['error', error, undefined]);
  });

  it('removes a question that was not sent, and keeps the others', () => {
    const { turns, messageId, status, error: shown } = after({ type: 'unsent', id: 'q', error });
    assert.deepEqual([turns.map(({ id }) => id), messageId, status, shown], [['r'], undefined, 'error', error]);
  });

  it('adds and removes queued messages', () => {
    const message = (id: string) => ({ id, text: id, images: [] });
    const queued = after({ type: 'queued', message: message('a') }, { type: 'queued', message: message('b') });
    assert.deepEqual(queued.queue, [message('a'), message('b')]);
    assert.deepEqual(reduceAll(queued, [{ type: 'unqueued', id: 'a' }]).queue, [message('b')]);
  });
});
