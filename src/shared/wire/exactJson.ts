/**
 * JSON without loss: a number that a double cannot hold, or that was written in a way that a double forgets
 * (`9007199254740993`, `12.50`), is kept as the text that the service wrote.
 */
interface SourceContext {
  source?: string;
}

function keepText(this: unknown, _key: string, value: unknown, context?: SourceContext): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source;
  return source === undefined || source === String(value) ? value : source;
}

/** Whether `JSON.parse` tells a reviver what was written; Node 20 does not. */
const hasSource = JSON.parse('1', (_key, _value, context?: SourceContext) => context?.source === '1') === true;

/** @throws SyntaxError when `text` is not JSON */
export function parseExact(text: string): unknown {
  return hasSource ? JSON.parse(text, keepText) : JSON.parse(quoteInexact(text));
}

/** A string without its end counts too: searching for it again from each quote would take the square of the length. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\[^])*"?|-?\d[\d.eE+-]*/g;

/** @returns the JSON with the same numbers as strings */
export const quoteInexact = (text: string): string =>
  text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`,
  );
