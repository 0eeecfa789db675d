/** The guard: accepts only the parts that Vega-Lite compiles charts to, none of which reaches outside of the chart. */
import { fieldsOf, isFields, type Fields } from '../../text/checks.ts';
import { asList, fieldsIn, objectsIn, without } from '../json.ts';
import { atMost, limits, refuse } from '../limits.ts';
import { checkExpression, type ExpressionScope } from './expression.ts';

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const marks = set('arc area group image line path rect rule shape symbol text trail');
const transforms = set(
  'aggregate bin collect density dotbin extent filter flatten fold formula geojson geopath geopoint geoshape graticule ' +
    'identifier impute joinaggregate kde loess lookup pivot project quantile regression sample sequence stack timeunit ' +
    'voronoi window',
);
/** Properties of data sets and signals. `url`, `async` and `bind` are not among them. */
const dataMembers = set('name values source transform format');
const signalMembers = set('name description value update init on react push');
/** An event type of one source, optionally throttled; anything else is a selector. */
const stream = /^(\w+:)?\w+(\{\d+\})?$/;

function only(part: Fields, known: ReadonlySet<string>): void {
  for (const key of Object.keys(part)) if (!known.has(key)) refuse(key);
}

/** A chart and its views, at any depth. */
const scopesIn = (scope: Fields): Fields[] => [scope, ...fieldsIn(scope.marks).flatMap(scopesIn)];

/**
 * Checks everything that a compiled chart loads, listens to and calls.
 * @throws ChartProblem if it uses an unsupported feature or has too many rows
 */
export function checkChart(compiled: Fields): void {
  if (isFields(compiled.config)) compiled.config = without(compiled.config, 'events', 'signals');
  const scopes = scopesIn(compiled);
  const partsOf = (key: string): Fields[] => scopes.flatMap((scope) => fieldsIn(scope[key]));
  const facets = scopes.map(({ from }) => fieldsOf(fieldsOf(from).facet));
  const data = new Set([...partsOf('data'), ...facets].map(({ name }) => name));
  const signals = Map.groupBy(partsOf('signals'), ({ name }) => String(name));
  const known = new Map<string, boolean>();

  function isOpaque(name: string): boolean {
    const found = known.get(name);
    if (found !== undefined) return found;
    // Prevents endless recursion if the signal refers to itself.
    known.set(name, false);
    const opaque = (signals.get(name) ?? []).map(checkSignal).some(Boolean);
    known.set(name, opaque);
    return opaque;
  }

  const scopeOf = (more: Partial<ExpressionScope> = {}): ExpressionScope => ({
    handler: false,
    ofItems: false,
    isOpaque,
    ...more,
  });

  /** @returns whether the signal can contain an event or a scene item */
  function checkSignal(signal: Fields): boolean {
    only(signal, signalMembers);
    // Vega applies this signal to the CSS cursor.
    if (signal.name === 'cursor') refuse('cursor');
    // The configuration makes Vega block streams from outside the chart; their filters are expressions.
    for (const { events, filter } of objectsIn(signal.on)) {
      if (typeof events === 'string' && !stream.test(events)) refuse(events);
      for (const text of asList(filter)) checkExpression(String(text), scopeOf({ handler: true, ofItems: true }));
    }
    const changes = fieldsIn(signal.on).map(({ update }) =>
      isFields(update) ? (update.signal ?? update.expr) : update,
    );
    const isText = (text: unknown): text is string => typeof text === 'string';
    return [
      ...[signal.update, signal.init].filter(isText).map((text) => checkExpression(text, scopeOf())),
      ...changes.filter(isText).map((text) => checkExpression(text, scopeOf({ handler: true }))),
    ].some(Boolean);
  }

  function checkData({ source, values, ...rest }: Fields): void {
    only(rest, dataMembers);
    if (Array.isArray(source)) refuse('source');
    if (typeof values === 'string') refuse('values');
    if (Array.isArray(values)) atMost(values.length, limits.tableRows, 'values');
  }

  /** Checks expressions and transforms at any depth, except for those of signals. */
  function walk(node: unknown, scope: ExpressionScope): void {
    if (Array.isArray(node)) for (const one of node) walk(one, scope);
    if (!isFields(node)) return;
    for (const [name, member] of Object.entries(node)) {
      if (name === 'signals' || name === 'values') continue;
      if (name === 'transform')
        for (const { type } of fieldsIn(member)) if (!transforms.has(String(type))) refuse(String(type));
      if (name === 'marks') for (const mark of fieldsIn(member)) checkMark(mark);
      else if (/^(signal|expr|test)$/.test(name) && typeof member === 'string') checkExpression(member, scope);
      else walk(member, scope);
    }
  }

  function checkMark(mark: Fields): void {
    if (!marks.has(String(mark.type))) refuse(String(mark.type));
    // A mark that uses another mark as its data source gets scene items as data.
    const { data: name } = fieldsOf(mark.from);
    walk(without(mark, 'encode'), scopeOf());
    walk(mark.encode, scopeOf({ ofItems: name !== undefined && !data.has(name) }));
  }

  for (const source of partsOf('data')) checkData(source);
  for (const name of signals.keys()) isOpaque(name);
  walk(compiled, scopeOf());
}
