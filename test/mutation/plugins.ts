/** Stryker plugins: the test runner, and what decides which mutants count. */
import type { CheckResult, Checker } from '@stryker-mutator/api/check';
import { CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import type { Ignorer } from '@stryker-mutator/api/ignore';
import { commonTokens, declareClassPlugin, declareValuePlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import type { MutantResult } from '@stryker-mutator/api/core';
import type { Reporter } from '@stryker-mutator/api/report';
import { MochaRunner } from './mochaRunner.ts';
import { isSampled, type Position, type Sample } from './sample.ts';

/** Rejects the mutants that are not in the sample, so that no test is run for them. */
class SampleChecker implements Checker {
  static readonly inject = tokens(commonTokens.options);
  readonly #sample: Sample;

  constructor(options: StrykerOptions) {
    this.#sample = options['sample'] as Sample;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    const resultOf = (mutant: Mutant): CheckResult =>
      isSampled(this.#sample, mutant)
        ? { status: CheckStatus.Passed }
        : { status: CheckStatus.CompileError, reason: 'not in the sample' };
    return Promise.resolve(Object.fromEntries(mutants.map((mutant) => [mutant.id, resultOf(mutant)])));
  }
}

interface Path {
  node: { type: string; flags?: string };
  parent?: { type: string; callee?: { name?: string } };
}

/** The wording of texts for users is not part of the rules: translations change it. */
const uiText: Ignorer = {
  shouldIgnore: (path) => {
    const { node, parent } = path as unknown as Path;
    const isUiText = node.type === 'StringLiteral' && parent?.type === 'CallExpression';
    return isUiText && ['t', 'plural'].includes(parent.callee?.name ?? '') ? 'text of the user interface' : undefined;
  },
};

/** Stryker negates properties of strings, such as `\p{RGI_Emoji}`, which makes a pattern invalid. */
const patternOfStrings: Ignorer = {
  shouldIgnore: (path) => {
    const { node } = path as unknown as Path;
    return node.type === 'RegExpLiteral' && node.flags?.includes('v') ? 'pattern of strings' : undefined;
  },
};

const fromZero = ({ line, column }: Position): Position => ({ line: line - 1, column: column - 1 });

/** The tested mutants of the sample so far, also if the run is interrupted. */
export const tested: MutantResult[] = [];

class SampleReporter implements Reporter {
  static readonly inject = tokens(commonTokens.options);
  readonly #sample: Sample;

  constructor(options: StrykerOptions) {
    this.#sample = options['sample'] as Sample;
  }

  onMutantTested(result: MutantResult): void {
    // Results count lines and columns from one, the mutants of the checker from zero.
    const { start, end } = result.location;
    const location = { start: fromZero(start), end: fromZero(end) };
    if (isSampled(this.#sample, { ...result, location })) tested.push(result);
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'unit', MochaRunner),
  declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker),
  declareClassPlugin(PluginKind.Reporter, 'sample', SampleReporter),
  declareValuePlugin(PluginKind.Ignore, 'ui text', uiText),
  declareValuePlugin(PluginKind.Ignore, 'pattern of strings', patternOfStrings),
];
