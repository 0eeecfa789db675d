/** Logarithmic scales: what begins at zero, or lies at it, would leave them without a domain and the chart empty. */
import { fieldsIn, isFields, type Fields } from '../../src/shared/chart/json.ts';
import { memberOf, plainName } from '../../src/shared/chart/names.ts';

/** @returns the Vega-Lite specification, with nothing stacked along a logarithmic axis: a stack begins at zero */
export const unstackLogarithms = (spec: Fields): Fields => unstacked(spec) as Fields;

function unstacked(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(unstacked);
  if (!isFields(node)) return node;
  const members = Object.entries(node).map(([name, member]) => {
    if (name === 'data' || name === 'datasets') return [name, member];
    const isLogarithmic =
      /^[xy]$/.test(name) && isFields(member) && isFields(member.scale) && member.scale.type === 'log';
    return [name, isLogarithmic ? { ...member, stack: null } : unstacked(member)];
  });
  return Object.fromEntries(members);
}

/** Leaves out of a compiled specification what has no place on the logarithmic scale that it would be drawn on. */
export function leaveOutBelowLogarithms({ scales, data }: Fields): void {
  const sources = fieldsIn(data);
  for (const { type, domain } of fieldsIn(scales)) {
    if (type !== 'log' || !isFields(domain)) continue;
    const several = Array.isArray(domain.fields) ? (domain.fields as unknown[]) : [domain.field];
    for (const one of several) {
      const [name, field] = isFields(one) ? [one.data, one.field] : [domain.data, one];
      const source = sources.find((each) => each.name === name);
      if (!source || typeof field !== 'string') continue;
      const positive = { type: 'filter', expr: `datum[${JSON.stringify(memberOf(plainName(field)))}] > 0` };
      source.transform = [...fieldsIn(source.transform), positive];
    }
  }
}
