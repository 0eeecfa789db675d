import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { StopOutcome, ThreadEvent } from '../../../../src/shared/thread/model.ts';
import { emptyThread } from '../../../../src/shared/thread/model.ts';
import { reduce } from '../../../../src/shared/thread/reducer.ts';
import {
  askedTwice,
  completenessOf,
  currentTurn,
  findSql,
  generatedSql,
  isRunning,
  sessionWith,
  shownTurns,
  titleOf,
  type ShownTurn,
} from '../../../../src/shared/thread/turns.ts';
import { delta, finished, QUESTION, sent, threadOf, tool, tools, whole } from '../support/threads.ts';

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

  it('is neither blank nor the text of a tool call', () => {
    const spoken = tool('q', { content: 'It grew.', toolCall: { name: 'svcMeta', result: '{}' } });
    assert.equal(turn(spoken, finished).answer, undefined);
    assert.equal(turn(whole('a', ' '), finished).answer, undefined);
    assert.equal(turn(whole('a', 'It grew.'), final('f', ' '), finished).answer?.id, 'a');
    const { steps, answer } = turn(spoken, final('f', 'It grew.'), finished);
    assert.deepEqual([steps.map(({ id }) => id), answer?.id], [['q'], 'f']);
  });

  it('is not a step too, although it has thinking', () => {
    const { steps, answer } = turn(whole('f', 'Yes', { graphPath: ['final'], thinking: 'Hm' }), finished);
    assert.deepEqual([steps, answer?.thinking], [[], 'Hm']);
  });

  it('of an earlier question is complete while the next one is answered', () => {
    const first = [sent('one?', '1700000000000-message'), whole('a', 'One.'), tool('q'), finished];
    const [one] = shownTurns(threadOf(...first, sent('two?', '1700000000001-message'), delta('b', 'T')));
    assert.equal(one?.answer?.id, 'a');
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
    for (const thread of [emptyThread('t'), threadOf(sent())]) assert.equal(completenessOf(thread), 'open');
    assert.equal(completenessOf(threadOf(sent(), delta('a', 'x'))), 'open');
    assert.equal(completenessOf(threadOf(sent(), whole('a', 'x'))), 'plausible');
    assert.equal(completenessOf(threadOf(sent(), final('f', 'x'))), 'whole');
    assert.equal(completenessOf(threadOf(sent(), final('f', 'x'), tool('q'))), 'open');
    const lost: ThreadEvent = { type: 'failed', error: { kind: 'network', message: 'No.', actions: [] } };
    const resumed: ThreadEvent = { type: 'resumed', messageId: QUESTION };
    assert.equal(completenessOf(threadOf(sent(), delta('a', 'x'), lost, resumed, final('f', 'x'))), 'open');
  });

  it('have a current one: that of the running question, or the last one of a thread that was read', () => {
    const thread = threadOf(sent('one', 'q1'), finished, sent('two', 'q2'), finished);
    assert.deepEqual(
      [{ ...thread, messageId: 'q1' }, { ...thread, messageId: undefined }, emptyThread('t')].map(
        (each) => currentTurn(each)?.id,
      ),
      ['q1', 'q2', undefined],
    );
  });

  it('are running from the request on', () => {
    const states = [threadOf(), threadOf(sent()), threadOf(sent(), delta('a', 'x')), threadOf(sent(), finished)];
    assert.deepEqual(states.map(isRunning), [false, true, true, false]);
  });

  it('list the SQL of the thread with its questions', () => {
    const query = (id: string, sqlQuery: string): ThreadEvent =>
      tool(id, { graphPath: tools, toolCall: { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery }) } });
    const others = [whole('a', 'x'), tool('m', { toolCall: { name: 'svcMeta', input: '{}' } })];
    const thread = threadOf(sent('one'), query('q1', 'SELECT 1'), query('q2', ''), query('q3', 'SELECT 3'), ...others);
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

  it('is what was typed below attached texts, or else the title of the first of them', () => {
    const [file, sql] = ['About orders.yml:\n```yaml\na: 1\n\nb: 2\n```\n', 'Revenue\n````sql\n```\n\n````\n'];
    assert.equal(titled(`${file}\n${sql}\nWhat is b?`), 'What is b?');
    assert.equal(titled(`${file}\n${sql}`.trim()), 'About orders.yml:');
    assert.equal(titled('Why?\n```\nx\n```\nIt worked.'), 'Why? ``` x ``` It worked.');
    assert.equal(titled('Why?\n```\nx'), 'Why? ``` x');
  });

  it('is truncated between words, or within a long word but not within a character', () => {
    assert.equal(titled('word '.repeat(16).trim()), 'word '.repeat(16).trim());
    assert.equal(titled('words '.repeat(20)), `${'words '.repeat(13).trim()}…`);
    assert.equal(titled('a'.repeat(79) + '🙂🙂'), `${'a'.repeat(79)}…`);
    assert.equal(titled('short ' + 'a'.repeat(99)), `short ${'a'.repeat(74)}…`);
    assert.equal(titled('a'.repeat(80)), 'a'.repeat(80));
    assert.equal(titled(`${'a'.repeat(40)} ${'b'.repeat(50)}`), `${'a'.repeat(40)} ${'b'.repeat(39)}…`);
    assert.equal(titled(`${'a'.repeat(41)} ${'b'.repeat(50)}`), `${'a'.repeat(41)}…`);
  });
});

