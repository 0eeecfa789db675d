import { fieldsIn, isFields, objectsIn, type Fields } from './json.ts';

/** A single view of a specification with the encoding that it inherits. */
export interface Unit {
  mark: string;
  settings: Fields;
  encoding: Fields;
}

function partsOf(spec: Fields): Fields[] {
  const parts = [spec.layer, spec.concat, spec.hconcat, spec.vconcat].flatMap(fieldsIn);
  return isFields(spec.spec) ? [...parts, spec.spec] : parts;
}

export const encodingOf = (spec: Fields): Fields => (isFields(spec.encoding) ? spec.encoding : {});
export const markOf = (spec: Fields): unknown => (isFields(spec.mark) ? spec.mark.type : spec.mark);

/** @returns the single views in order; a repeated view counts once */
export function unitsOf(spec: Fields, inherited: Fields = {}): Unit[] {
  const encoding = { ...inherited, ...encodingOf(spec) };
  const mark = markOf(spec);
  if (typeof mark === 'string') return [{ mark, settings: isFields(spec.mark) ? spec.mark : {}, encoding }];
  return partsOf(spec).flatMap((child) => unitsOf(child, encoding));
}

/** @returns the number of single views including repeats, but without facets */
export function viewCount(spec: Fields): number {
  const { repeat } = spec;
  const lists = Array.isArray(repeat) ? [repeat] : isFields(repeat) ? Object.values(repeat).filter(Array.isArray) : [];
  const parts = partsOf(spec).reduce((sum, child) => sum + viewCount(child), 0);
  return Math.max(1, parts) * lists.reduce((product, { length }) => product * length, 1);
}

export const fieldUses = (spec: Fields): Fields[] => objectsIn(spec).filter(({ field }) => typeof field === 'string');

export function transformsOf(spec: Fields): Fields[] {
  return [...fieldsIn(spec.transform), ...partsOf(spec).flatMap(transformsOf)];
}
