/** SQL into Python: a triple-quoted literal, or the inside of one that is there. */
import { commentLines, withNote, type WriteRequest, type Written } from './place.ts';
import { indentRest } from './indent.ts';
import { leadingWhite, lineAt } from './lines.ts';

export interface PythonPlace {
  kind: 'pythonString' | 'pythonCode';
  /** Opening quote, `'`, `"` or three of them. */
  quote: string;
  /** Letters before the quote, lower case: `f` makes braces special, `r` backslashes plain. */
  prefix: string;
}

const TOKEN = /#[^\n]*|([a-z]{0,2})("""|'''|"|')/giy;

/** End of the literal that opens before `from`, or -1 when it has none. */
function endOfString(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (quote.length === 1 && text[at] === '\n') return at;
  }
  return -1;
}

/** @returns what the offset of a Python text stands in; comments count as code */
export function pythonPlace(text: string, offset: number): PythonPlace {
  for (let at = 0; at < offset;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) {
      at++;
      continue;
    }
    at = TOKEN.lastIndex;
    const [, prefix = '', quote] = match;
    if (quote === undefined) continue;
    if (at > offset) break;
    const end = endOfString(text, at, quote);
    const isInside =
      end < 0 || offset <= end - quote.length || (quote.length === 1 && text[end] === '\n' && offset <= end);
    if (isInside) return { kind: 'pythonString', quote, prefix: prefix.toLowerCase() };
    at = end;
  }
  return { kind: 'pythonCode', quote: '', prefix: '' };
}

function literalText(sql: string, { quote, prefix }: PythonPlace): string {
  const slashes = prefix.includes('r') ? sql : sql.replaceAll('\\', '\\\\');
  const braces = prefix.includes('f') ? slashes.replace(/[{}]/g, '$&$&') : slashes;
  if (quote.length === 3) return braces.replaceAll(quote, `\\${quote}`);
  return braces.replaceAll(quote, `\\${quote}`).replaceAll('\n', '\\n');
}

/** @returns the edits that bring the SQL to this place of a Python file or cell */
export function writePython(place: PythonPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  if (place.kind === 'pythonString') {
    const commented = options.asComment ? `${commentLines(sql, '--')}\n` : sql;
    return { edits: [{ ...selection, text: literalText(withNote(commented, note), place) }], warnings: [] };
  }
  const line = lineAt(text, selection.start);
  const indent = leadingWhite(line.text);
  const above = (comment: string): Written['edits'] => [
    { start: line.start, end: line.start, text: `${indent}${indentRest(commentLines(comment, '#'), indent)}\n` },
  ];
  if (options.asComment) return { edits: above(sql), warnings: [] };
  const inner = literalText(sql, { kind: 'pythonString', quote: '"""', prefix: '' });
  const closed = inner.endsWith('"') ? `${inner.slice(0, -1)}\\"` : inner;
  const literal = { ...selection, text: `"""${closed}"""` };
  return { edits: note === undefined ? [literal] : [...above(note), literal], warnings: [] };
}
