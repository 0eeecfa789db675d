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

/** @throws SyntaxError when `text` is not JSON */
export function parseExact(text: string): unknown {
  return JSON.parse(text, keepText);
}
