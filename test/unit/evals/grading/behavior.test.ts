/** Rules about how the agent answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import type { Behavior, TestQuestion } from '../../../../src/evals/question.ts';
import { inTurn, five, run, six } from '../matrix/support.ts';
import { answerOf, questionNamed } from '../support.ts';

const rule = (behavior: Partial<Behavior>, fields: Partial<TestQuestion> = {}): TestQuestion =>
  questionNamed('a', { expectedSql: undefined, behavior: { uses: [], avoids: [], ...behavior }, ...fields });
const saying = (text: string): Answer => ({ ...answerOf(), text });
const running = (...queries: string[]): Answer => answerOf(...queries.map((sql) => ({ sql, table: five })));
const failing = answerOf({ sql: 'SELECT orders.net FROM orders', error: 'denied' });

async function gradeOf(
  question: TestQuestion,
  answer: Answer,
  options: Parameters<typeof run>[1] = {},
): Promise<string> {
  const { first } = await run([question], { ask: () => Promise.resolve(answer), ...options });
  return first.message === '' ? first.status : `${first.status}: ${first.message}`;
}

describe('a rule of behavior', () => {
  it('that expects a question passes if the answer ends in one, and no query ran', async () => {
    const asksBack = rule({ asksBack: true });
    for (const text of [
      'Which measure do you mean?',
      'Sure. **Which one?** \n',
      'どの指標ですか？',
      '(Net or gross?)',
      'Which measure?\n\n- revenue\n- profit\n',
      'Which measure?\n1. revenue\n2. profit',
      'Choose:\n- revenue?\n- profit?',
      'Which measure?\n- revenue,\n  without tax\n- profit',
      'Which measure? 😊',
      'どの指標ですか？👩🏽\u200d💻',
      'Really all of them?!',
    ])
      assert.equal(await gradeOf(asksBack, saying(text)), 'passed', text);
    for (const text of [
      '',
      'Revenue was 5.',
      'Revenue was 5;',
      'Which one? I took net.',
      '- revenue\n- profit',
      'What? Yes.\n- a',
      'What? Yes! ✅',
    ])
      assert.equal(await gradeOf(asksBack, saying(text)), 'failed: The answer doesn’t end in a question.', text);
    for (const answer of [
      { ...running('SELECT 1'), text: 'Which one?' },
      { ...failing, text: 'Which one?' },
    ])
      assert.equal(await gradeOf(asksBack, answer), 'failed: The agent ran a query.');
  });

  it('that expects no query passes whatever the text, and fails if a query ran or failed', async () => {
    const noQuery = rule({ noQuery: true });
    assert.equal(await gradeOf(noQuery, saying('I can’t delete anything.')), 'passed');
    for (const answer of [running('SELECT 1'), failing])
      assert.equal(await gradeOf(noQuery, answer), 'failed: The agent ran a query.');
  });

  it('about members names those that the SQL lacks, or should avoid', async () => {
    const net = rule({ uses: ['orders.net'], avoids: ['orders.gross'] });
    const sql = 'SELECT net FROM orders';
    assert.equal(await gradeOf(net, running(sql)), 'passed');
    assert.equal(await gradeOf(net, running('SELECT 1 FROM x', sql)), 'passed');
    assert.equal(await gradeOf(net, running('SELECT count FROM orders')), 'failed: The SQL doesn’t use “orders.net”.');
    const both = running(sql, 'SELECT orders.gross FROM orders');
    assert.equal(await gradeOf(net, both), 'failed: The SQL uses “orders.gross”.');
  });

  it('about members is for review without any query, and fails if each query failed', async () => {
    const net = rule({ uses: ['orders.net'] });
    assert.equal(await gradeOf(net, saying('Revenue was 5.')), 'review: The agent ran no query.');
    assert.equal(await gradeOf(net, failing), 'failed: The agent’s query failed: denied');
  });

  it('about members holds in addition to an expected result', async () => {
    const question = rule({ uses: ['orders.net'] }, { expectedSql: { sql: 'SELECT 5' } });
    const answer = running('SELECT net FROM orders');
    assert.equal(await gradeOf(question, answer), 'passed');
    assert.match(await gradeOf(question, answer, { runSql: () => Promise.resolve(six) }), /^failed: 1 of 1 row/);
    assert.match(await gradeOf(question, running('SELECT 1')), /^failed: The SQL doesn’t use/);
    assert.match(await gradeOf(question, answer, { onMain: () => Promise.resolve(answerOf()) }), /^passed/);
  });

  it('is asked again when it fails, and most answers decide', async () => {
    const asked = async (...answers: Answer[]): Promise<unknown> => {
      const { first } = await run([rule({ noQuery: true })], { ask: inTurn(...answers), attempts: 3 });
      return [first.status, first.cells[0]?.answers.length];
    };
    const [ran, text] = [running('SELECT 1'), saying('no')];
    assert.deepEqual(await asked(text), ['passed', 1]);
    assert.deepEqual(await asked(ran, text), ['flaky', 3]);
    assert.deepEqual(await asked(ran), ['failed', 2]);
  });

  it('without a result is not asked on another branch, whose answers it doesn’t need', async () => {
    const onMain = () => assert.fail('asked on main');
    assert.equal(await gradeOf(rule({ asksBack: true }), saying('Which one?'), { onMain }), 'passed');
  });
});
