import { fieldsIn, isFields, type Fields } from './json.ts';

/** A single view of a specification with the encoding it inherits. */
export interface Unit {
  mark: string;
  /** The mark's own settings; empty when only its name is given. */
  settings: Fields;
  encoding: Fields;
}

/** Names of encoding channels that split a view into small ones. */
export const facetChannels = ['row', 'column', 'facet'] as const;

/** The specifications that one is composed of. */
function partsOf(spec: Fields): Fields[] {
  const parts = [spec.layer, spec.concat, spec.hconcat, spec.vconcat].flatMap(fieldsIn);
  return isFields(spec.spec) ? [...parts, spec.spec] : parts;
}

/** @returns the single views, in order; repeats count once */
export function unitsOf(spec: Fields, inherited: Fields = {}): Unit[] {
  const encoding = { ...inherited, ...(isFields(spec.encoding) ? spec.encoding : {}) };
  const settings = isFields(spec.mark) ? spec.mark : {};
  const mark = settings.type ?? spec.mark;
  if (typeof mark === 'string') return [{ mark, settings, encoding }];
  return partsOf(spec).flatMap((child) => unitsOf(child, encoding));
}

/** @returns how many single views a specification draws, repeats multiplied out; facets are not counted */
export function viewCount(spec: Fields): number {
  const children = [spec.layer, spec.concat, spec.hconcat, spec.vconcat].flatMap(fieldsIn);
  if (children.length > 0) return children.reduce((sum, child) => sum + viewCount(child), 0);
  if (isFields(spec.spec)) return viewCount(spec.spec) * repeats(spec.repeat);
  return 1;
}

function repeats(repeat: unknown): number {
  if (Array.isArray(repeat)) return repeat.length;
  if (!isFields(repeat)) return 1;
  const sizes = [repeat.row, repeat.column, repeat.layer].filter(Array.isArray).map((fields) => fields.length);
  return sizes.reduce((product, size) => product * size, 1);
}

/** @returns every object in the specification that names a `field` */
export function fieldUses(spec: Fields): Fields[] {
  const uses: Fields[] = [];
  function visit(node: unknown): void {
    for (const entry of Array.isArray(node) ? node : [node]) {
      if (!isFields(entry)) continue;
      if (typeof entry.field === 'string') uses.push(entry);
      for (const [key, member] of Object.entries(entry)) {
        if (key !== 'data' && key !== 'datasets') visit(member);
      }
    }
  }
  visit(spec);
  return uses;
}

/** @returns whether a member of that name stands anywhere in the specification outside its inline data */
export function mentions(node: unknown, wanted: (key: string, value: unknown) => boolean): boolean {
  if (Array.isArray(node)) return node.some((entry) => mentions(entry, wanted));
  if (!isFields(node)) return false;
  return Object.entries(node).some(
    ([key, value]) => wanted(key, value) || (key !== 'values' && key !== 'datasets' && mentions(value, wanted)),
  );
}

/** @returns the transforms of a specification and of all its parts */
export function transformsOf(spec: Fields): Fields[] {
  return [...fieldsIn(spec.transform), ...partsOf(spec).flatMap(transformsOf)];
}
