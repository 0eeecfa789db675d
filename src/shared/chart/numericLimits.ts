import { t } from '../text/l10n.ts';
import { isFields, type Fields } from './json.ts';
import { limits } from './limits.ts';
import { ChartProblem } from './problem.ts';

/** Members that make something in their number, and how much of it a chart may have. */
const most: Readonly<Record<string, number>> = {
  tickCount: 1_000,
  maxbins: 1_000,
  nice: 1_000,
  count: 1_000,
  symbolLimit: 1_000,
  steps: 1_000,
  minsteps: 1_000,
  maxsteps: 1_000,
  order: 20,
  width: 5_000,
  height: 5_000,
  continuousWidth: 5_000,
  continuousHeight: 5_000,
  discreteWidth: 5_000,
  discreteHeight: 5_000,
  columns: 1_000,
  offset: 5_000,
  labelOffset: 5_000,
  labelPadding: 5_000,
  titlePadding: 5_000,
  tickSize: 5_000,
  spacing: 1_000,
  padding: 5_000,
};
/** The same for members that may say it for each side or direction. */
const mostOfEach: Readonly<Record<string, number>> = {
  width: 500,
  height: 500,
  discreteWidth: 500,
  discreteHeight: 500,
  spacing: 1_000,
  padding: 5_000,
};

/** @throws ChartProblem when a generator's literal numbers ask for too much */
export function checkNumbers(node: Fields): void {
  for (const [key, value] of Object.entries(node)) {
    const limit = Object.hasOwn(most, key) ? most[key] : undefined;
    if (limit !== undefined && typeof value === 'number' && Math.abs(value) > limit) tooMuch(key, value, limit);
    if (Object.hasOwn(mostOfEach, key) && isFields(value)) checkEach(value, mostOfEach[key] ?? 0);
    if (key === 'format' && typeof value === 'string' && /\d{4,}/.test(value)) tooMuch(key, value, 999);
    if (key === 'strokeDash' && Array.isArray(value)) checkDashes(value);
    if (key === 'sequence' && isFields(value)) checkSequence(value);
    if (key === 'keyvals' && isFields(value)) checkSequence(value);
    if (key === 'graticule' && isFields(value)) checkGraticule(value);
    if (key === 'base' && typeof value === 'number' && value > 0 && Math.abs(Math.log(value)) < 0.01) {
      tooMuch(key, value, 1.01);
    }
  }
}

function checkEach(node: Fields, limit: number): void {
  for (const [key, value] of Object.entries(node))
    if (typeof value === 'number' && Math.abs(value) > limit) tooMuch(key, value, limit);
}

function tooMuch(what: string, value: unknown, limit: number): never {
  throw new ChartProblem(
    'tooLarge',
    t('The chart asks for “{0}: {1}”, more than is drawn here ({2}).', what, String(value).slice(0, 40), limit),
  );
}

function checkSequence({ start = 0, stop, step = 1 }: Fields): void {
  if (typeof start !== 'number' || typeof stop !== 'number' || typeof step !== 'number') {
    throw new ChartProblem('invalid', t('A sequence in the chart needs numbers for start, stop and step.'));
  }
  const size = Math.abs((stop - start) / step);
  if (!(size <= limits.generated)) tooMuch('sequence', size, limits.generated);
}

function checkDashes(dashes: readonly unknown[]): void {
  const lengths = dashes.filter((dash) => typeof dash === 'number');
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total !== 0 && total < 0.5) tooMuch('strokeDash', total, 0.5);
}

function checkGraticule(graticule: Fields): void {
  for (const key of ['step', 'stepMajor', 'stepMinor']) {
    const steps = graticule[key];
    if (!Array.isArray(steps)) continue;
    for (const step of steps) if (typeof step !== 'number' || !(step >= 1)) tooMuch(key, step, 1);
  }
  if (typeof graticule.precision === 'number' && !(graticule.precision >= 0.1)) {
    tooMuch('precision', graticule.precision, 0.1);
  }
}
