/** Writes SQL into Python: as a triple-quoted literal, or inside an existing one. */
import type { Parser } from '@lezer/common';
import { leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { indentLines, indentRest } from '../indent.ts';
import { apart, commentLines, fitInLine, warn, type WriteRequest, type Written } from '../place.ts';
import { applyEdits, decodeWith, firstFitting, inOrder, LONGEST, verifier, verifyWith } from '../verify.ts';
import { bare, commentAbove, framed, indentOf, type Frame } from './frame.ts';
import { pythonFrames } from './framePython.ts';
import { pythonPlace, type PythonPlace } from './python.ts';
import { parse } from './verifyCode.ts';
import { hasTwoSqlArguments, isOwnStatement, takesLiteral } from './verifyPython.ts';

/** The adjacent text in the literal: its quotes and those of the SQL could form a triple quote. */
interface Beside {
  left: string;
  right: string;
}

function literalText(sql: string, { quote, prefix }: Pick<PythonPlace, 'quote' | 'prefix'>, beside: Beside): string {
  const braces = /[ft]/.test(prefix) ? sql.replace(/[{}]/g, '$&$&') : sql;
  if (prefix.includes('r')) return braces;
  const quoted = braces.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  if (quote.length === 1) return quoted.replaceAll('\n', '\\n');
  const mark = quote.charAt(0);
  const opened = beside.left.endsWith(mark) && quoted.startsWith(mark) ? `\\${quoted}` : quoted;
  return beside.right.startsWith(mark) && opened.endsWith(mark) ? `${opened.slice(0, -1)}\\${mark}` : opened;
}

/** On an indented line of a multi-line literal, the SQL is indented as well, except in its own literals. */
function writeString(place: PythonPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  const line = lineAt(text, selection.start);
  const left = text.slice(Math.max(line.start, place.start), selection.start);
  const right = text.slice(selection.end, lineAt(text, selection.end).end);
  const around = { before: left, after: right.trimStart().startsWith(place.quote) ? '' : right };
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const whole = fitInLine(apart(commented, around), note, around);
  const indent = leadingWhite(line.start >= place.start ? left : line.text);
  const fitted = place.quote.length === 3 ? indentLines(whole, indent, options) : whole;
  const written = literalText(fitted, place, { left, right });
  // Doubled braces stand for one.
  const brace = right.charAt(0);
  let braces = 0;
  while (/[{}]/.test(brace) && left.charAt(left.length - 1 - braces) === brace) braces++;
  const isAmidBraces = /[ft]/.test(place.prefix) && braces % 2 === 1;
  const isLost = isAmidBraces || (place.prefix.includes('b') && /[^\p{ASCII}]/u.test(written));
  return { edits: [{ ...selection, text: written }], warnings: isLost ? [warn('unfittedPlace')] : [] };
}

function writeComment({ text, selection, sql, note }: WriteRequest): Written {
  const indent = leadingWhite(lineAt(text, selection.start).text);
  const whole = indentRest(note === undefined ? sql : `${note}\n${sql}`, `${indent}# `);
  return {
    edits: [{ ...selection, text: whole.replace(/\n(?=\n|$)/g, `\n${indent}#`) }],
    warnings: [warn('insideComment')],
  };
}

/** A new literal with the code around it. */
function writeLiteral(frame: Frame, codeLine: number, request: WriteRequest): Written {
  const { text, selection, sql, options } = request;
  const quote = '"""';
  const indented = indentLines(sql, indentOf(frame, text, selection.start), options);
  const literal = `${quote}${literalText(indented, { quote, prefix: '' }, { left: quote, right: quote })}${quote}`;
  return framed(frame, literal, request, { codeLine, mark: '#' });
}

/** @returns the edits that insert the SQL at this position of a Python file or cell */
export function writePython(place: PythonPlace, request: WriteRequest, parser: Parser | undefined): Written {
  const { text, selection, sql, options } = request;
  if (place.kind === 'pythonComment') return writeComment(request);
  if (place.isInReplacement) return { edits: [{ ...selection, text: sql }], warnings: [warn('unfittedPlace')] };
  const fits = verifier(request, verifyWith(parser), decodeWith(parser, true));
  if (place.kind === 'pythonString') {
    const last = pythonPlace(parser && parse(parser, text), text, selection.end);
    const isInside = last.start === place.start && !last.isInReplacement;
    return firstFitting([() => writeString(place, request)], (written) => isInside && fits(written));
  }
  if (options.asComment) return { edits: [commentAbove(text, place.codeLine, sql, '#')], warnings: [] };
  const unchanged = { ...writeLiteral(bare, place.codeLine, request), warnings: [warn('unfittedPlace')] };
  if (parser === undefined || text.length > LONGEST) return unchanged;
  const step = options.insertSpaces ? ' '.repeat(options.tabSize) : '\t';
  let isStatement = false;
  for (const frame of pythonFrames(text, selection, step)) {
    if (isStatement && frame.opening !== 'sql = ') continue;
    const written = writeLiteral(frame, place.codeLine, request);
    const edits = inOrder(written.edits);
    const after = applyEdits(text, edits);
    if (fits(written) === false) continue;
    const tree = parse(parser, after);
    const end = after.length - (text.length - selection.end) - frame.close.length;
    isStatement ||= isOwnStatement(tree, end);
    if (!takesLiteral(tree, after, end, frame)) continue;
    return hasTwoSqlArguments(tree, after, end) ? { ...written, warnings: [warn('duplicateKey', 'sql')] } : written;
  }
  return unchanged;
}
