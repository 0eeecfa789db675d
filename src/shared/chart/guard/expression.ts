/** Checks what an expression of a chart calls and reads. How much it creates is limited where it is evaluated. */
import { parseExpression } from 'vega-expression';
import { t } from '../../text/l10n.ts';
import { ChartProblem, refuse } from '../limits.ts';

export interface ExpressionScope {
  /** Whether it is an event handler, which only Vega-Lite's own code contains. */
  handler: boolean;
  /** Whether `datum` is a scene item instead of a row. */
  ofItems: boolean;
  /** Whether a signal contains an event or a scene item. */
  isOpaque: (signal: string) => boolean;
}

interface Node {
  type: string;
  [part: string]: unknown;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const constants = set('NaN E LN2 LN10 LOG2E LOG10E PI SQRT1_2 SQRT2 MIN_VALUE MAX_VALUE');
const functions = set(
  'isArray isBoolean isDate isDefined isFinite isNaN isNumber isObject isRegExp isString isTuple isValid inrange inScope ' +
    'indata toBoolean abs acos asin atan atan2 cos exp hypot log pow sin sqrt tan parseInt parseFloat bandspace bandwidth ' +
    'luminance contrast indexof lastindexof span geoArea geoScale geoBounds geoCentroid geoTranslate cumulativeNormal ' +
    'cumulativeLogNormal cumulativeUniform densityNormal densityLogNormal densityUniform quantileNormal quantileLogNormal ' +
    'quantileUniform random sampleNormal sampleLogNormal sampleUniform now datetime utc time timeOffset utcOffset year ' +
    'quarter month week isoweek dayofyear date day hours minutes seconds milliseconds timezoneoffset utcyear utcquarter ' +
    'utcmonth utcweek utcisoweek utcdayofyear utcdate utcday utchours utcminutes utcseconds utcmilliseconds if ceil floor ' +
    'round toDate toNumber toString clamp min max upper lower trim substring reverse sort slice peek extent clampRange lerp ' +
    'interpolateLinear flush pluck monthFormat monthAbbrevFormat dayFormat dayAbbrevFormat rgb lab hcl hsl merge truncate ' +
    'length encodeURIComponent btoa atob format timeFormat utcFormat timeParse utcParse timeUnitSpecifier sequence pad ' +
    'replace split join test regexp scale invert domain range data vlSelectionResolve vlSelectionTest vlSelectionIdTest ' +
    'containerSize windowSize screen panLinear panLog panPow panSymlog zoomLinear zoomLog zoomPow zoomSymlog lassoAppend ' +
    'lassoPath',
);
const inHandlers = set('item group xy x y modify intersect intersectLasso vlSelectionTuples');
/** Functions that Vega looks a name up for, which must be a literal. */
const byName = set('scale invert domain range data modify indata vlSelectionResolve vlSelectionTest vlSelectionIdTest');
/** Functions that return an event, a scene item or one of their arguments. */
const passing = set('item group xy if clamp min max peek slice reverse sort pluck flush merge');
/** The position of the argument that is a pattern. */
const patterns: Readonly<Record<string, number>> = { test: 0, regexp: 0, replace: 1, split: 1 };
/** Properties of every object, through which an expression could reach code. */
const inherited = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'getter']);
/** Properties of events and scene items that contain plain values or items. */
const safe =
  /^(item|mark|marktype|role|name|datum|isVoronoi|items|\d+|(shift|alt|ctrl|meta)Key|key|delta(X|Y|Mode)|width|height)$/;

/**
 * @returns whether its value can be an event or a scene item, which give access to the page
 * @throws ChartProblem if it calls, reads or creates something that is not allowed
 */
export function checkExpression(text: string, scope: ExpressionScope): boolean {
  return visit(parse(text), scope);
}

function parse(text: string): Node {
  try {
    return parseExpression(text) as unknown as Node;
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ChartProblem('invalid', t('An expression of the chart can’t be parsed: {0}', reason.slice(0, 200)));
  }
}

