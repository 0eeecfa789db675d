import { ChartProblem } from '../../src/shared/chart/problem.ts';
import { t } from '../../src/shared/l10n.ts';

/** Steps that matching one pattern once may take, at worst. */
const mostSteps = 1e8;
const longestPattern = 500;

/**
 * A pattern can take longer than the age of the world, and nothing can stop it on the way; so it is looked at first.
 * @throws ChartProblem when a repeated group repeats or branches inside, or when the text is too long for it
 */
export function checkPattern(pattern: unknown, text: unknown): void {
  const source = pattern instanceof RegExp ? pattern.source : String(pattern);
  // The length first: to look into an endless pattern takes too long itself.
  if (source.length > longestPattern || stepsOf(source, Math.max(String(text).length, 2)) > mostSteps) {
    throw new ChartProblem('refused', t('The chart uses a text pattern that could take too long.'));
  }
}

/** Steps at worst in a text of that length: each loop within another multiplies by it, each optional part by two. */
function stepsOf(source: string, length: number): number {
  const { loops, options } = variationsIn(source);
  return length ** Math.max(loops, 1) * 2 ** options;
}

interface Variations {
  loops: number;
  options: number;
}

const countIn = (source: string): Variations => ({
  loops: source.match(/[*+{]/g)?.length ?? 0,
  options: source.match(/\?/g)?.length ?? 0,
});

/** A pattern in which every question mark says that something is optional, and every group is a plain one. */
function simplified(source: string): string {
  return (
    source
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
    if (varies && /[*+{]/.test(repeated)) return { loops: Number.POSITIVE_INFINITY, options: 0 };
    const { loops, options } = countIn(inner);
    const branches = loops === 0 && inner.includes('|');
    rest = rest.replace(whole, `${'a*'.repeat(branches ? 1 : loops)}${'a?'.repeat(options)}a${repeated}`);
  }
  return countIn(rest);
}
