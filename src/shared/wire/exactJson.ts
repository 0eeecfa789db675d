/**
 * Parses JSON without loss of precision: a number whose text a double does not reproduce (`9007199254740993`, `12.50`)
 * is returned as the original text.
 */
import { withoutTrailing } from '../text/lines.ts';

interface SourceContext {
  source?: string;
}

function keepText(this: unknown, _key: string, value: unknown, context?: SourceContext): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source;
  return source === undefined || source === String(value) ? value : source;
}

/** Whether `JSON.parse` passes the source text to the reviver; Node 20 does not. */
const hasSource = JSON.parse('1', (_key, _value, context?: SourceContext) => context?.source === '1') === true;

/** @throws SyntaxError when `text` is not JSON */
export function parseExact(text: string): unknown {
  return hasSource ? JSON.parse(text, keepText) : JSON.parse(quoteInexact(text));
}

/** Also matches an unterminated string: searching for its end again from each quote would take quadratic time. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\[^])*"?|-?\d[\d.eE+-]*/g;

/** @returns the JSON text with those numbers quoted */
export const quoteInexact = (text: string): string =>
  text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`,
  );

/** Number of decimal digits that a double always preserves. */
const SAFE_DIGITS = 15;

/** @returns whether the text of a JSON number, such as `12.50`, has no more significant digits than a double preserves */
export const hasFewDigits = (number: string): boolean =>
  withoutTrailing(number.replace(/e.*/i, '').replace(/^[-.0]*/, ''), '0.').replace('.', '').length <= SAFE_DIGITS;
