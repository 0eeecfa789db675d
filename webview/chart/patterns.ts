import { ChartProblem } from '../../src/shared/chart/problem.ts';
import { t } from '../../src/shared/text/l10n.ts';

/** Steps that matching one pattern once may take, at worst: some tens of milliseconds. */
const mostSteps = 1e7;
const longestPattern = 500;

/**
 * A pattern can take longer than the age of the world, and nothing can stop it on the way; so it is looked at first.
 * @throws ChartProblem when a repeated group repeats or branches inside, or when the text is too long for it
 */
export function checkPattern(pattern: unknown, text: unknown): void {
  const source = pattern instanceof RegExp ? pattern.source : String(pattern);
  const byLine = pattern instanceof RegExp && pattern.multiline;
  // The length first: to look into an endless pattern takes too long itself.
  if (source.length > longestPattern || stepsOf(source, byLine, Math.max(String(text).length, 2)) > mostSteps) {
    throw new ChartProblem('refused', t('The chart uses a text pattern that could take too long.'));
  }
}

/**
 * Steps at worst in a text of that length: the search may begin at every place and every loop may end at every place
 * after the one before it, and each optional part doubles that.
 */
function stepsOf(source: string, byLine: boolean, length: number): number {
  const { loops, options, branches } = variationsIn(source);
  const places = source.startsWith('^') && !byLine && !branches ? loops : loops + 1;
  let steps = 2 ** options;
  for (let place = 1; place <= places && steps <= mostSteps; place++) steps *= (length + place) / place;
  return steps;
}

interface Variations {
  loops: number;
  options: number;
  /** Whether there are alternatives outside all groups. */
  branches: boolean;
}

const countIn = (source: string): Variations => ({
  loops: source.match(/[*+{]/g)?.length ?? 0,
  options: source.match(/\?/g)?.length ?? 0,
  branches: source.includes('|'),
});

/** A pattern in which every question mark says that something is optional, and every group is a plain one. */
function simplified(source: string): string {
  return (
    source
      // What a group has matched may be as long as the text.
      .replace(/\\(?:[1-9]|k<[^>]*>)/g, 'a*')
      // Escapes and character classes match one character, whatever is in them.
      .replace(/\\./gs, 'a')
      .replace(/\[[^\]]*\]/g, 'a')
      .replace(/\(\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]+:)/g, '(')
      // What is lazy takes as many steps as what is greedy.
      .replace(/([*+?]|\{\d+(?:,\d*)?\})\?/g, '$1')
  );
}

/** How much of a pattern can vary; loops are infinite for a repeated group that varies inside. */
function variationsIn(source: string): Variations {
  let rest = simplified(source);
  for (;;) {
    const group = /\(([^()]*)\)([*+{?])?/.exec(rest);
    if (!group) break;
    const [whole, inner = '', repeated = ''] = group;
    const varies = /[*+{|?]/.test(inner);
    if (varies && /[*+{]/.test(repeated)) return { loops: Infinity, options: 0, branches: true };
    const { loops, options, branches } = countIn(inner);
    rest = rest.replace(
      whole,
      `${'a*'.repeat(branches ? Math.max(loops, 1) : loops)}${'a?'.repeat(options)}a${repeated}`,
    );
  }
  return countIn(rest);
}
