/** Asks one question on a branch before all others: a service answers on a pushed branch only once it is built. */
import { systemClock, type Clock } from '../../chat/session/clock.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Answer } from './answer.ts';

/** How long a run waits for the branches that it asks on. */
export interface BranchWait {
  /** Milliseconds to wait for a branch that the service does not serve; 0 fails at once. */
  wait: number;
  /**
   * Called once for a branch that is waited for.
   * @param settled resolves when the service serves the branch, or when nobody waits for it anymore
   */
  onWaiting?: (branch: string, settled: Promise<unknown>) => void;
  clock?: Pick<Clock, 'sleep'>;
}

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 15_000;

/** The service serves a branch of the run too late or not at all. The message says what to do. */
export class BranchRefused extends Error {
  constructor(branch: string) {
    super(
      t(
        'The service does not serve the branch “{0}”. Check its name, push it, and enable it on the service. A new branch is served only once it is built.',
        branch,
      ),
    );
  }
}

export const branchWaitText = (branch: string): string =>
  t('Waiting until the service serves the branch “{0}”…', branch);

/** In an object, because the answer may still be running; undefined if the run was canceled first. */
export interface Probed {
  answer: Promise<Answer | undefined>;
}

/**
 * @param ask asks on the branch, and calls `onServed` as soon as the service begins to answer
 * @param signal ends the wait
 * @returns when the service begins to answer, so that other questions can be asked
 * @throws BranchRefused if the service still refuses the branch after the wait
 */
export async function probeBranch(
  branch: string,
  ask: (onServed: () => void) => Promise<Answer | undefined>,
  { wait, onWaiting, clock = systemClock }: BranchWait,
  signal: AbortSignal,
): Promise<Probed> {
  let settle: (() => void) | undefined;
  try {
    for (let waited = 0, next = FIRST_PAUSE; ; next = Math.min(2 * next, LONGEST_PAUSE)) {
      const served = await new Promise<Probed | undefined>((resolve) => {
        const answer = ask(() => resolve({ answer }));
        void answer.then((each) => resolve(each?.isBadBranch && !signal.aborted ? undefined : { answer }));
      });
      if (served) return served;
      const pause = Math.min(next, wait - waited);
      if (pause <= 0) throw new BranchRefused(branch);
      if (!settle) onWaiting?.(branch, new Promise<void>((resolve) => (settle = resolve)));
      await clock.sleep(pause, signal);
      waited += pause;
    }
  } finally {
    settle?.();
  }
}
