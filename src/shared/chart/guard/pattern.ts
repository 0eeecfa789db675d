import { t } from '../../text/l10n.ts';
import { ChartProblem } from '../limits.ts';

const longest = 200;
/** Steps that matching once may take in the worst case. */
const mostSteps = 10_000_000;

/**
 * A backtracking matcher can start at every character and end every loop at every character after the one before, and
 * each optional part doubles that.
 * @param source the source of a regular expression
 * @param length characters of the text that it is matched against, at most
 * @returns steps in the worst case
 * @throws ChartProblem when a repeated group varies inside, or when there are too many steps
 */
export function patternSteps(source: string, length: number): number {
  const plain = source
    .slice(0, longest)
    // A back-reference can match as much as a loop; any other escape and a class match one character.
    .replace(/\\(?:[1-9]|k<)/g, 'a*')
    .replace(/\\./gs, 'a')
    .replace(/\[[^\][]{0,200}\]/g, 'a')
    .replace(/\(\?(?:[:=!]|<[=!])/g, '(')
    .replace(/([*+?}])\?/g, '$1');
  const loops = plain.match(/[*+{]/g)?.length ?? 0;
  const options = plain.match(/[?|]/g)?.length ?? 0;
  const steps = (length + 1) ** (loops + 1) * 2 ** options;
  const repeatsGroup = /\)[*+{]/.test(plain) && loops + options > 1;
  if (source.length > longest || repeatsGroup || steps > mostSteps)
    throw new ChartProblem('refused', t('The chart uses a regular expression that could take too long.'));
  return steps;
}
