/** A run of questions in several contexts: what it asks, how much at once, and how it ends. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/evals/matrix/answer.ts';
import { expected } from '../../../../src/evals/matrix/expected.ts';
import { contextsToGrade, mostRequests, type Context, type MatrixEvent } from '../../../../src/evals/matrix/matrix.ts';
import { runMatrix } from '../../../../src/evals/matrix/runMatrix.ts';
import { same } from '../../../../src/evals/matrix/same.ts';
import type { TestQuestion } from '../../../../src/evals/question.ts';
import { costText, summaryText } from '../../../../src/evals/report/summary.ts';
import { answering, answerOf, gate, questionNamed, queryWith } from '../support.ts';
import { table } from '../tables.ts';
import { runs } from '../../../support/runs.ts';
import { contextOn, five, run } from './support.ts';

const questionsUpTo = (count: number): TestQuestion[] =>
  Array.from({ length: count }, (_, at) => questionNamed(`q${at}`));
/** The same, but every second one has several turns. */
const withTurns = (questions: readonly TestQuestion[], count: number): TestQuestion[] =>
  questions.map((question, at) => {
    const turns = Array.from({ length: count }, (_, turn) => ({ ...question, text: `turn ${turn}` }));
    return at % 2 === 0 ? question : { ...question, turns };
  });
const branches = (count: number): Context[] => Array.from({ length: count }, (_, at) => contextOn(`b${at}`)(undefined));

/** What the agent answers in a cell at the nth time: a number, no query (`null`) or an error. */
type Told = number | null | 'error';
const told = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Told>(1) },
  { weight: 2, arbitrary: fc.constantFrom<Told>(2, 3, null, 'error') },
);
const answerFor = (value: Told): Answer =>
  value === 'error'
    ? { ...answerOf(), error: 'away' }
    : answerOf(...(value === null ? [] : [queryWith(table('n:number', [value]))]));

const judges = { same: same(), expected: expected(), repeated: expected({ isRepeated: true }) };
const one = table('n:number', [1]);

