/** Checks what an expression of a chart calls and reads. How much it creates is limited where it is evaluated. */
import { parseExpression } from 'vega-expression';
import { fieldsOf } from '../../text/checks.ts';
import { refuse } from '../limits.ts';

interface Node {
  type: string;
  [part: string]: unknown;
}

const functions: ReadonlySet<string> = new Set(
  (
    'isArray isBoolean isDate isDefined isFinite isNaN isNumber isObject isRegExp isString isTuple isValid inrange inScope ' +
    'indata toBoolean toDate toNumber toString abs acos asin atan atan2 cos exp hypot log pow sin sqrt tan ceil floor round ' +
    'clamp min max parseInt parseFloat random bandspace bandwidth indexof lastindexof span now datetime utc time timeOffset ' +
    'utcOffset year quarter month week isoweek dayofyear date day hours minutes seconds milliseconds timezoneoffset ' +
    'utcyear utcquarter utcmonth utcweek utcisoweek utcdayofyear utcdate utcday utchours utcminutes utcseconds ' +
    'utcmilliseconds if upper lower trim substring reverse sort slice peek extent clampRange pluck rgb lab hcl hsl ' +
    'merge truncate length format timeFormat utcFormat timeParse utcParse timeUnitSpecifier monthFormat monthAbbrevFormat ' +
    'dayFormat dayAbbrevFormat sequence pad replace split join test scale invert domain range data containerSize geoScale ' +
    'geoCentroid geoTranslate vlSelectionResolve vlSelectionTest vlSelectionIdTest panLinear panLog panPow panSymlog ' +
    'zoomLinear zoomLog zoomPow zoomSymlog'
  ).split(' '),
);
/** Functions that Vega looks a name up for, which must be a literal. */
const byName = /^(scale|invert|domain|range|vlSelection\w+)$/;
/** Functions whose second argument determines how long a text gets, so it must be a literal that means a short one. */
const sized = /^(format|timeFormat|utcFormat|timeParse|utcParse|pad)$/;
const long = /\d{4}|^.{100}/s;
/** Identifiers of events and scene items, which give access to the page. Only Vega-Lite's own handlers need them. */
const opaque = /^(event|item|unit)$/;
/** Properties of every object, through which an expression could reach code. */
const inherited = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'getter']);
/** A pattern with at most one repetition, and none of a group, which takes few steps on any text. */
const plainPattern = /^[^*+{]{0,200}([^)*+{][*+{][^*+{]{0,200})?$/;

export interface ExpressionScope {
  /** The names of data sets with rows. Vega also has one for each mark, with its scene items. */
  rows: ReadonlySet<unknown>;
  /** Whether `datum` is a scene item, whose own `datum` is the row. */
  ofItems: boolean;
}

/**
 * @throws ChartProblem if it calls or reads something that is not allowed
 * @throws Error if it can't be parsed
 */
export function checkExpression(text: string, scope: ExpressionScope): void {
  visit(parseExpression(text) as unknown as Node, scope);
}

function visit(node: Node, scope: ExpressionScope): void {
  switch (node.type) {
    case 'Literal':
      if (node.regex) checkPattern((node.regex as { pattern: string }).pattern);
      return;
    case 'Identifier':
      if (opaque.test(String(node.name)) || (scope.ofItems && node.name === 'datum')) refuse(String(node.name));
      return;
    case 'MemberExpression': {
      const [object, property] = [node.object as Node, node.property as Node];
      const isRow = object.name === 'datum' && nameOf(property, node.computed) === 'datum';
      if (!scope.ofItems || !isRow) visit(object, scope);
      checkName(property, node.computed, scope);
      return;
    }
    case 'Property':
      checkName(node.key as Node, node.computed, scope);
      visit(node.value as Node, scope);
      return;
    case 'CallExpression':
      checkCall(node, scope);
      for (const argument of node.arguments as Node[]) visit(argument, scope);
      return;
    default:
      for (const part of Object.values(node).flat()) if (isNode(part)) visit(part, scope);
  }
}

const isNode = (part: unknown): part is Node => typeof part === 'object' && part !== null && 'type' in part;

/** @returns the name of a property; undefined if it is computed */
const nameOf = ({ type, name, value }: Node, computed: unknown): string | undefined =>
  computed && type !== 'Literal' ? undefined : String(name ?? value);

function checkName(key: Node, computed: unknown, scope: ExpressionScope): void {
  const name = nameOf(key, computed);
  if (name === undefined) visit(key, scope);
  else if (inherited.has(name)) refuse(name);
}

function checkCall({ callee, arguments: args }: Node, { rows }: ExpressionScope): void {
  const { type, name: called, property } = callee as Node;
  if (type !== 'Identifier') refuse(`.${String((property as Node | undefined)?.name ?? '…')}()`);
  const name = String(called).replace(/^_/, '');
  const [first, second] = args as Node[];
  const text = typeof first?.value === 'string' ? first.value : undefined;
  if (!functions.has(name)) refuse(name);
  if (byName.test(name) && text === undefined) refuse(name);
  if (/^(in)?data$/.test(name) && !rows.has(text)) refuse(name);
  // Vega-Lite writes the formats of units of time as a call.
  const isUnit = fieldsOf(second?.callee).name === 'timeUnitSpecifier';
  if (sized.test(name) && second && !isUnit && (second.type !== 'Literal' || long.test(String(second.value))))
    refuse(name);
  if (name === 'test' && !first?.regex) checkPattern(text);
}

function checkPattern(pattern: string | undefined): void {
  if (pattern === undefined || !plainPattern.test(pattern)) refuse(pattern ?? 'test');
}
