import { t } from '../text/l10n.ts';
import { isFields, type Fields } from './json.ts';
import { checkSizes } from './guard/members.ts';
import { atMost, limits } from './limits.ts';
import { ChartProblem } from './problem.ts';

/** What had to be left out of a specification that is drawn all the same. */
export interface Omissions {
  images: boolean;
  links: boolean;
  inputs: boolean;
  /** Data at an address, in the place of which the result's rows are drawn. */
  address: boolean;
}

/** Paint servers, cursors and filters that name an address. */
const addressed = /url\s*\(/i;

/**
 * Copies a specification without what is never honoured: links, images, input widgets, `usermeta`. The copy has
 * plain own members only, so no member name in it can reach a prototype.
 * @throws ChartProblem when it is too deep or too large, or names data elsewhere
 */
export function cleanSpec(spec: Fields): { spec: Fields; omissions: Omissions } {
  const omissions: Omissions = { images: false, links: false, inputs: false, address: false };
  let nodes = 0;
  let inlineNodes = 0;
  let transforms = 0;

  function copy(value: unknown, depth: number, path: readonly string[]): unknown {
    if (++nodes > limits.nodes) throw tooLarge();
    if (depth > limits.depth) throw tooDeep();
    if (Array.isArray(value)) return value.map((entry) => copy(entry, depth + 1, path));
    if (typeof value === 'string') atMost(value.length, limits.string, path.at(-1) ?? '');
    if (!isFields(value)) return value;
    if (path.at(-1) === 'transform' && ++transforms > limits.transforms) throw tooLarge();
    const members = Object.entries(value);
    // Counted before they are looked at: the page waits meanwhile.
    if (nodes + members.length > limits.nodes) throw tooLarge();
    checkSizes(value);
    const kept: [string, unknown][] = [];
    for (const [key, member] of members) {
      if (isInlineData(key, path)) {
        inlineNodes += countNodes(member, depth + 1, limits.inlineNodes - inlineNodes);
        kept.push([key, member]);
      } else if (!isUnwanted(key, member, path, omissions)) {
        kept.push([key, copy(member, depth + 1, [...path, key])]);
      }
    }
    return Object.fromEntries(kept);
  }

  return { spec: copy(spec, 1, []) as Fields, omissions };
}

function isUnwanted(key: string, member: unknown, path: readonly string[], omissions: Omissions): boolean {
  const parent = path.at(-1);
  if (key === 'usermeta' || key === '__proto__') return true;
  // Vega-Lite hands these on, though it documents neither: handlers of its variables, and a map's own area.
  if ((key === 'on' && parent === 'params') || (key === 'fit' && parent === 'projection')) return true;
  if (key === 'bind') {
    const keeps = member === 'scales' || member === 'legend' || (isFields(member) && 'legend' in member);
    if (!keeps) omissions.inputs = true;
    return !keeps;
  }
  if (key === 'href') {
    omissions.links = true;
    return true;
  }
  if (key === 'url' && parent === 'data') {
    if (path.length === 1) return (omissions.address = true);
    throw new ChartProblem('refused', t('The chart would load data from a URL, which isn’t allowed.'));
  }
  if (key === 'url' && !isEncodedText(path)) {
    omissions.images = true;
    return true;
  }
  return typeof member === 'string' && addressed.test(member) && key !== 'text' && key !== 'title';
}

/** Whether a member named `url` is but a name that the author chose, not an address. */
function isEncodedText(path: readonly string[]): boolean {
  return path.at(-1) === 'datum' || path.at(-1) === 'value' || path.includes('parse');
}

function isInlineData(key: string, path: readonly string[]): boolean {
  return (key === 'values' && path.at(-1) === 'data') || path.at(-1) === 'datasets';
}

function countNodes(value: unknown, depth: number, room: number): number {
  if (depth > limits.depth) throw tooDeep();
  if (room <= 0) throw tooLarge();
  if (typeof value === 'string') {
    if (value.length > limits.string) throw tooLarge();
    return 1 + value.length / 16;
  }
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value)) count += countNodes(member, depth + 1, room - count);
  return count;
}

const tooLarge = (): ChartProblem => new ChartProblem('tooLarge', t('The chart’s specification is too large.'));
const tooDeep = (): ChartProblem => new ChartProblem('tooLarge', t('The chart’s specification is nested too deeply.'));
