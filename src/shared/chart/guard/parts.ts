/** What the parts of a compiled chart may have. */
import { isFields, type Fields } from '../json.ts';
import { refuse } from '../limits.ts';

/** Microseconds for each of these, without its expressions and its rows. */
export const times = { group: 450, mark: 150, guide: 1_500, item: 18, label: 60, signal: 10 };

/** Members that a part of a compiled chart may have; whatever else Vega knows is refused. */
export const members = {
  scope:
    '$schema description background padding width height autosize style data signals scales projections axes legends ' +
    'marks title layout encode config name type from sort transform clip interactive aria role zindex key',
  data: 'name values source transform format',
  signal: 'name description value update init on react push',
};
/** Members of a scope that are checked one by one. */
export const apart = ['data', 'signals', 'axes', 'legends', 'marks', 'from', 'transform', 'encode'];
export const markTypes = new Set('arc area group line path rect rule shape symbol text trail image'.split(' '));

/** @throws ChartProblem when a node has any other member */
export function only(node: Fields, known: string): void {
  const names = known.split(' ');
  for (const key of Object.keys(node)) if (!names.includes(key)) refuse(key);
}

/** Takes links, images and pointers at an address out of an encoding. */
export function dropAddresses(set: Fields): void {
  delete set.href;
  delete set.url;
  const { cursor } = set;
  if (isFields(cursor) && !/^[\w-]+$/.test(String(cursor.value))) delete set.cursor;
}
