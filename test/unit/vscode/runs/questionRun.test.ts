/** Runs of questions in several contexts: their cells, their state and what can be done with their answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import { askContext } from '../../../../src/vscode/runs/askContext.ts';
import { QuestionRun, type QuestionRunOptions } from '../../../../src/vscode/runs/questionRun.ts';
import { answerOf } from '../../evals/support.ts';
import { table } from '../../evals/tables.ts';
import { folders, queryWith, questionNamed, until, type TestQuestion } from '../support.ts';

const contextOf = (branch: string, identity = 'ana') =>
  askContext({ branch, isDefaultBranch: branch === 'main', identity }, undefined, 'main');
const contexts = [contextOf('main'), contextOf('net')];
const folder = folders[1] as never;
const none = { expectedSql: undefined };
const rows = (value: number, fields: Partial<Answer> = {}): Answer => {
  const answer = answerOf(queryWith(table('n:number', [value])));
  return { ...answer, ...fields, thread: { ...answer.thread, ...fields.thread } };
};
const refused: Answer = { ...answerOf(), error: 'refused', isFinal: true, isBadBranch: true };

const questions = (...all: TestQuestion[]): QuestionRunOptions['asked'] =>
  all.map((question) => ({ question, contexts, folder }));
/** @returns a run, and its summaries in order */
function runOf(options: Partial<QuestionRunOptions> & Pick<QuestionRunOptions, 'ask'>) {
  const summaries: string[] = [];
  const run: QuestionRun = new QuestionRun({ asked: questions(questionNamed('q', none)), ...options }, () => {
    if (summaries.at(-1) !== run.state.summary) summaries.push(run.state.summary);
  });
  return { run, summaries };
}

