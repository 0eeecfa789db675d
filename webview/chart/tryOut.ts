import { limits } from '../../src/shared/chart/limits.ts';
import { ChartProblem } from '../../src/shared/chart/problem.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { tooSlow } from './budget.ts';
import { clock } from './expressions.ts';
import type { TrialAnswer, TrialJob } from './trial.ts';

/** Milliseconds to wait for a worker to come up; a busy machine is no reason to give a chart up. */
const startTime = 10_000;
/** Milliseconds that a worker without work is kept. */
const idleTime = 20_000;
/** Longest single step, in milliseconds, that may be repeated on the page. */
const longestStep = 250;

interface IdleWorker {
  worker: Worker;
  timer: ReturnType<typeof setTimeout>;
}
const idle: IdleWorker[] = [];

/**
 * Runs a chart in a worker first, and stops the worker when it takes too long.
 * @returns how many marks the chart has, or nothing where no worker can be had; it may be drawn on the page
 * @throws ChartProblem when it is too slow, makes too much, or fails
 */
export async function tryOut(job: Omit<TrialJob, 'now'>): Promise<number | undefined> {
  const worker = takeIdle() ?? (await startWorker());
  if (!worker) return undefined;
  let answer = await ask(worker, { ...job, now: clock.now });
  // A machine that is busy with something else makes steps look long, once.
  if (answer?.type === 'done' && answer.longestStep > longestStep)
    answer = await ask(worker, { ...job, now: clock.now });
  if (!answer) {
    worker.terminate();
    throw tooSlow();
  }
  keepIdle(worker);
  if (answer.type === 'failed') throw new ChartProblem(answer.kind, answer.message);
  if (answer.type !== 'done') return undefined;
  if (answer.longestStep > longestStep) throw tooSlow();
  if (answer.marks > limits.marks) {
    const message = t('The chart would draw {0} marks, more than is drawn here ({1}).', answer.marks, limits.marks);
    throw new ChartProblem('tooLarge', message);
  }
  return answer.marks;
}

/** @returns what the worker answers, or nothing when it does not in time */
function ask(worker: Worker, job: TrialJob): Promise<TrialAnswer | undefined> {
  const answered = nextMessage(worker, limits.time + 200);
  worker.postMessage(job);
  return answered;
}

async function startWorker(): Promise<Worker | undefined> {
  const { default: source } = await import('chart-trial-source');
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    const worker = new Worker(url);
    if (await nextMessage(worker, startTime)) return worker;
    worker.terminate();
  } catch {
    // The host allows no workers; the guards of the view have to do.
  } finally {
    URL.revokeObjectURL(url);
  }
  return undefined;
}

function nextMessage(worker: Worker, time: number): Promise<TrialAnswer | undefined> {
  return new Promise((resolve) => {
    const done = (answer?: TrialAnswer): void => {
      clearTimeout(timer);
      worker.onmessage = worker.onerror = null;
      resolve(answer);
    };
    const timer = setTimeout(done, time);
    worker.onmessage = (event: MessageEvent<TrialAnswer>) => done(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      done();
    };
  });
}

function takeIdle(): Worker | undefined {
  const taken = idle.pop();
  clearTimeout(taken?.timer);
  return taken?.worker;
}

function keepIdle(worker: Worker): void {
  const timer = setTimeout(() => {
    idle.splice(
      idle.findIndex((one) => one.worker === worker),
      1,
    );
    worker.terminate();
  }, idleTime);
  idle.push({ worker, timer });
}
