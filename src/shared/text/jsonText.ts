/** Parses JSON that may be invalid, and lays it out for reading. */

/** @returns the value of JSON; undefined if it is invalid */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** @returns the text of a JSON value, indented; empty if there is none */
export function shown(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return laidOut(value);
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return '…';
  }
}

/** Indents JSON text, unless that would change more than white space; other text is returned unchanged. */
export function laidOut(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const lines = JSON.stringify(JSON.parse(text), null, 2);
    return compact(lines) === compact(text) ? lines : text;
  } catch {
    return text;
  }
}

const compact = (text: string): string => text.replace(/\s+/g, '');