describe('a run of questions', () => {
  it('asks as several identities once, shows each answer as it arrives, and compares them with the access tests', async () => {
    const named = ['ana', 'ben', 'eve'].map((name) => contextOf('main', name));
    const access = (name: string, fields: Partial<TestQuestion>): TestQuestion =>
      questionNamed(name, { text: 'why?', access: { kind: 'empty' }, ...fields });
    const late = Promise.withResolvers<Answer>();
    const { run } = runOf({
      asked: [{ question: questionNamed('q', { text: 'Why?' }), contexts: named }],
      ask: (_question, { identity }) =>
        identity === 'eve' ? late.promise : Promise.resolve(rows(identity === 'ana' ? 1 : 2)),
      branches: { wait: 0 },
      accessTests: [access('sees nothing', { identity: 'ben' }), access('of a guest', { identity: 'guest' })],
    });
    const running = run.start();
    assert.deepEqual([run.state.isRunning, run.rows[0]?.state], [true, 'waiting']);
    await until(() => run.answers(0).filter((answer) => answer !== undefined).length === 2);
    const { state, cells } = run.rows[0]!;
    assert.deepEqual([state, ...cells.map((cell) => cell.state)], ['asking', 'answered', 'answered', 'asking']);
    // No run waits for the branch of an identity.
    late.resolve({ ...refused, error: 'No access.' });
    await running;
    const answered = { state: 'answered', message: '1 row', canOpen: true };
    const failed = { state: 'failed', message: 'No access.', canOpen: true };
    assert.deepEqual(run.rows[0]?.cells, [answered, answered, failed]);
    const notes = run.notes.map(({ kind, text }) => `${kind} ${text.replace(/: .*\(/, ' (')}`);
    const unknown = 'unknown access.yml names “guest”, which is not in your setting “analyticsChat.identities”.';
    assert.deepEqual(notes, ['forbidden ben (sees nothing in access.yml)', unknown]);
    const summary = '2 of 3 identities answered · 1 access rule violated';
    assert.deepEqual(run.state, { isRunning: false, summary });
    const again = run.start();
    assert.deepEqual(run.notes, [], 'nothing of the last run');
    await again;
  });

  it('names identities where these differ, instead of their branch', async () => {
    const { run } = runOf({
      asked: [{ question: questionNamed('q', none), contexts: ['ben', 'eve'].map((name) => contextOf('main', name)) }],
      ask: (_, { identity }) => Promise.resolve(identity === 'eve' ? { ...refused, error: 'No access.' } : rows(1)),
      branches: { wait: 0 },
    });
    await run.start();
    assert.equal(run.rows[0]?.message, 'eve: No access.');
  });

  it('shows how many rows an answer left out, or why there are none, and nothing of the last run when it asks again', async () => {
    const { thread } = answerOf();
    for (const [answer, state, message, canOpen] of [
      [answerOf(queryWith({ ...table('n:number', [1]), totalRows: 9 })), 'answered', '1 of 9 rows', true],
      [answerOf(...[[0], [1, 2]].map((all) => queryWith(table('n:number', all)))), 'answered', '1 row', true],
      [{ ...rows(1), isStopped: true }, 'canceled', 'Canceled', true],
      [answerOf(), 'failed', 'The agent ran no query.', true],
      [{ ...answerOf(), thread: { ...thread, chatId: undefined } }, 'failed', 'The agent ran no query.', false],
    ] as const) {
      const { run } = runOf({ ask: () => Promise.resolve(answer as Answer) });
      await run.start();
      const [cell] = run.rows[0]!.cells;
      assert.deepEqual([cell?.state, cell?.canOpen], [state, canOpen]);
      if (state !== 'failed') assert.equal(cell?.message, message);
      const again = run.start();
      assert.ok(run.answers(0).every((each) => each === undefined) && run.thread(0, 0) === undefined);
      assert.deepEqual([run.rows[0]?.cells[0]?.state, run.state.summary], ['waiting', '']);
      run.cancel();
      await again;
    }
  });

  it('asks a question that was answered only as often as its first answers leave open', async () => {
    const asked: string[] = [];
    const { run, summaries } = runOf({
      ask: (_, { branch }) => (asked.push(branch), Promise.resolve(rows(branch === 'net' ? 2 : 1))),
      ...{ attempts: 3, given: () => [rows(1), rows(2)] },
    });
    const running = run.start();
    await run.start();
    const given = run.answers(0).map((answer) => answer?.queries[0]?.table?.rows);
    assert.deepEqual(given, [[[1]], [[2]]]);
    await running;
    assert.deepEqual([run.rows[0]?.state, asked.toSorted()], ['changed', ['main', 'main', 'net', 'net']]);
    assert.match(summaries.join('\n'), /at most 4 requests.*\n1 changed · 4 requests/);
    assert.deepEqual([run.rows[0]?.message, run.rows[0]?.change], ['1 of 1 row changed, +100 %', 'numbers']);
  });

  it('says while it waits for a branch that is not served yet, and what it costs', async () => {
    const waited: string[] = [];
    let isServed = false;
    const { run, summaries } = runOf({
      ask: (_, { branch }) => Promise.resolve(branch === 'main' ? rows(1) : isServed ? rows(1.0001) : refused),
      precision: 2,
      asked: questions(questionNamed('q'), questionNamed('r')),
      branches: { wait: 60_000, clock: { sleep: () => Promise.resolve(void (isServed = true)) } },
      onWaiting: (text) => waited.push(text),
    });
    await run.start();
    assert.deepEqual(waited, ['Waiting until the service serves the branch “net”…']);
    const [, atMost, waiting, again, last] = summaries;
    assert.deepEqual([waiting, again, summaries.length], [waited[0], atMost, 5]);
    assert.match(`${atMost}\n${last}`, /^Asking 2 questions on main and net, .*\n2 the same · 4 requests/);
  });

  it('ends with one message if a branch is not served in time, or with none if it is canceled', async () => {
    const asked = questions(...['q', 'r'].map((name) => questionNamed(name)));
    const options = { ask: () => Promise.resolve(refused), asked };
    const { run: failed } = runOf({ ...options, branches: { wait: 0 } });
    await assert.rejects(failed.start(), /does not serve the branch “main”/);
    assert.match(failed.state.summary, /does not serve the branch “main”/);
    assert.ok(!failed.state.isRunning && failed.rows.every(({ state, message }) => state === 'canceled' && !message));
    const { run } = runOf({ ...options, branches: { wait: 600_000 }, onWaiting: () => run.cancel() });
    await run.start();
    assert.match(run.state.summary, /2 canceled/);
    for (const { canOpen, cells } of run.rows)
      assert.deepEqual([canOpen, ...cells.map(({ state }) => state)], [false, 'canceled', 'canceled']);
  });

  it('shows the turn that decides of a question with several, opens its whole chat, and accepts no result', async () => {
    const turns = ['first', 'second'].map((text) => questionNamed('q', { ...none, text }));
    const continued: (string | undefined)[] = [];
    const { run } = runOf({
      ask: ({ text }, { branch }, _signal, { thread } = {}) => {
        continued.push(thread?.id);
        const id = `${text} on ${branch}`;
        return Promise.resolve(rows(id === 'first on net' ? 2 : 1, { thread: { id } as never }));
      },
      asked: questions(questionNamed('q', { ...none, turns })),
    });
    await run.start();
    const shown = run.answers(0).map((answer) => answer?.thread.id);
    assert.deepEqual(shown, ['first on main', 'first on net']);
    assert.equal(run.thread(0, 1)?.id, 'second on net');
    assert.deepEqual(continued.slice(-2).toSorted(), ['first on main', 'first on net']);
    assert.deepEqual([run.rows[0]?.state, run.rows[0]?.canAccept, run.rows[0]?.canOpen], ['changed', false, true]);
  });

  it('offers to accept only results of questions in files that expect nothing else', async () => {
    const two = answerOf(...[0, 1].map((value) => queryWith(table('n:number', [value]))));
    const part = answerOf(queryWith({ ...table('n:number', [1]), totalRows: 2 }));
    const judged: string[] = [];
    const { run } = runOf({
      ask: ({ name }) => Promise.resolve({ silent: answerOf(), part, open: two }[name] ?? rows(1)),
      onStart: () => judged.push('start'),
      asked: [
        ...questions(
          questionNamed('sql'),
          questionNamed('empty', { ...none, access: { kind: 'empty' } }),
          questionNamed('past', { ...none, path: '' }),
          ...['open', 'silent', 'part'].map((name) => questionNamed(name, none)),
        ),
        { question: questionNamed('of no folder', none), contexts },
      ],
      onJudged: ({ question: { name } }) => judged.push(name),
    });
    await run.start();
    const accepted = run.rows.flatMap(({ canAccept, name }) => (canAccept ? name : []));
    assert.deepEqual(accepted, ['open']);
    const { context, folder: own, query } = run.acceptable(3)!;
    assert.deepEqual([context.branch, own, query?.table.rows, run.acceptable(9)], ['net', folder, [[1]], undefined]);
    assert.deepEqual([judged[0], judged.length], ['start', 8]);
  });
});
