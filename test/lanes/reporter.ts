/**
 * Mocha reporter: a line for each finished file, failures as they happen and in full at the end. With
 * {@link RESULTS_FILE} set, it also writes the results for the run that started this lane.
 */
import { relative, sep } from 'node:path';
import Mocha from 'mocha';
import { addResults, LANE_NAME, RESULTS_FILE, type TestTime } from './results.ts';

const { EVENT_RUN_END, EVENT_SUITE_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;
const testFolder = new URL('..', import.meta.url).pathname;

export default class LaneReporter {
  constructor(runner: Mocha.Runner) {
    const lane = process.env[LANE_NAME] ?? 'tests';
    const times: TestTime[] = [];
    const failures: Mocha.Test[] = [];
    let skipped = 0;
    let current = '';

    /** A file is finished when a test of another one reports; in parallel runs, files report one after the other. */
    const finish = () => {
      if (current === '') return;
      const failed = failures.length > 0 ? `, ${failures.length} failed` : '';
      console.log(`${lane}: ${current} (${times.length} passed${failed})`);
      current = '';
    };
    const enter = ({ file }: Mocha.Test | Mocha.Suite) => {
      const name = file === undefined ? current : relative(testFolder, file).replaceAll(sep, '/');
      if (name !== current) finish();
      current = name;
    };

    runner.on(EVENT_TEST_PASS, (test) => {
      enter(test);
      times.push({ title: test.titlePath().join(' › '), milliseconds: test.duration ?? 0 });
    });
    runner.on(EVENT_TEST_FAIL, (test, error: unknown) => {
      enter(test);
      test.err ??= error as Error;
      // A parallel worker sends an error between two files without this method.
      test.titlePath ??= () => [test.title];
      failures.push(test);
      console.log(`${lane}: FAILED ${test.titlePath().join(' › ')}`);
    });
    runner.on(EVENT_TEST_PENDING, (test) => {
      enter(test);
      skipped += 1;
      console.log(`${lane}: SKIPPED ${test.titlePath().join(' › ')}`);
    });
    runner.on(EVENT_SUITE_END, (suite) => {
      if (suite.file !== undefined) enter(suite);
    });
    runner.once(EVENT_RUN_END, () => {
      finish();
      if (failures.length > 0) Mocha.reporters.Base.list(failures);
      addResults({ passed: times.length, failed: failures.length, skipped }, times);
      if (process.env[RESULTS_FILE] === undefined) console.log(`${times.length} passed, ${failures.length} failed`);
    });
  }
}
