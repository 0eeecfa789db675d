/** SQL into Python: a triple-quoted literal, or the inside of one that is there. */
import { apart, commentLines, endsInEscape, fitInLine, warn, type WriteRequest, type Written } from '../place.ts';
import { commentAbove, framed, indentOf } from './frame.ts';
import { pythonFrame } from './framePython.ts';
import { indentLines, indentRest } from '../indent.ts';
import { leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { isFormatted, pythonPlace, readString, type PythonPlace } from './python.ts';

/** What of the text stands beside it in the literal: a quote there and one of the text could make three. */
interface Beside {
  left: string;
  right: string;
}

function literalText(sql: string, { quote, prefix }: Pick<PythonPlace, 'quote' | 'prefix'>, beside: Beside): string {
  const braces = isFormatted(prefix) ? sql.replace(/[{}]/g, '$&$&') : sql;
  if (prefix.includes('r')) return braces;
  const quoted = braces.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  if (quote.length === 1) return quoted.replaceAll('\n', '\\n');
  const mark = quote.charAt(0);
  const opened = beside.left.endsWith(mark) && quoted.startsWith(mark) ? `\\${quoted}` : quoted;
  return beside.right.startsWith(mark) && opened.endsWith(mark) ? `${opened.slice(0, -1)}\\${mark}` : opened;
}

/** @returns whether a literal cannot hold what was written into it, is cut amid a mark, or ends elsewhere for it */
function breaksOut({ start, quote, prefix }: PythonPlace, { text, selection }: WriteRequest, written: string): boolean {
  const isAmidEscape = [selection.start, selection.end].some((at) => endsInEscape(text.slice(start, at)));
  if ((isAmidEscape && !prefix.includes('r')) || pythonPlace(text, selection.end).isInHole) return true;
  if (prefix.includes('b') && /[^\p{ASCII}]/u.test(written)) return true;
  const file = text.slice(0, selection.start) + written + text.slice(selection.end);
  const [before, after] = [text, file].map((whole) => {
    const { end, closed } = readString(whole, start, quote, prefix);
    return closed ? whole.length - end : undefined;
  });
  return before !== after;
}

/** On an indented line of a literal that spans lines, the SQL is indented like it; its own literals are not. */
function writeString(place: PythonPlace, request: WriteRequest): Written {
  const { text, selection, sql, note, options } = request;
  if (place.isInHole) return { edits: [{ ...selection, text: sql }], warnings: [warn('unfittedPlace')] };
  const line = lineAt(text, selection.start);
  const left = text.slice(Math.max(line.start, place.start), selection.start);
  const right = text.slice(selection.end, lineAt(text, selection.end).end);
  const around = { before: left, after: right.trimStart().startsWith(place.quote) ? '' : right };
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const whole = fitInLine(apart(commented, around), note, around);
  const indent = leadingWhite(line.start >= place.start ? left : line.text);
  const fitted = place.quote.length === 3 ? indentLines(whole, indent, options) : whole;
  const written = literalText(fitted, place, { left, right });
  return {
    edits: [{ ...selection, text: written }],
    warnings: breaksOut(place, request, written) ? [warn('unfittedPlace')] : [],
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

function writeCode(place: PythonPlace, request: WriteRequest): Written {
  const { text, selection, sql, options } = request;
  const { codeLine } = place;
  if (options.asComment) return { edits: [commentAbove(text, codeLine, sql, '#')], warnings: [] };
  const step = options.insertSpaces ? ' '.repeat(options.tabSize) : '\t';
  const quote = '"""';
  const frame = pythonFrame(text, place, selection, step);
  const indented = indentLines(sql, indentOf(frame, text, selection.start), options);
  const literal = `${quote}${literalText(indented, { quote, prefix: '' }, { left: quote, right: quote })}${quote}`;
  return framed(frame, literal, request, { codeLine, mark: '#' });
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
