import { isFields, rewrite, without, type Fields } from './json.ts';

/** The name under which a specification finds the result's rows. */
export const tableName = 'result rows';
/** The style of maps that are drawn as lines. */
export const outlineStyle = 'outline';

/**
 * @returns the specification as it is compiled: inline data of its own stays, whatever else it names is the result's
 * rows, to be put in under {@link tableName}; what Vega-Lite and our theme would draw wrongly is corrected
 */
export function attachData(spec: Fields): Fields {
  const datasets = isFields(spec.datasets) ? Object.keys(spec.datasets) : [];
  const settled = rewrite(spec, (key, member) => {
    if (!isFields(member)) return member;
    if (key === 'data') return settledData(member, datasets);
    // A style of its own, because the theme's fill for maps would fill it.
    if (key === 'mark' && member.type === 'geoshape' && member.filled === false && member.style === undefined)
      return { fill: 'transparent', ...member, style: outlineStyle };
    // A stack begins at zero, which has no place on a logarithmic scale.
    const isLogarithmic = /^[xy]$/.test(key) && isFields(member.scale) && member.scale.type === 'log';
    return isLogarithmic ? { ...member, stack: null } : member;
  });
  return { ...(settled as Fields), data: settledData(spec.data ?? {}, datasets) };
}

function settledData(data: unknown, datasets: readonly string[]): unknown {
  if (!isFields(data)) return data === null ? null : { name: tableName };
  if (['sequence', 'graticule', 'sphere'].some((key) => data[key] !== undefined)) return data;
  if (data.values !== undefined && !isEmpty(data.values)) return data;
  if (typeof data.name === 'string' && datasets.includes(data.name)) return data;
  // Only `parse` and the like make sense for rows that are objects already.
  const format = isFields(data.format) ? without(data.format, 'type', 'feature', 'mesh', 'property') : {};
  return { name: tableName, ...(Object.keys(format).length > 0 ? { format } : {}) };
}

const isEmpty = (values: unknown): boolean =>
  values === '' || (typeof values === 'object' && values !== null && Object.keys(values).length === 0);
