/** Values as settings files have them, which may hold anything: what cannot be used counts as not set. */

/** @returns a number of these bounds, or else the default */
export const between = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && value >= least && value <= most ? value : otherwise;

export const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);

/** @returns a text that is not blank, without blanks around it */
export const text = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : otherwise;

export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one) => text(one, '')).filter((one) => one !== '') : [];

/** @returns one of these; the first is the default */
export function oneOf<const Value extends string>(value: unknown, values: readonly [Value, ...Value[]]): Value {
  return values.find((one) => one === value) ?? values[0];
}
