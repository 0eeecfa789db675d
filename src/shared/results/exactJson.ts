/** JSON in which numbers keep the digits they were written with. */

/** What a number literal must contain to come out of a double differently than it was written. */
const SUSPECT = /\d[\d.]{15}|\.\d*0(?=\s*(?:[,\]}]|$))|\d[eE][+\-\d]/;

interface Source {
  source?: string;
}

/**
 * Parses JSON like `JSON.parse`, but a number that a double would change (a long integer, a long decimal, `1.50`)
 * comes back as a string of its digits. Where the engine does not show a reviver the source text, doubles it is.
 * @throws {SyntaxError} for text that is not JSON
 */
export function parseExactJson(text: string): unknown {
  if (!SUSPECT.test(text)) return JSON.parse(text);
  const keepDigits = (_key: string, value: unknown, context?: Source): unknown =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? context.source
      : value;
  return JSON.parse(text, keepDigits);
}
