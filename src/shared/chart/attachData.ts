/** Prepares a checked specification for compiling: its data sources, and options that would be drawn wrongly. */
import { fieldsOf, isFields, type Fields } from '../text/checks.ts';
import { rewrite, without } from './json.ts';

/** Name of the data source with the rows of the result. */
export const tableName = 'result rows';
/** Style of maps that are drawn as lines. */
export const outlineStyle = 'outline';

/**
 * @returns the specification to compile: inline data stays, any other data refers to {@link tableName}; options that
 * Vega-Lite or our theme would draw wrongly are corrected
 */
export function attachData(spec: Fields): Fields {
  const datasets = Object.entries(fieldsOf(spec.datasets)).flatMap(([name, rows]) => (isEmpty(rows) ? [] : [name]));
  const settled = rewrite(spec, (key, member) => {
    if (!isFields(member)) return member;
    if (key === 'data') return settledData(member, datasets);
    // A separate style, because the theme's fill for maps would apply.
    if (key === 'mark' && member.type === 'geoshape' && member.filled === false && member.style === undefined)
      return { fill: 'transparent', ...member, style: outlineStyle };
    // The names of repeated columns are escaped, also where a legend shows them.
    if (isFields(member.datum) && member.datum.repeat !== undefined && member.legend !== null)
      return {
        ...member,
        legend: { labelExpr: String.raw`replace(datum.label, /\\(.)/g, '$1')`, ...fieldsOf(member.legend) },
      };
    // A stack starts at zero, which a logarithmic scale can't show.
    const isLogarithmic = /^[xy]$/.test(key) && isFields(member.scale) && member.scale.type === 'log';
    return isLogarithmic ? { ...member, stack: null } : member;
  });
  return { ...(settled as Fields), data: settledData(spec.data ?? {}, datasets) };
}

function settledData(data: unknown, datasets: readonly string[]): unknown {
  if (!isFields(data)) return { name: tableName };
  if (['sequence', 'graticule', 'sphere'].some((key) => data[key] !== undefined)) return data;
  if (data.values !== undefined && !isEmpty(data.values)) return data;
  if (typeof data.name === 'string' && datasets.includes(data.name)) return data;
  // For rows that are already objects, only `parse` and similar options apply.
  const format = isFields(data.format) ? without(data.format, 'type', 'feature', 'mesh', 'property') : {};
  return { name: tableName, ...(Object.keys(format).length > 0 ? { format } : {}) };
}

const isEmpty = (values: unknown): boolean =>
  values === '' || (typeof values === 'object' && values !== null && Object.keys(values).length === 0);
