import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { StopOutcome, ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { reduce } from '../../../../src/shared/thread/reducer.ts';
import {
  completenessOf,
  findSql,
  generatedSql,
  shownTurns,
  titleOf,
  type ShownTurn,
} from '../../../../src/shared/thread/turns.ts';
import { delta, finished, sent, threadOf, tool, tools, whole } from '../support/threads.ts';

const final = (id: string, content: string, graphPath = ['final']): ThreadEvent => whole(id, content, { graphPath });
const turn = (...events: ThreadEvent[]): ShownTurn => {
  const [only, more] = shownTurns(threadOf(sent(), ...events));
  assert.ok(only && !more);
  return only;
};
const texts = ({ steps, answer }: ShownTurn): string[] =>
  [...steps, ...(answer ? [answer] : [])].map(({ content }) => content);

describe('the final answer (3.4)', () => {
  it('is the last assistant line whose path starts with “final” and has at most two nodes', () => {
    const { answer, steps } = turn(
      whole('a', 'I look'),
      final('f1', 'First'),
      final('f2', 'Second', ['final', 'summary']),
      final('f3', 'Too deep', ['final', 'a', 'b']),
      finished,
    );
    assert.equal(answer?.id, 'f2');
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['a', 'f1', 'f3'],
    );
  });

  it('is not a user line, and not from elsewhere in the graph', () => {
    const { answer } = turn(
      final('f', 'Yes'),
      whole('x', 'later', { graphPath: ['svc_data_analyst_agent', 'final'] }),
      finished,
    );
    assert.equal(answer?.id, 'f');
  });

  it('falls back to the last complete text without a tool call', () => {
    const { answer, steps } = turn(
      whole('a', 'I look'),
      tool('q', { toolCall: { name: 'svcSqlApi', result: '{}' } }),
      whole('b', 'It grew'),
      finished,
    );
    assert.equal(answer?.id, 'b');
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['a', 'q'],
    );
    assert.equal(turn(whole('a', 'It grew'), tool('q'), finished).answer?.id, 'a');
  });

  it('is not an intermediate text that a tool call has followed', () => {
    assert.equal(turn(whole('a', 'I look'), tool('q')).answer, undefined);
    assert.equal(turn(whole('a', 'I look')).answer?.id, 'a');
  });

  it('is shown once if the final line repeats the streamed text', () => {
    assert.deepEqual(texts(turn(whole('a', 'It grew.'), final('f', 'It grew.'), finished)), ['It grew.']);
    assert.deepEqual(texts(turn(whole('a', 'It grew. '), final('f', '\nIt grew.'), finished)), ['\nIt grew.']);
  });

  it('is shown once while the final line is still repeating it', () => {
    const streaming = [whole('a', 'It grew.'), delta('f', 'It ', { graphPath: ['final'] })];
    assert.deepEqual(texts(turn(...streaming)), ['It grew.']);
    const further = delta('f', 'grew. Much.', { graphPath: ['final'] });
    assert.equal(turn(...streaming, further).answer?.content, 'It grew. Much.');
  });

  it('keeps the thinking of a message whose text it repeats', () => {
    const { steps } = turn(whole('a', 'It grew.', { thinking: 'Hm' }), final('f', 'It grew.'), finished);
    assert.deepEqual(
      steps.map(({ thinking }) => thinking),
      ['Hm'],
    );
  });
});

describe('turns', () => {
  it('show the outcome of an earlier stop that arrives while the next answer is read', () => {
    const [first, second] = ['1700000000000-message', '1700000000001-message'];
    const stopped = (service: StopOutcome): ThreadEvent => ({ type: 'stopped', messageId: first, service });
    const thread = threadOf(sent('one?', first), stopped('pending'), sent('two?', second), delta('a', 'Two'));
    assert.deepEqual(shownTurns(thread)[0]?.outcome, { state: 'stopped', service: 'pending' });
    const [turn] = shownTurns(reduce(thread, stopped('forbidden')));
    assert.deepEqual(turn?.outcome, { state: 'stopped', service: 'forbidden' });
  });

  it('keep their identity while nothing in them changes', () => {
    const before = threadOf(sent('one', '1700000000001-message'), final('f', 'x'), finished);
    const after = threadOf(sent('one', '1700000000001-message'), final('f', 'x'), finished);
    assert.equal(shownTurns(before)[0], shownTurns({ ...before })[0]);
    assert.notEqual(shownTurns(before)[0], shownTurns(after)[0]);
  });

  it('start with one question each, and items before the first have their own turn', () => {
    const thread = threadOf(
      whole('h', 'earlier'),
      sent('one', '1700000000001-message'),
      sent('two', '1700000000002-message'),
    );
    assert.deepEqual(
      shownTurns(thread).map(({ question }) => question?.content),
      [undefined, 'one', 'two'],
    );
  });

  it('know how complete an answer is', () => {
    assert.equal(completenessOf(threadOf(sent())), 'open');
    assert.equal(completenessOf(threadOf(sent(), delta('a', 'x'))), 'open');
    assert.equal(completenessOf(threadOf(sent(), whole('a', 'x'))), 'plausible');
    assert.equal(completenessOf(threadOf(sent(), final('f', 'x'))), 'whole');
    assert.equal(completenessOf(threadOf(sent(), final('f', 'x'), tool('q'))), 'open');
  });

  it('list the SQL of the thread with its questions', () => {
    const query = (id: string, sqlQuery: string): ThreadEvent =>
      tool(id, { graphPath: tools, toolCall: { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery }) } });
    const thread = threadOf(sent('one'), query('q1', 'SELECT 1'), query('q2', ''), query('q3', 'SELECT 3'));
    const found = generatedSql(thread).map(({ toolCallId, question }) => [toolCallId, question?.content]);
    assert.deepEqual(found, [
      ['q1', 'one'],
      ['q3', 'one'],
    ]);
  });
});

describe('the default title of a thread', () => {
  const titled = (...texts: string[]): string =>
    titleOf(threadOf(...texts.flatMap((text, at) => [sent(text, `q${at}`), finished])));

  it('is its first question with text, on one line', () => {
    assert.equal(titled(' \n', 'Revenue\n by  month?', 'And by day?'), 'Revenue by month?');
    assert.equal(titled(' '), '');
  });

  it('is truncated between words, or within a long word but not within a character', () => {
    assert.equal(titled('word '.repeat(16).trim()), 'word '.repeat(16).trim());
    assert.equal(titled('words '.repeat(20)), `${'words '.repeat(13).trim()}…`);
    assert.equal(titled('a'.repeat(79) + '🙂🙂'), `${'a'.repeat(79)}…`);
    assert.equal(titled('short ' + 'a'.repeat(99)), `short ${'a'.repeat(74)}…`);
  });
});

describe('the SQL to insert', () => {
  it('is that of the given query, or the last of the thread', () => {
    const query = (id: string): ThreadEvent =>
      tool(id, { toolCall: { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery: `SELECT ${id}` }), result: '{}' } });
    const thread = threadOf(sent(), query('a'), query('b'), finished);
    assert.deepEqual(
      [undefined, 'a', 'none'].map((id) => findSql(thread, id)?.payload.sqlQuery),
      ['SELECT b', 'SELECT a', undefined],
    );
  });
});
