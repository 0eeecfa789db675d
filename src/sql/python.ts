/** SQL into Python: a triple-quoted literal, or the inside of one that is there. */
import { apart, commentLines, warn, withNote, type WriteRequest, type Written } from './place.ts';
import { indentRest, indentSql } from './indent.ts';
import { isBlank, leadingWhite, lineAt } from './lines.ts';

export interface PythonPlace {
  kind: 'pythonString' | 'pythonCode' | 'pythonComment';
  /** Where the text of the literal begins; the offset itself elsewhere. */
  start: number;
  /** Opening quote, `'`, `"` or three of them. */
  quote: string;
  /** Letters before the quote, lower case: `f` makes braces special, `r` backslashes plain. */
  prefix: string;
  /** How many brackets are open. */
  depth: number;
}

const TOKEN = /#[^\n]*|([a-z]{0,2})("""|'''|"|')|[()[\]{}]/giy;

/** What a value may follow. */
const BEFORE_VALUE = /(?:^|[=(,[{:+]|\b(?:return|yield|in|and|or|not|if|else))\s*$/;
/** What may follow a value. */
const AFTER_VALUE = /^\s*(?:$|[)\],}:;#.+])/;

/** End of the literal that opens before `from`; it ends with its line when it is not closed there. */
function endOfString(text: string, from: number, quote: string): { end: number; closed: boolean } {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) return { end: at + quote.length, closed: true };
    else if (quote.length === 1 && text[at] === '\n') return { end: at, closed: false };
  }
  return { end: text.length, closed: false };
}

/** @returns what the offset of a Python text stands in */
export function pythonPlace(text: string, offset: number): PythonPlace {
  let depth = 0;
  for (let at = 0; at < offset;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) {
      at++;
      continue;
    }
    at = TOKEN.lastIndex;
    const [token, prefix = '', quote] = match;
    if (quote === undefined) {
      if (token.startsWith('#') && at >= offset)
        return { kind: 'pythonComment', start: offset, quote: '', prefix: '', depth };
      if ('([{'.includes(token)) depth += 1;
      else if (')]}'.includes(token)) depth = Math.max(0, depth - 1);
      continue;
    }
    if (at > offset) break;
    const { end, closed } = endOfString(text, at, quote);
    if (offset <= (closed ? end - quote.length : end))
      return { kind: 'pythonString', start: at, quote, prefix: prefix.toLowerCase(), depth };
    at = end;
  }
  return { kind: 'pythonCode', start: offset, quote: '', prefix: '', depth };
}

/** @param closes whether the literal ends right behind the text */
function literalText(sql: string, { quote, prefix }: Pick<PythonPlace, 'quote' | 'prefix'>, closes: boolean): string {
  const braces = prefix.includes('f') ? sql.replace(/[{}]/g, '$&$&') : sql;
  if (prefix.includes('r')) return braces;
  const quoted = braces.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  if (quote.length === 1) return quoted.replaceAll('\n', '\\n');
  return closes && quoted.endsWith(quote.charAt(0)) ? `${quoted.slice(0, -1)}\\${quote.charAt(0)}` : quoted;
}

/** @returns whether a literal in which not everything can be written has no room for the text */
function breaksOut(sql: string, { quote, prefix }: PythonPlace, closes: boolean): boolean {
  if (prefix.includes('b') && /[^\p{ASCII}]/u.test(sql)) return true;
  if (!prefix.includes('r')) return false;
  if (sql.includes(quote) || (quote.length === 1 && sql.includes('\n'))) return true;
  return closes && /["'\\]$/.test(sql) && (sql.endsWith('\\') || sql.endsWith(quote.charAt(0)));
}

/** On an indented line of a literal that spans lines, the SQL is indented like it; its own literals are not. */
function writeString(place: PythonPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  const line = lineAt(text, selection.start);
  const before = text.slice(line.start, selection.start);
  const commented = options.asComment ? `${commentLines(sql, '--')}\n` : sql;
  const around = {
    before: text.slice(Math.max(line.start, place.start), selection.start),
    after: text.slice(selection.end, lineAt(text, selection.end).end),
  };
  const whole = withNote(apart(commented, around), note);
  const isOnOwnLine = place.quote.length === 3 && line.start >= place.start && isBlank(before);
  const fitted = isOnOwnLine ? indentSql(whole, before, options) : whole;
  const closes = text.startsWith(place.quote, selection.end);
  return {
    edits: [{ ...selection, text: literalText(fitted, place, closes) }],
    warnings: breaksOut(fitted, place, closes) ? [warn('unfittedPlace')] : [],
  };
}

function writeComment({ text, selection, sql, note }: WriteRequest): Written {
  const indent = leadingWhite(lineAt(text, selection.start).text);
  const whole = indentRest(note === undefined ? sql : `${note}\n${sql}`, `${indent}# `);
  return {
    edits: [{ ...selection, text: whole.replace(/\n(?=\n|$)/g, `\n${indent}#`) }],
    warnings: [warn('insideComment')],
  };
}

/** Where a value is wanted a literal; elsewhere a statement on a line of its own. */
function writeCode({ depth }: PythonPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  const line = lineAt(text, selection.start);
  const indent = leadingWhite(line.text);
  const above = (comment: string): Written['edits'] => [
    { start: line.start, end: line.start, text: `${indent}${indentRest(commentLines(comment, '#'), indent)}\n` },
  ];
  if (options.asComment) return { edits: above(sql), warnings: [] };
  const literal = `"""${literalText(sql, { quote: '"""', prefix: '' }, true)}"""`;
  const before = text.slice(line.start, selection.start);
  const after = text.slice(selection.end, lineAt(text, selection.end).end);
  const isValue = depth > 0 || !isBlank(before);
  if (isValue && BEFORE_VALUE.test(before) && AFTER_VALUE.test(after)) {
    const edit = { ...selection, text: literal };
    return { edits: note === undefined ? [edit] : [...above(note), edit], warnings: [] };
  }
  const statement = `${note === undefined ? '' : `# ${note}\n${indent}`}sql = ${literal}`;
  const opens = isBlank(before) ? '' : `\n${indent}`;
  const closes = isBlank(after) ? '' : `\n${indent}`;
  // Among arguments, and in the middle of a statement, there is no room for another one.
  const fits = depth === 0 && (isBlank(before) || AFTER_VALUE.test(after));
  return {
    edits: [{ ...selection, text: opens + statement + closes }],
    warnings: fits ? [] : [warn('unfittedPlace')],
  };
}

/** @returns the edits that bring the SQL to this place of a Python file or cell */
export function writePython(place: PythonPlace, request: WriteRequest): Written {
  switch (place.kind) {
    case 'pythonString':
      return writeString(place, request);
    case 'pythonComment':
      return writeComment(request);
    case 'pythonCode':
      return writeCode(place, request);
  }
}