const world = fc.record({
  questions: fc.integer({ min: 1, max: 5 }),
  contexts: fc.integer({ min: 1, max: 3 }),
  turns: fc.integer({ min: 1, max: 3 }),
  attempts: fc.integer({ min: 1, max: 5 }),
  concurrency: fc.integer({ min: 1, max: 5 }),
  judge: fc.constantFrom<keyof typeof judges>('same', 'expected', 'repeated'),
  /** By question, context and attempt; turns have those of later questions. */
  told: fc.array(told, { minLength: 75, maxLength: 75 }),
  /** The order in which running answers arrive. */
  order: fc.array(fc.nat(), { minLength: 100, maxLength: 100 }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Runs in a world in which answers arrive in an order. @param cancelAfter number of answers after which it is canceled */
async function runIn(
  { questions: count, turns, contexts, attempts, concurrency, judge, told: values, order }: World,
  cancelAfter = Infinity,
) {
  const controller = new AbortController();
  const questions = withTurns(questionsUpTo(count), turns);
  // A baseline is a second context at most.
  const places = branches(judge === 'same' ? contexts : Math.min(contexts, 2));
  const waiting: (() => void)[] = [];
  const events: MatrixEvent[] = [];
  let [most, answered, askedAfterCancel, pumping] = [0, 0, 0, false];
  const pump = async (): Promise<void> => {
    pumping = true;
    for (let next = 0; waiting.length > 0; next += 1) {
      most = Math.max(most, waiting.length);
      waiting.splice(order[next % order.length]! % waiting.length, 1)[0]!();
      await new Promise(setImmediate);
    }
    pumping = false;
  };
  const times = new Map<string, number>();
  const summary = await runMatrix(questions, () => places, judges[judge], {
    truth: () => Promise.resolve({ from: 'sql', sql: 'SELECT 1', table: one }),
    ask: async ({ name, text }, { branch }, signal) => {
      if (signal.aborted) askedAfterCancel += 1;
      const key = `${name} ${text} ${branch}`;
      const time = times.get(key) ?? 0;
      times.set(key, time + 1);
      const arrived = new Promise<void>((resolve) => waiting.push(resolve));
      if (!pumping) void Promise.resolve().then(pump);
      await arrived;
      answered += 1;
      if (answered >= cancelAfter) controller.abort();
      const [question, turn] = [Number(name.slice(1)), Number(text.slice(-1)) || 0];
      const at = ((question + turn) * 3 + Number(branch.slice(1))) * 5 + time;
      return { ...answerFor(values[at % values.length]!), isStopped: signal.aborted };
    },
    ...{ attempts, concurrency, signal: controller.signal },
    onEvent: (event) => events.push(event),
  });
  const verdicts = events.flatMap((event) => (event.type === 'judged' ? [event] : []));
  const announced = mostRequests(questions, () => places, attempts);
  return { summary, events, verdicts, most, announced, askedAfterCancel, counts: [...times.values()], questions };
}
describe('the laws of a run', () => {
  it('ask each question once in each context if no answers disagree', () =>
    fc.assert(
      fc.asyncProperty(world, async (drawn) => {
        const judge = drawn.judge === 'repeated' ? 'same' : drawn.judge;
        const { counts, verdicts } = await runIn({ ...drawn, judge, told: drawn.told.map(() => 1) });
        assert.ok(counts.every((count) => count === 1));
        const status = judge === 'same' ? 'same' : 'passed';
        assert.ok(verdicts.every(({ verdict }) => verdict.status === status));
      }),
      { numRuns: runs(25) },
    ));

  it('never ask more than the attempts of a cell, more at once than allowed, or more than announced', () =>
    fc.assert(
      fc.asyncProperty(world, async (drawn) => {
        const { counts, most, announced, summary, verdicts, questions } = await runIn(drawn);
        assert.ok(counts.every((count) => count <= drawn.attempts));
        assert.ok(most <= drawn.concurrency, `${most} at once`);
        assert.ok(summary.requests <= announced);
        assert.equal(
          summary.requests,
          counts.reduce((sum, count) => sum + count, 0),
        );
        assert.deepEqual(verdicts.map(({ row }) => row).sort(), [...questions.keys()]);
      }),
      { numRuns: runs(40) },
    ));

  it('have the same verdicts in whatever order answers arrive', () =>
    fc.assert(
      fc.asyncProperty(world, fc.array(fc.nat(), { minLength: 100, maxLength: 100 }), async (drawn, order) => {
        const verdictsIn = async (each: World) =>
          (await runIn(each)).verdicts
            .sort((a, b) => a.row - b.row)
            .map(({ verdict: { status, message, deciding, passes } }) => ({ status, message, deciding, passes }));
        assert.deepEqual(await verdictsIn(drawn), await verdictsIn({ ...drawn, order, concurrency: 1 }));
      }),
      { numRuns: runs(40) },
    ));

  it('ask nothing more after they are canceled, and keep the verdicts until then', () =>
    fc.assert(
      fc.asyncProperty(world, fc.integer({ min: 1, max: 10 }), async (drawn, cancelAfter) => {
        const whole = await runIn(drawn);
        const { askedAfterCancel, events, verdicts, questions } = await runIn(drawn, cancelAfter);
        assert.equal(askedAfterCancel, 0);
        assert.equal(verdicts.length, questions.length);
        const answers = events.filter(({ type }) => type === 'answered').length;
        assert.ok(answers <= cancelAfter + drawn.concurrency);
        for (const { row, verdict } of verdicts) {
          const { status } = whole.verdicts.find((each) => each.row === row)!.verdict;
          assert.ok(verdict.status === 'canceled' || verdict.status === status);
        }
      }),
      { numRuns: runs(40) },
    ));
});

describe('a run of questions', () => {
  it('limits the number of running answers, those of other branches and identities included', async () => {
    let running = 0;
    let most = 0;
    const ask = async (): Promise<Answer> => {
      most = Math.max(most, (running += 1));
      await new Promise(setImmediate);
      running -= 1;
      return answerOf(queryWith(five));
    };
    const questions = questionsUpTo(20);
    const { statuses } = await run(questions, { ask, concurrency: 3 });
    assert.deepEqual([most, statuses.length], [3, 20]);
    const access = { kind: 'sameAs', identity: 'admin' } as const;
    for (const options of [{}, { onMain: ask }]) await run(questions, { ask, ...options });
    await run(
      questions.map((question) => ({ ...question, access })),
      { ask },
    );
    assert.equal(most, 4);
  });

  it('stops what runs on the service when it is canceled, and grades nothing more', async () => {
    const controller = new AbortController();
    const asked: string[] = [];
    const opened = gate();
    const ask = async ({ name }: TestQuestion, cancel: AbortSignal): Promise<Answer> => {
      asked.push(name);
      if (asked.length === 2) opened.open();
      await new Promise<void>((resolve) => cancel.addEventListener('abort', () => resolve(), { once: true }));
      return { ...answerOf(queryWith(five)), isStopped: true };
    };
    const running = run(questionsUpTo(3), { ask, concurrency: 2, times: 3, signal: controller.signal });
    await opened.passed;
    controller.abort();
    const { statuses, summary } = await running;
    assert.deepEqual(asked, ['q0', 'q1']);
    assert.deepEqual(statuses, ['canceled', 'canceled', 'canceled']);
    assert.match(summaryText(summary), /^No answers graded · 3 canceled/);
  });

  for (const [what, sql] of [
    ['the expected result', 'SELECT q0'],
    ['the rows that an answer left out', 'SELECT answer'],
  ] as const)
    it(`is canceled, and not failed, while it loads ${what}`, async () => {
      const controller = new AbortController();
      const runSql = (each: string) => {
        if (each === sql) controller.abort();
        return Promise.resolve(table('n:number'));
      };
      const ask = answering({ ...five, totalRows: 9 });
      const { first } = await run(questionsUpTo(1), { ask, runSql, signal: controller.signal });
      assert.deepEqual([first.status, first.message], ['canceled', 'Canceled']);
    });

  it('lets other events in between two verdicts, so that it can be canceled', async () => {
    const controller = new AbortController();
    const { statuses } = await run(questionsUpTo(50), {
      concurrency: 1,
      signal: controller.signal,
      onEvent: ({ type }) => {
        if (type === 'judged') setTimeout(() => controller.abort(), 0);
      },
    });
    assert.ok(statuses.includes('canceled'), 'a timer fired during the run');
  });

  it('reports for each question when a cell is asked and answered, then the verdict with its time', async () => {
    const events: string[] = [];
    const { verdicts, summary } = await run(questionsUpTo(2), {
      concurrency: 1,
      onMain: answering(five),
      onEvent: (event) => events.push(`${event.type} ${event.row}${'cell' in event ? `.${event.cell}` : ''}`),
    });
    const eventsOf = (row: number): string[] => [
      ...[0, 1].flatMap((cell) => [`started ${row}.${cell}`, `answered ${row}.${cell}`]),
      `judged ${row}`,
    ];
    assert.deepEqual(events, [...eventsOf(0), ...eventsOf(1)]);
    assert.ok(verdicts.every(({ milliseconds }) => milliseconds >= 0 && milliseconds <= summary.milliseconds));
  });

  it('says before it starts what it costs at most', () => {
    const contexts = branches(2);
    const cost = (questions: number, attempts: number, ...where: string[]): string =>
      costText({ questions: questionsUpTo(questions), contextsOf: () => contexts, attempts }, ...where);
    assert.equal(cost(12, 3, 'main', 'dev'), 'Asking 12 questions on main and dev, at most 72 requests');
    assert.equal(cost(1, 1, 'dev'), 'Asking 1 question on dev, at most 2 requests');
  });

  it('asks a question of its identity, after the identity or the branch whose answer it must equal', () => {
    const [dev, main] = [contextOn('dev'), contextOn('main')];
    const labels = (question: TestQuestion, other?: typeof main): string[] =>
      contextsToGrade(question, dev, other).map(({ label, branch, identity }) => `${label} ${branch} ${identity}`);
    const own = questionNamed('a', { identity: 'ana' });
    assert.deepEqual(labels(own), ['dev dev ana']);
    assert.deepEqual(labels(own, main), ['main main ana', 'dev dev ana']);
    const access = { ...own, access: { kind: 'sameAs', identity: 'root' } as const };
    assert.deepEqual(labels(access, main), ['root dev root', 'dev dev ana']);
    assert.deepEqual(labels({ ...own, access: { kind: 'empty' } }, main), ['dev dev ana']);
  });
});
