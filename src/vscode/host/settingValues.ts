/** Parsers for setting values, which may have any type; an invalid value counts as unset. */

/** @returns the value if it is a number from `least` to `most`, otherwise the default */
export const between = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && value >= least && value <= most ? value : otherwise;

export const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);

/** @returns the trimmed string, or the default if it is blank or not a string */
export const text = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : otherwise;

export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one) => text(one, '')).filter((one) => one !== '') : [];

/** @returns the value if it is one of `values`, otherwise the first of them */
export function oneOf<const Value extends string>(value: unknown, values: readonly [Value, ...Value[]]): Value {
  return values.find((one) => one === value) ?? values[0];
}
