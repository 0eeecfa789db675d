/**
 * Runs unit tests with Mocha for Stryker: one process loads them once and runs them for one mutant after the other.
 * Stryker's own runner needs internal modules that Mocha 12 no longer has.
 */
import type { InstrumenterContext, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, tokens } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner';
import Mocha from 'mocha';
import { resolve } from 'node:path';
import { reachableFrom } from './imports.ts';
import { sourceOf } from './sample.ts';

const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_BEGIN } = Mocha.Runner.constants;

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

export class MochaRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  readonly #specs: readonly string[];
  /** The instrumented code reads the active mutant from it, and counts coverage in it. */
  readonly #context: InstrumenterContext;
  #mocha: Mocha | undefined;

  constructor(options: StrykerOptions) {
    this.#specs = (options['specs'] as readonly string[]).map((path) => resolve(path));
    const globals = globalThis as unknown as { __stryker__?: InstrumenterContext };
    this.#context = globals.__stryker__ ??= {};
  }

  capabilities() {
    // A process can't load an ES module twice.
    return { reloadEnvironment: false };
  }

  async dryRun(): Promise<DryRunResult> {
    const result = await this.#run(this.#specs);
    const { mutantCoverage } = this.#context;
    return result.status === DryRunStatus.Complete && mutantCoverage ? { ...result, mutantCoverage } : result;
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter, hitLimit, mutantActivation } = options;
    delete this.#context.hitLimit;
    delete this.#context.hitCount;
    if (hitLimit !== undefined) Object.assign(this.#context, { hitLimit, hitCount: 0 });
    let specs = this.#specs;
    if (mutantActivation === 'static') {
      // The mutant is in code that runs when the module is loaded.
      this.#context.activeMutant = activeMutant.id;
      const source = resolve(sourceOf(activeMutant));
      specs = specs.filter((spec) => reachableFrom(spec).has(source));
    }
    return toMutantRunResult(await this.#run(specs, testFilter, activeMutant.id));
  }

  async #run(specs: readonly string[], titles?: readonly string[], mutant?: string): Promise<DryRunResult> {
    const tests: TestResult[] = [];
    try {
      const mocha = (this.#mocha ??= await load(specs));
      if (mutant === undefined) delete this.#context.activeMutant;
      else this.#context.activeMutant = mutant;
      mocha.grep(new RegExp(titles ? `^(?:${titles.map(escape).join('|')})$` : ''));
      mocha.bail(mutant !== undefined);
      await new Promise<void>((done) => {
        const runner = mocha.run(() => done());
        let started = 0;
        runner.on(EVENT_TEST_BEGIN, (test) => {
          started = performance.now();
          this.#context.currentTestId = test.fullTitle();
        });
        const add = (test: Mocha.Test, failure?: Error): void => {
          const id = test.fullTitle();
          const common = { id, name: id, timeSpentMs: performance.now() - started, fileName: test.file ?? '' };
          tests.push(
            failure
              ? { ...common, status: TestStatus.Failed, failureMessage: failure.stack ?? String(failure) }
              : { ...common, status: TestStatus.Success },
          );
        };
        runner.on(EVENT_TEST_PASS, (test) => add(test));
        runner.on(EVENT_TEST_FAIL, add);
      });
    } catch (failure) {
      return { status: DryRunStatus.Error, errorMessage: String(failure) };
    }
    const { hitCount, hitLimit } = this.#context;
    return determineHitLimitReached(hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests };
  }
}

async function load(specs: readonly string[]): Promise<Mocha> {
  const mocha = new Mocha({ reporter: Mocha.reporters.Base, timeout: 0 });
  mocha.cleanReferencesAfterRun(false);
  for (const spec of specs) mocha.addFile(spec);
  await mocha.loadFilesAsync();
  return mocha;
}
