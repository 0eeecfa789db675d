import { isFields, without } from '../../shared/chart/json.ts';

/**
 * @param spec JSON text of a specification
 * @returns the formatted specification; invalid JSON unchanged. `$schema` is removed, because editors would download it
 */
export function specDocument(spec: string): string {
  try {
    const parsed: unknown = JSON.parse(spec);
    return `${JSON.stringify(isFields(parsed) ? without(parsed, '$schema') : parsed, null, 2)}\n`;
  } catch {
    return spec;
  }
}
