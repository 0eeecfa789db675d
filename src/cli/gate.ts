/** Decides whether a run of question tests succeeds. */
import type { RunSummary } from '../evals/report/summary.ts';
import type { ExitCode } from './command.ts';
import { ArgumentError } from './usage.ts';

/** @throws ArgumentError unless the value is a number from 0 to 1 */
export function rateOption(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^(?:0?\.\d+|0|1(?:\.0+)?)$/.test(value))
    throw new ArgumentError(`${option} must be a number from 0 to 1, such as 0.9.`);
  return Number(value);
}

interface Grades {
  passed: number;
  /** Number of graded answers, without the failures that are known. */
  of: number;
}

function gradesOf({ counts, known = 0 }: RunSummary): Grades {
  const passed = counts.passed + counts.flaky;
  return { passed, of: passed + counts.failed + counts.review - known };
}

/** @returns `Pass rate 85 % (17/20), at least 90 % required`; undefined if nothing was graded */
export function rateText(summary: RunSummary, minimum: number): string | undefined {
  const { passed, of } = gradesOf(summary);
  if (of === 0) return undefined;
  // Rounded down: a rate below the minimum does not read like it.
  const percent = Math.floor((passed * 1000) / of) / 10;
  const without = summary.known ? ' without known failures' : '';
  return `Pass rate${without} ${percent} % (${passed}/${of}), at least ${Number((minimum * 100).toFixed(6))} % required`;
}

/**
 * A failure takes precedence over a question that could not be asked.
 * @param minimum pass rate up to which failures are accepted, from 0 to 1; by default, none is
 * @param isIncomplete whether there are questions that could not be read, or none at all
 */
export function exitCodeOf(
  summary: RunSummary,
  { minimum = 1, isIncomplete, signal }: { minimum?: number; isIncomplete: boolean; signal: AbortSignal },
): ExitCode {
  if (signal.aborted) return 130;
  const { counts, known = 0 } = summary;
  const { passed, of } = gradesOf(summary);
  if (of > 0 && passed / of < minimum) return 1;
  const isGraded = of + known + counts.unstable > 0;
  return counts.errored > 0 || !isGraded || isIncomplete ? 2 : 0;
}
