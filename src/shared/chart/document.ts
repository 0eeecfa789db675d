import { isFields, without } from './json.ts';

/**
 * @param spec a specification, JSON text
 * @returns the same, laid out for people; text that is no JSON as it is. Editors load the schema that a document names,
 * so it names none
 */
export function specDocument(spec: string): string {
  try {
    const parsed: unknown = JSON.parse(spec);
    return `${JSON.stringify(isFields(parsed) ? without(parsed, '$schema') : parsed, null, 2)}\n`;
  } catch {
    return spec;
  }
}
