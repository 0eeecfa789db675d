/** Comparing the answers of a set of questions on two branches. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  compareAnswers,
  type ComparedAnswers,
  branchesSummaryText,
  compareOnBranches,
  type BranchesOptions,
} from '../../../../src/evals/run/branches.ts';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import type { ResultTable } from '../../../../src/shared/wire/toolPayloads.ts';
import { isFromRunPage } from '../../../../src/shared/protocol/runPage.ts';
import { answering, answerOf, gate, queryWith, questionNamed } from '../support.ts';
import { table } from '../tables.ts';

const signal = new AbortController().signal;
const names = { left: 'main', right: 'dev' };
const question = questionNamed('revenue');
const months = (...amounts: number[]): ResultTable =>
  table('month:time revenue:number', ...amounts.map((amount, at) => [`2024-0${at + 1}-01`, amount]));
const asked = (query: ResultTable, sql = 'SELECT 1'): Answer => answerOf({ ...queryWith(query), sql });

async function outcome(
  left: Answer,
  right: Answer,
  options: Partial<BranchesOptions> = {},
): Promise<Pick<ComparedAnswers, 'state' | 'change' | 'message'>> {
  const { state, change, message } = await compareAnswers(question, { left, right }, { names, signal, ...options });
  return { state, ...(change ? { change } : {}), message };
}

describe('two answers to a question', () => {
  it('are equal if a test would pass, whatever the order of rows and the layout of the SQL', async () => {
    const reordered = table('revenue:number month:time', [20, '2024-02-01'], [10.00001, '2024-01-01']);
    assert.deepEqual(await outcome(asked(months(10, 20), 'SELECT a,\n  b'), asked(reordered, ' SELECT a, b')), {
      state: 'same',
      message: '',
    });
  });

  it('differ in numbers, with the number of rows and the change of the total', async () => {
    assert.deepEqual(await outcome(asked(months(100, 50, 50)), asked(months(90, 45, 50))), {
      state: 'changed',
      change: 'numbers',
      message: '2 of 3 rows changed, −7.5 %',
    });
    const pair = (total: number, net: number) =>
      asked(table('month:string total:number net:number', ['1', total, net]));
    assert.equal((await outcome(pair(100, 80), pair(100, 60))).message, '1 of 1 row changed, −25 %');
    assert.equal((await outcome(asked(months(100000)), asked(months(100200)))).message, '1 of 1 row changed, +0.2 %');
    assert.equal((await outcome(asked(months(0)), asked(months(5)))).message, '1 of 1 row changed');
  });

  for (const [after, change] of [
    [8003, ', +0.04 %'],
    [8104, ', +1.3 %'],
    [7920, ', −1 %'],
    [7921, ', −0.99 %'],
  ] as const)
    it(`differ in numbers by a total of ${after - 8000} in 8,000, rounded to two digits below one percent`, async () => {
      const pair = (last: number) => asked(table('k:string n:number', ['a', last], ['b', 0]));
      assert.equal((await outcome(pair(8000), pair(after))).message, `1 of 2 rows changed${change}`);
    });

  it('differ in numbers without a change of the total', async () => {
    assert.equal((await outcome(asked(months(10, 20)), asked(months(20, 10)))).message, '2 of 2 rows changed');
  });

  it('differ in rows if some are added, removed or lack a column', async () => {
    const [two, three] = [asked(months(10, 20)), asked(months(10, 20, 30))];
    assert.deepEqual(await outcome(two, three), { state: 'changed', change: 'rows', message: '1 row added, +100 %' });
    assert.deepEqual(await outcome(three, two), { state: 'changed', change: 'rows', message: '1 row removed, −50 %' });
    const pairs = (...rows: [string, number][]): Answer => asked(table('k:string n:number', ...rows));
    assert.deepEqual(await outcome(pairs(['a', 1], ['b', 1], ['c', 1]), pairs(['a', 1], ['b', 2], ['d', 1])), {
      state: 'changed',
      change: 'rows',
      message: '1 of 3 rows changed, 1 row added, 1 row removed, +33.3 %',
    });
    const narrow = asked(table('month:time', ['2024-01-01'], ['2024-02-01']));
    const { change, message } = await outcome(two, narrow);
    assert.deepEqual([change, message], ['rows', 'no column like “revenue”, 2 of 2 rows changed']);
  });

  it('differ only in SQL if the rows are equal', async () => {
    assert.deepEqual(await outcome(asked(months(1), 'SELECT a'), asked(months(1), 'SELECT b')), {
      state: 'changed',
      change: 'sql',
      message: 'Same rows from different SQL',
    });
  });

  it('are not comparable if rows are missing, unless all can be loaded', async () => {
    const cut = asked({ ...months(1), totalRows: 3 });
    assert.equal((await outcome(cut, cut)).state, 'notComparable');
    const runSql = {
      left: () => Promise.resolve(months(1, 2, 3)),
      right: () => Promise.resolve(months(1, 2, 4)),
    };
    assert.equal((await outcome(cut, cut, { runSql })).message, '1 of 3 rows changed, +16.7 %');
    assert.equal((await outcome(answerOf(), answerOf())).state, 'notComparable');
  });

  it('are compared by the last query on the left and any query on the right', async () => {
    const of = (...amounts: number[]): Answer => answerOf(...amounts.map((each) => queryWith(months(each))));
    assert.equal((await outcome(of(7, 1), of(1, 9))).state, 'same');
    assert.equal((await outcome(of(1, 7), of(1, 9))).state, 'changed');
    assert.equal((await outcome(of(100), of(300, 200))).message, '1 of 1 row changed, +100 %');
  });

  it('are equal at the precision of the run', async () => {
    const [left, right] = [asked(months(100)), asked(months(104))];
    assert.equal((await outcome(left, right)).state, 'changed');
    assert.equal((await outcome(left, right, { precision: 2 })).state, 'same');
  });

  it('fail if one has an error or no query, with the branch', async () => {
    const fine = asked(months(1));
    assert.deepEqual(await outcome(fine, { ...fine, error: 'Busy' }), { state: 'failed', message: 'dev: Busy' });
    const both = await outcome({ ...fine, error: 'Away' }, { ...fine, error: 'Busy' });
    assert.equal(both.message, 'main: Away\ndev: Busy');
    assert.deepEqual(await outcome(answerOf(), fine), { state: 'failed', message: 'main: The agent ran no query.' });
    const failing = answerOf({ ...queryWith(undefined), error: 'no such table' });
    assert.deepEqual(await outcome(fine, failing), {
      state: 'failed',
      message: 'dev: The agent’s query failed: no such table',
    });
    const cut = asked({ ...months(1), totalRows: 3 });
    const broken = () => Promise.reject(new Error('No such table'));
    assert.deepEqual(await outcome(cut, fine, { runSql: { left: broken, right: broken } }), {
      state: 'failed',
      message: 'main: Can’t load all rows: No such table',
    });
    const { message } = await outcome(fine, cut, { runSql: { left: broken, right: broken } });
    assert.equal(message, 'dev: Can’t load all rows: No such table');
  });

  it('are canceled while rows are loading', async () => {
    const controller = new AbortController();
    const cut = asked({ ...months(1), totalRows: 3 });
    const load = (): Promise<ResultTable> => {
      controller.abort();
      return Promise.resolve(months(1));
    };
    const options = { signal: controller.signal, runSql: { left: load, right: load } };
    for (const [left, right] of [
      [cut, cut],
      [cut, asked(months(1))],
      [asked(months(1)), cut],
    ] as const)
      assert.deepEqual(await outcome(left, right, options), { state: 'canceled', message: '' });
    const [done, stopped] = [asked(months(1)), { ...asked(months(1)), isStopped: true }];
    assert.equal((await outcome(done, stopped)).state, 'canceled');
    assert.equal((await outcome(stopped, done)).state, 'canceled');
    // Keep results that were complete before.
    assert.equal((await outcome(asked(months(1)), asked(months(1)), options)).state, 'same');
  });
});

describe('a set of questions on two branches', () => {
  it('asks each question once on each branch and counts the results', async () => {
    const questions = ['a', 'b', 'c'].map((name) => questionNamed(name));
    const compared: ComparedAnswers[] = [];
    const usage = { totalTokens: 5 };
    const ask = {
      left: () => Promise.resolve({ ...asked(months(1)), usage }),
      right: ({ name }: { name: string }) => Promise.resolve({ ...asked(months(name === 'b' ? 2 : 1)), usage }),
    };
    const summary = await compareOnBranches(
      questions,
      { ask, names, signal },
      { onCompared: (each) => compared.push(each) },
    );
    assert.deepEqual(
      compared.map(({ question: { name }, state }) => `${name} ${state}`),
      ['a same', 'b changed', 'c same'],
    );
    assert.equal(branchesSummaryText({ ...summary, milliseconds: 1500 }), '1 changed · 2 the same · 30 tokens · 1.5 s');
    const none = { same: 0, changed: 0, notComparable: 0, failed: 0, canceled: 0 };
    assert.equal(branchesSummaryText({ counts: none, milliseconds: 1500 }), '1.5 s');
    const every = { same: 1, changed: 2, notComparable: 3, failed: 4, canceled: 5 };
    assert.equal(
      branchesSummaryText({ counts: every, milliseconds: 1500, tokens: 1 }),
      '2 changed · 1 the same · 3 not comparable · 4 failed · 5 canceled · 1 token · 1.5 s',
    );
  });

  it('limits the number of running answers on both branches together', async () => {
    for (const [concurrency, most] of [
      [1, 1],
      [3, 2],
      [4, 4],
    ] as const) {
      let [running, highest] = [0, 0];
      const ask = async (): Promise<Answer> => {
        highest = Math.max(highest, (running += 1));
        await Promise.resolve();
        running -= 1;
        return asked(months(1));
      };
      const questions = ['a', 'b', 'c', 'd'].map((name) => questionNamed(name));
      await compareOnBranches(questions, { ask: { left: ask, right: ask }, names, concurrency, signal });
      assert.equal(highest, most);
    }
  });

  it('keeps finished results when it is canceled, and asks no more', async () => {
    const controller = new AbortController();
    const { passed, open } = gate();
    const started: string[] = [];
    const compared: string[] = [];
    const ask = async ({ name }: { name: string }, cancel: AbortSignal): Promise<Answer> => {
      if (name === 'b') await passed;
      return { ...asked(months(1)), isStopped: cancel.aborted };
    };
    const running = compareOnBranches(
      ['a', 'b', 'c'].map((name) => questionNamed(name)),
      { ask: { left: ask, right: ask }, names, concurrency: 2, signal: controller.signal },
      {
        onStart: ({ name }) => {
          started.push(name);
          if (name === 'b') {
            controller.abort();
            open();
          }
        },
        onCompared: ({ question: { name }, state }) => compared.push(`${name} ${state}`),
      },
    );
    const { counts } = await running;
    assert.deepEqual(
      [started, compared],
      [
        ['a', 'b'],
        ['a same', 'b canceled'],
      ],
    );
    assert.deepEqual([counts.same, counts.canceled], [1, 2]);
  });

  it('reuses given answers', async () => {
    const table = months(1);
    const [compared] = await new Promise<ComparedAnswers[]>((resolve) => {
      const ask = { left: answering(table), right: answering(table) };
      void compareOnBranches([question], { ask, names, signal }, { onCompared: (each) => resolve([each]) });
    });
    assert.equal(compared?.answers.left.thread.chatId, 'chat');
  });
});

describe('messages of the comparison page', () => {
  it('are accepted only in their declared form', () => {
    for (const type of ['ready', 'cancel', 'askAgain']) assert.ok(isFromRunPage({ type }));
    assert.ok(isFromRunPage({ type: 'open', index: 3 }));
    for (const wrong of [undefined, 'ready', { type: 'nothing' }, { type: 'open', index: '3' }, { type: 'problem' }])
      assert.equal(isFromRunPage(wrong), false);
  });
});