function visit(node: Node, scope: ExpressionScope): boolean {
  const of = (part: unknown): boolean => visit(part as Node, scope);
  const ofAll = (parts: unknown): boolean => (parts as unknown[]).map(of).some(Boolean);
  /** Rejects an event or item: it may be used only where its properties are checked. */
  const plain = (part: unknown): false => (of(part) ? refuse('event') : false);
  const collected = (parts: unknown): boolean =>
    scope.handler ? ofAll(parts) : (parts as unknown[]).map(plain).some(Boolean);
  switch (node.type) {
    case 'Literal':
      return false;
    case 'Identifier':
      if (node.name === 'datum') return scope.ofItems;
      if (node.name === 'event' || node.name === 'item') return true;
      return !constants.has(String(node.name)) && scope.isOpaque(String(node.name));
    case 'MemberExpression':
      return member(node, scope);
    case 'CallExpression':
      return call(node, scope, of, plain);
    case 'ArrayExpression':
      return collected(node.elements);
    case 'ObjectExpression':
      for (const { key, computed } of node.properties as Node[]) {
        const { name, value } = key as Node;
        if (computed || inherited.has(String(name ?? value))) refuse(String(name ?? value));
      }
      return collected((node.properties as Node[]).map(({ value }) => value));
    case 'ConditionalExpression':
      of(node.test);
      return ofAll([node.consequent, node.alternate]);
    case 'LogicalExpression': {
      // If `a && b` evaluates to `a`, it is not an object.
      const [left, right] = [of(node.left), of(node.right)];
      return right || (left && node.operator === '||');
    }
    case 'UnaryExpression':
      return node.operator === '!' ? of(node.argument) && false : plain(node.argument);
    case 'BinaryExpression': {
      const check = /^[!=]==?$/.test(String(node.operator)) ? of : plain;
      return [node.left, node.right].map(check) && false;
    }
    default:
      return refuse(node.type);
  }
}

function member({ object, property, computed }: Node, scope: ExpressionScope): boolean {
  const isOpaque = visit(object as Node, scope);
  const key = property as Node;
  const name = computed && key.type !== 'Literal' ? undefined : String(key.name ?? key.value);
  if (name === undefined && visit(key, scope)) refuse('event');
  if (name !== undefined && inherited.has(name)) refuse(name);
  if (!isOpaque) return false;
  if (name === undefined || !safe.test(name)) return refuse(`event.${name ?? '…'}`);
  return /^(item|mark|items|\d+)$/.test(name);
}

function call(
  node: Node,
  { handler }: ExpressionScope,
  of: (part: Node) => boolean,
  plain: (part: Node) => boolean,
): boolean {
  const callee = node.callee as Node;
  if (callee.type !== 'Identifier') refuse(`.${String((callee.property as Node | undefined)?.name ?? '…')}()`);
  const name = String(callee.name).replace(/^_/, '');
  if (!functions.has(name) && !(handler && inHandlers.has(name))) refuse(name);
  const args = node.arguments as Node[];
  const [first] = args;
  if (byName.has(name) && typeof first?.value !== 'string') refuse(name);
  if (name === 'modify' && !String(first?.value).endsWith('_store')) refuse(name);
  const pattern = Object.hasOwn(patterns, name) ? args[patterns[name]!] : undefined;
  if (Object.hasOwn(patterns, name) && !isSafePattern(pattern, name)) refuse(name);
  const areOpaque = args.map(handler || name === 'inScope' || name === 'isTuple' ? of : plain);
  return /^(item|group|xy)$/.test(name) || (passing.has(name) && areOpaque.some(Boolean));
}

/**
 * A pattern must be a literal whose match takes few steps: at most two repetitions, and none of a group or of what a
 * group has matched.
 */
function isSafePattern(node: Node | undefined, name: string): boolean {
  const isCall = node?.type === 'CallExpression' && (node.callee as Node).name === 'regexp';
  const { type, regex, value } = isCall ? ((node.arguments as Node[])[0] ?? { type: '' }) : (node ?? { type: '' });
  const isText = type === 'Literal' && typeof value === 'string';
  if (isText && !isCall && (name === 'replace' || name === 'split')) return true;
  const source = isText ? value : type === 'Literal' && regex ? (regex as { pattern: string }).pattern : undefined;
  if (source === undefined || source.length > 200 || /\\[1-9k]/.test(source)) return false;
  const bare = source.replace(/\\./gs, 'a').replace(/\[[^\][]{0,200}\]/g, 'a');
  return !/\)[*+{]/.test(bare) && (bare.match(/[*+{]/g)?.length ?? 0) <= 2;
}
