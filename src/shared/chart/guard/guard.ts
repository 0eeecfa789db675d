/** The guard: accepts only the parts that Vega-Lite compiles charts to, none of which reaches outside of the chart. */
import { fieldsOf, isFields, type Fields } from '../../text/checks.ts';
import { fieldsIn, without } from '../json.ts';
import { atMost, limits, refuse } from '../limits.ts';
import { checkExpression, type ExpressionScope } from './expression.ts';

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const marks = set('arc area group image line path rect rule shape symbol text trail');
/** Those that Vega-Lite compiles to, but quantiles. */
const transforms = set(
  'aggregate bin collect extent filter flatten fold formula geojson geopoint geoshape graticule identifier impute joinaggregate ' +
    'kde loess lookup pivot regression sample sequence stack timeunit voronoi window',
);
/** Properties of data sets and signals. `url`, `async` and `bind` are not among them. */
const dataMembers = set('name values source transform format');
const signalMembers = set('name description value update init on react push');

/** A chart and its views, at any depth. */
const scopesIn = (scope: Fields): Fields[] => [scope, ...fieldsIn(scope.marks).flatMap(scopesIn)];

/**
 * Checks everything that a compiled chart loads and calls. The handlers of events are Vega-Lite's own: `readSpec` checks
 * the texts that they contain.
 * @throws ChartProblem if it uses an unsupported feature or has too many rows
 */
export function checkChart(compiled: Fields): void {
  if (isFields(compiled.config)) compiled.config = without(compiled.config, 'events', 'signals');
  const scopes = scopesIn(compiled);
  const partsOf = (key: string): Fields[] => scopes.flatMap((scope) => fieldsIn(scope[key]));
  const facets = scopes.map(({ from }) => fieldsOf(fieldsOf(from).facet));
  const items = new Set(partsOf('marks').map(({ name }) => name));
  const sources = [...partsOf('data'), ...facets].map(({ name }) => name);
  const scope = { rows: new Set(sources.filter((name) => !items.has(name))), ofItems: false };
  for (const source of partsOf('data')) checkData(source);
  for (const signal of partsOf('signals')) checkSignal(signal, scope);
  checkParts(without(compiled, 'marks'), scope);
  for (const mark of partsOf('marks')) {
    if (!marks.has(String(mark.type))) refuse(String(mark.type));
    // A mark that uses another mark as its data source gets scene items as data.
    const { data } = fieldsOf(mark.from);
    checkParts(without(mark, 'encode', 'marks'), scope);
    checkParts(mark.encode, { ...scope, ofItems: data !== undefined && !scope.rows.has(data) });
  }
}

function only(part: Fields, known: ReadonlySet<string>): void {
  for (const key of Object.keys(part)) if (!known.has(key)) refuse(key);
}

function checkData({ source, values, ...rest }: Fields): void {
  only(rest, dataMembers);
  if (Array.isArray(source)) refuse('source');
  if (typeof values === 'string') refuse('values');
  if (Array.isArray(values)) atMost(values.length, limits.tableRows, 'values');
}

function checkSignal(signal: Fields, scope: ExpressionScope): void {
  only(signal, signalMembers);
  // Vega applies this signal to the CSS cursor.
  if (signal.name === 'cursor') refuse('cursor');
  for (const text of [signal.update, signal.init]) if (typeof text === 'string') checkExpression(text, scope);
}

/** Checks expressions and transforms at any depth, except for signals and rows. */
function checkParts(node: unknown, scope: ExpressionScope): void {
  if (Array.isArray(node)) for (const one of node) checkParts(one, scope);
  if (!isFields(node)) return;
  for (const [name, member] of Object.entries(node)) {
    if (name === 'signals' || (name === 'values' && Array.isArray(member))) continue;
    if (name === 'transform')
      for (const { type } of fieldsIn(member)) if (!transforms.has(String(type))) refuse(String(type));
    if (/^(signal|expr|test)$/.test(name) && typeof member === 'string') checkExpression(member, scope);
    else checkParts(member, scope);
  }
}
