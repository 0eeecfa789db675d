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
  const repeats = repeatsIn(source);
  const length = Math.max(String(text).length, 2);
  if (source.length > longestPattern || length ** Math.max(repeats, 1) > mostSteps) {
    throw new ChartProblem('refused', t('The chart uses a text pattern that could take too long.'));
  }
}

/** How many loops lie within each other at worst, infinite for a repeated group that repeats or branches inside. */
function repeatsIn(source: string): number {
  // Escapes and character classes match one character, whatever is in them.
  let rest = source.replace(/\\./gs, 'a').replace(/\[[^\]]*\]/g, 'a');
  for (;;) {
    const group = /\((?:\?[:=!]|\?<[=!]|\?<\w+>)?([^()]*)\)([*+{])?/.exec(rest);
    if (!group) break;
    const [whole, inner = '', repeated] = group;
    const varies = /[*+{|]/.test(inner);
    if (varies && repeated !== undefined) return Number.POSITIVE_INFINITY;
    const loops = 'a*'.repeat(inner.match(/[*+{]/g)?.length ?? 0);
    rest = rest.replace(whole, `${loops === '' && varies ? 'a*' : loops || 'a'}${repeated ?? ''}`);
  }
  return rest.match(/[*+{]/g)?.length ?? 0;
}