describe('the SQL to insert', () => {
  it('is that of the given query, or the last of the thread', () => {
    const query = (id: string): ThreadEvent =>
      tool(id, { toolCall: { name: 'svcSqlApi', input: JSON.stringify({ sqlQuery: `SELECT ${id}` }), result: '{}' } });
    const thread = threadOf(sent(), query('a'), query('b'), query('c'), finished);
    assert.deepEqual(
      [undefined, 'a', 'none'].map((id) => findSql(thread, id)?.payload.sqlQuery),
      ['SELECT c', 'SELECT a', undefined],
    );
  });

  it('belongs to the thread that has this very result, although others have its id', () => {
    const query = (sqlQuery: string): ThreadEvent =>
      tool('q', { toolCall: { name: 'svcSqlApi', input: { sqlQuery } } });
    const sessions = ['SELECT 1', 'SELECT 2', 'SELECT 2'].map((sql) => ({
      thread: threadOf(sent('why?', 'q0'), finished, sent(), whole('a', 'x'), query(sql), finished),
    }));
    assert.equal(sessionWith(sessions, findSql(sessions[1]!.thread)!), sessions[1]);
    assert.equal(sessionWith(sessions.slice(0, 1), findSql(sessions[1]!.thread)!), undefined);
    assert.equal(sessionWith(sessions, { ...findSql(sessions[1]!.thread)!, toolCallId: 'a' }), undefined);
  });
});

describe('a question that was asked twice', () => {
  const asked = (id: string, text: string, branch: string, identity = 'dev'): ThreadEvent[] => [
    { type: 'sent', id, text, images: [], context: { branch, isDefaultBranch: false, identity }, time: 1 },
    finished,
  ];
  const pair = (...events: ThreadEvent[][]): unknown => {
    const { earlier, later } = askedTwice(threadOf(...events.flat())) ?? {};
    return [earlier?.id, later?.id];
  };

  it('is the latest one that was asked before elsewhere, with the latest of these', () => {
    const one = asked('1', 'a?', 'main');
    const two = asked('2', 'a?', 'beta');
    assert.deepEqual(pair(one, two), ['1', '2']);
    assert.deepEqual(pair(one, asked('2', 'a?', 'main', 'eu')), ['1', '2']);
    assert.deepEqual(pair(one, two, asked('3', 'a?', 'main')), ['2', '3']);
    assert.deepEqual(pair(one, two, asked('3', 'a?', 'beta')), ['1', '3']);
    assert.deepEqual(pair(one, two, asked('3', 'b?', 'main')), ['1', '2']);
  });

  it('does not exist if a question, its branch or its identity is missing', () => {
    const none = [undefined, undefined];
    assert.deepEqual(pair(), none);
    assert.deepEqual(pair(asked('1', 'a?', 'main'), asked('2', 'a?', 'main')), none);
    assert.deepEqual(pair(asked('1', 'a?', 'main'), asked('2', 'b?', 'beta')), none);
    const elsewhere = [whole('u', 'a?', { role: 'user' }), finished];
    assert.deepEqual(pair([{ type: 'loading' }, ...elsewhere], asked('2', 'a?', 'beta')), none);
    assert.deepEqual(pair([{ type: 'loading' }, whole('h', 'earlier'), finished]), none);
  });
});
