/** Which lines prove that the service has a question, so that it is asked for the answer again after a failure. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ChatError } from '../../../../src/api/errors.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import type { StreamLine } from '../../../../src/shared/wire/streamLines.ts';
import { fakeClient, line, marker, state, usage, user } from '../support/fakeClient.ts';
import { context, instantClock, message, open, outcomeOf } from '../support/sessions.ts';

/** Lines of the response to a question, or to a request that only reads the thread; `asked` is the question's id. */
type Said = [what: string, action: 'ask' | 'read', lines: (asked: string) => StreamLine[]];

const running: StreamLine = { kind: 'cutoff', chatId: 'c', isStreaming: true };

const accepted: Said[] = [
  ['its echo', 'ask', (asked) => [user(asked, 'Why?')]],
  ['its text under another id after the marker', 'ask', () => [marker, user('x', 'Why?')]],
  ['a delta', 'ask', () => [line('a', { isDelta: true })]],
  ['an answer after the marker', 'ask', () => [marker, line('a')]],
  ['the marker of a thread that is only read', 'read', () => [marker]],
  ['an item of a thread that is only read', 'read', () => [line('a')]],
];
const unproven: Said[] = [
  ['the marker', 'ask', () => [marker]],
  ['an older answer', 'ask', () => [user('p', 'Before?'), line('a')]],
  [
    'another client’s unfinished answer before the marker',
    'ask',
    () => [user('p', 'Before?'), line('a', { isInProcess: true }), running],
  ],
  ['an older question of the same text', 'ask', () => [user('x', 'Why?')]],
  ['another question after the marker', 'ask', () => [marker, user('x', 'What?')]],
  ['usage', 'ask', () => [marker, usage]],
  ['usage of a thread that is only read', 'read', () => [usage]],
];

describe('a request', () => {
  for (const [list, requests] of [
    [accepted, 2],
    [unproven, 1],
  ] as const)
    for (const [what, action, lines] of list)
      it(`is ${requests > 1 ? '' : 'not '}repeated if a gateway fails after ${what}`, async () => {
        const fake = fakeClient(({ messageId = '' }, index) =>
          index === 0
            ? [lines(messageId), [usage, { kind: 'unknown', reason: 'x' }], new ChatError('protocol', 'x')]
            : [new ChatError('auth', 'x')],
        );
        const connect = () => Promise.resolve({ client: fake.client, context, stallTimeout: 1000 });
        const thread = { ...emptyThread('t'), chatId: 'c' };
        const { session, unsent } = open({ url: '', thread, connect, clock: instantClock() });
        await (action === 'ask' ? session.send(message('Why?')) : session.load());
        assert.equal(fake.requests.length, requests);
        assert.equal(unsent.length, action === 'ask' && requests === 1 ? 1 : 0);
      });

  it('keeps its question if its answer was suspended for good, whatever else was said', async () => {
    const fake = fakeClient(() => [[{ kind: 'suspended', reason: '', retryable: false }]]);
    const connect = () => Promise.resolve({ client: fake.client, context, stallTimeout: 1000 });
    const { session, unsent } = open({ url: '', connect, clock: instantClock() });
    await session.send(message('Why?'));
    assert.deepEqual([fake.requests.length, unsent, outcomeOf(session)], [1, [], 'failed']);
  });

  it('is repeated if its answer was suspended, whatever else was said', async () => {
    const suspended: StreamLine = { kind: 'suspended', reason: '', retryable: true };
    const fake = fakeClient((_, index) =>
      index < 9 ? [[suspended]] : [[marker, line('a', { graphPath: ['final'] }), state]],
    );
    const connect = () => Promise.resolve({ client: fake.client, context, stallTimeout: 1000 });
    const { session, unsent } = open({ url: '', connect, clock: instantClock() });
    await session.send(message('Why?'));
    assert.deepEqual([fake.requests.filter(({ input }) => input).length, unsent], [10, []]);
  });
});
