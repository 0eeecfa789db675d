import { isFields, without, type Fields } from './json.ts';

/** The name under which a specification finds the result's rows. */
export const tableName = 'result rows';

/**
 * @returns the specification with its data settled: inline data of its own stays, whatever else it names is the
 * result's rows, to be put in under {@link tableName} when it has been compiled
 */
export function attachData(spec: Fields): Fields {
  const datasets = isFields(spec.datasets) ? Object.keys(spec.datasets) : [];
  return { ...(settle(spec, datasets) as Fields), data: settledData(spec.data ?? {}, datasets) };
}

function settle(node: unknown, datasets: readonly string[]): unknown {
  if (Array.isArray(node)) return node.map((entry) => settle(entry, datasets));
  if (!isFields(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === 'datasets') return [key, value];
      return [key, key === 'data' && isFields(value) ? settledData(value, datasets) : settle(value, datasets)];
    }),
  );
}

function settledData(data: unknown, datasets: readonly string[]): unknown {
  if (!isFields(data)) return data === null ? null : { name: tableName };
  if (['sequence', 'graticule', 'sphere'].some((key) => data[key] !== undefined)) return data;
  if (data.values !== undefined && !isEmpty(data.values)) return data;
  if (typeof data.name === 'string' && datasets.includes(data.name)) return data;
  const format = isFields(data.format) ? data.format : {};
  // Only `parse` and the like make sense for rows that are objects already.
  const kept = without(format, 'type', 'feature', 'mesh', 'property');
  return { name: tableName, ...(Object.keys(kept).length > 0 ? { format: kept } : {}) };
}

function isEmpty(values: unknown): boolean {
  return (
    (Array.isArray(values) && values.length === 0) || values === '' || (isFields(values) && !Object.keys(values).length)
  );
}
