import { t } from '../text/l10n.ts';
import { fieldsIn, isFields, listOf, without, type Fields } from './json.ts';
import { ChartProblem } from './problem.ts';

/** The transforms that Vega-Lite compiles to. Whatever else Vega knows has no business in a chart of ours. */
const known = new Set(
  (
    'aggregate bin collect countpattern cross density dotbin extent filter flatten fold formula geojson geopath geopoint ' +
    'geoshape graticule identifier impute joinaggregate kde kde2d loess lookup nest pivot project quantile regression ' +
    'sample sequence stack timeunit voronoi window'
  ).split(' '),
);

/**
 * Looks through the Vega specification that a Vega-Lite one was compiled to, whatever path led there.
 * @returns the same, without event streams and bindings that reach out of the chart
 * @throws ChartProblem when it would load something, or holds a transform that Vega-Lite does not make
 */
export function checkCompiled(compiled: Fields): Fields {
  const rest = without(compiled, 'usermeta');
  checkScope(rest);
  return { ...rest, config: isFields(rest.config) ? without(rest.config, 'events', 'signals') : {} };
}

function checkScope(scope: Fields): void {
  for (const data of fieldsIn(scope.data)) checkData(data);
  for (const signal of fieldsIn(scope.signals)) checkSignal(signal);
  for (const mark of fieldsIn(scope.marks)) {
    for (const transform of fieldsIn(mark.transform)) checkTransform(transform);
    if (isFields(mark.encode)) for (const set of Object.values(mark.encode)) checkEncoding(set);
    checkScope(mark);
  }
}

function checkData(data: Fields): void {
  if (data.url !== undefined) {
    throw new ChartProblem('refused', t('The chart wants to load data from an address. That is never done.'));
  }
  for (const transform of fieldsIn(data.transform)) checkTransform(transform);
}

function checkTransform({ type }: Fields): void {
  if (typeof type !== 'string' || !known.has(type)) {
    throw new ChartProblem('refused', t('The chart asks for “{0}”, which is not drawn here.', String(type)));
  }
}

function checkSignal(signal: Fields): void {
  delete signal.bind;
  if (Array.isArray(signal.on)) signal.on = fieldsIn(signal.on).filter(({ events }) => staysInside(events, false));
}

/** Streams from outside the chart are only good for following a drag that began inside it. */
function staysInside(events: unknown, dragging: boolean): boolean {
  return listOf(events).every((stream) => {
    if (typeof stream === 'string') return !/window|timer|[^\w\s,:<>!()[\]{}.-]/.test(stream);
    if (!isFields(stream)) return false;
    if (stream.signal !== undefined || stream.scale !== undefined) return true;
    const between = fieldsIn(stream.between);
    if (between.length > 0 && !staysInside(between[0], false)) return false;
    const follows = dragging || between.length > 0;
    if (stream.stream !== undefined && !staysInside(stream.stream, follows)) return false;
    if (stream.merge !== undefined && !staysInside(stream.merge, follows)) return false;
    if (stream.type === 'timer') return false;
    return follows || stream.source === undefined || stream.source === 'view' || stream.source === 'scope';
  });
}

function checkEncoding(set: unknown): void {
  if (!isFields(set)) return;
  delete set.href;
  delete set.url;
}
