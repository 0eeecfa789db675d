/** What a lane reports to the run: counts and durations. */
import { readFileSync, writeFileSync } from 'node:fs';

export interface TestTime {
  /** Full title, with its suites. */
  readonly title: string;
  readonly milliseconds: number;
}

export interface LaneResults {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The slowest tests, slowest first. */
  readonly slowest: readonly TestTime[];
}

/** Environment variable with the path that the reporter writes its {@link LaneResults} to, as JSON. */
export const RESULTS_FILE = 'TEST_LANE_RESULTS';
/** Environment variable with the name of the lane, for progress lines. */
export const LANE_NAME = 'TEST_LANE_NAME';

const SLOWEST = 20;

/** @returns the slowest of the given tests, slowest first */
export function slowestOf<T extends TestTime>(times: readonly T[]): T[] {
  return [...times].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
}

/** @returns the results in the file, or `undefined` if there are none */
export function readResults(file: string): LaneResults | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LaneResults;
  } catch {
    return undefined;
  }
}

/** Adds to the results of this lane, if a run asked for them. */
export function addResults(counts: Omit<LaneResults, 'slowest'>, times: readonly TestTime[] = []): void {
  const file = process.env[RESULTS_FILE];
  if (file === undefined) return;
  const before = readResults(file);
  const results: LaneResults = {
    passed: (before?.passed ?? 0) + counts.passed,
    failed: (before?.failed ?? 0) + counts.failed,
    skipped: (before?.skipped ?? 0) + counts.skipped,
    slowest: slowestOf([...(before?.slowest ?? []), ...times]),
  };
  writeFileSync(file, JSON.stringify(results));
}
