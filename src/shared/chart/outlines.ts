import { isFields, type Fields } from './json.ts';

/** The style of maps that are drawn as lines. */
export const outlineStyle = 'outline';

/** @returns the specification, its unfilled maps in a style of their own: what fills a map would fill them, too */
export function styleOutlines(spec: Fields): Fields {
  return styled(spec, '') as Fields;
}

function styled(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return node.map((entry) => styled(entry, key));
  if (!isFields(node) || key === 'data' || key === 'datasets') return node;
  const { type, filled, style } = node;
  if (key === 'mark' && type === 'geoshape' && filled === false && style === undefined)
    return { fill: 'transparent', ...node, style: outlineStyle };
  return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, styled(member, name)]));
}
