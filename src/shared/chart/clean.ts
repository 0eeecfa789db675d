import { t } from '../text/l10n.ts';
import { isFields, type Fields } from './json.ts';
import { atMost, ChartProblem, limits, tooLarge } from './limits.ts';

/** Paint servers, cursors and filters that refer to a URL. */
const addressed = /url\s*\(/i;
/** Sizes in pixels, with their maximum. */
const sizes: readonly [RegExp, number][] = [
  [/(width|height)$/i, 10_000],
  [/(padding|spacing|offset|tickSize)$/i, 5_000],
];

/**
 * Copies a specification without links, images, input widgets and `usermeta`. The copy contains only plain own
 * properties, so that no property name can reach a prototype.
 * @returns the copy, and notices for the user about what was left out
 * @throws ChartProblem if it is too deep or too large, or loads data for a part of the chart
 */
export function cleanSpec(spec: Fields): { spec: Fields; notices: ReadonlySet<string> } {
  const notices = new Set<string>();
  let nodes = 0;
  let transforms = 0;

  function copy(value: unknown, path: readonly string[]): unknown {
    const name = path.at(-1) ?? '';
    checkDepth(path.length);
    if (typeof value === 'string') atMost(value.length, limits.string, name);
    if (typeof value === 'number') checkSize(value, name, path.at(-2) ?? '');
    if (Array.isArray(value)) return value.map((entry) => copy(entry, [...path, name]));
    if (!isFields(value)) return value;
    if (name === 'transform') atMost(++transforms, limits.transforms, name);
    const members = Object.entries(value);
    nodes += members.length;
    if (nodes > limits.nodes) throw tooLarge(t('The chart’s specification is too large.'));
    const kept = members.filter(([key, member]) => !isUnwanted(key, member, path));
    return Object.fromEntries(
      kept.map(([key, member]) => [key, isInlineData(key, name) ? checkRows(member) : copy(member, [...path, key])]),
    );
  }

  function isUnwanted(key: string, member: unknown, path: readonly string[]): boolean {
    const parent = path.at(-1);
    if (key === 'usermeta' || key === '__proto__') return true;
    // Vega-Lite passes these undocumented options on: signal handlers, and the area of a projection.
    if ((key === 'on' && parent === 'params') || (key === 'fit' && parent === 'projection')) return true;
    if (key === 'bind' && member !== 'scales' && member !== 'legend' && !(isFields(member) && 'legend' in member))
      return omit(t('Input controls in charts aren’t shown. Their initial values are used.'));
    if (key === 'href') return omit(t('Links in charts are disabled.'));
    if (key === 'url' && parent === 'data') {
      if (path.length === 1)
        return omit(t('The chart refers to data at a URL. The rows of the result are shown instead.'));
      throw new ChartProblem('refused', t('The chart would load data from a URL, which isn’t allowed.'));
    }
    // In these, `url` is a column name.
    if (key === 'url' && parent !== 'datum' && parent !== 'value' && !path.includes('parse'))
      return omit(t('Images in charts aren’t loaded.'));
    return typeof member === 'string' && addressed.test(member) && key !== 'text' && key !== 'title';
  }

  const omit = (notice: string): true => Boolean(notices.add(notice)) as true;
  return { spec: copy(spec, []) as Fields, notices };
}

function checkDepth(depth: number): void {
  if (depth > limits.depth) throw tooLarge(t('The chart’s specification is nested too deeply.'));
}

/** @returns inline data, which is not copied */
function checkRows(data: unknown, depth = 0): unknown {
  checkDepth(depth);
  if (typeof data === 'object' && data !== null) for (const member of Object.values(data)) checkRows(member, depth + 1);
  return data;
}

const isInlineData = (key: string, parent: string): boolean =>
  (key === 'values' && parent === 'data') || parent === 'datasets';

/** Checks a size by its own name or, for example in `padding: {left}`, by the name of its parent. */
function checkSize(value: number, name: string, parent: string): void {
  const most = sizes.find(([size]) => size.test(name) || size.test(parent))?.[1] ?? Infinity;
  // A step is applied once per value.
  atMost(Math.abs(value), name === 'step' ? most / 20 : most, name);
}
