/** SQL into JavaScript and TypeScript: evaluated, a literal gives it back as it was. */
import { apart, commentLines, endsInEscape, fitInLine, warn, type WriteRequest, type Written } from '../place.ts';
import { commentAbove, framed, indentOf } from './frame.ts';
import { jsFrame } from './frameJs.ts';
import { isInJsx, opensInJsx } from './jsBrackets.ts';
import { jsPlace, type JsPlace } from './jsScan.ts';
import { indentLines, indentRest } from '../indent.ts';
import { leadingWhite, lineAt } from '../../shared/text/lines.ts';
import type { Span } from '../types.ts';

/** @returns the text between backticks */
const templateText = (sql: string): string => sql.replace(/[\\`]|\$(?=\{)/g, '\\$&');

const stringText = (sql: string, quote: string): string =>
  sql
    .replace(/[\\\u2028\u2029]/g, (character) =>
      character === '\\' ? '\\\\' : `\\u${character.charCodeAt(0).toString(16)}`,
    )
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n');

/** Name of the property or variable that the code right before the offset gives a value to. */
export function jsKeyBefore(text: string, offset: number): string | undefined {
  const before = text.slice(Math.max(0, offset - 200), offset);
  return /(?:^|[\s{,(])["']?([\w$]+)["']?\s*[:=]\s*(?:\(\)\s*=>\s*)?$/.exec(before)?.[1];
}

const blockComment = (about: string): string => `/* ${about.replaceAll('*/', '*\\/')} */`;

function writeCode(place: JsPlace, request: WriteRequest): Written {
  const { text, selection, sql, options } = request;
  const { note, ...bare } = request;
  const line = { codeLine: place.codeLine, mark: '//' };
  const isJsx = isInJsx(text, place);
  if (options.asComment) {
    const edit = isJsx ? { ...selection, text: blockComment(sql) } : commentAbove(text, line.codeLine, sql, line.mark);
    return { edits: [edit], warnings: [] };
  }
  const frame = jsFrame(text, place, selection, options.insertSpaces ? ' '.repeat(options.tabSize) : '\t');
  const literal = `\`${templateText(indentLines(sql, indentOf(frame, text, selection.start), options))}\``;
  return isJsx && note !== undefined
    ? framed(frame, `${blockComment(note)} ${literal}`, bare, line)
    : framed(frame, literal, request, line);
}

/** Whether a selection that begins in a literal ends in something else, or either of its ends lies amid an escape. */
function isCut({ kind, start }: JsPlace, text: string, selection: Span): boolean {
  const last = jsPlace(text, selection.end);
  const isAmidEscape = [selection.start, selection.end].some((at) => endsInEscape(text.slice(start + 1, at)));
  return isAmidEscape || last.kind !== kind || last.start !== start;
}

/**
 * A literal that holds nothing but the SQL gets it unchanged. On an indented line of a literal that spans lines, the
 * SQL is indented like it; its own literals are not.
 */
function writeTemplate(place: JsPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  const line = lineAt(text, selection.start);
  const around = {
    before: text.slice(Math.max(line.start, place.start + 1), selection.start),
    after: text.slice(selection.end, lineAt(text, selection.end).end),
  };
  const indent = leadingWhite(line.start > place.start ? around.before : line.text);
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const after = around.after.trimStart().startsWith('`') ? '' : around.after;
  const fitted = fitInLine(apart(commented, around), note, { before: around.before, after });
  const whole = indentLines(fitted, indent, options);
  // In a raw literal nothing can be escaped, and nothing else has to be.
  const isRaw = /\bString\.raw\s*$/.test(text.slice(0, place.start));
  const isOpen = isRaw && /`|\$\{|\\$/.test(whole);
  const isSplit = around.before.endsWith('$') && around.after.startsWith('{');
  return {
    edits: [{ ...selection, text: isRaw ? whole : templateText(whole) }],
    warnings: isOpen || isSplit || isCut(place, text, selection) ? [warn('unfittedPlace')] : [],
  };
}

function writeString(place: JsPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const before = text.slice(place.start + 1, selection.start);
  const line = text.slice(selection.end, lineAt(text, selection.end).end);
  const after = line.startsWith(place.quote) ? '' : line;
  const whole = fitInLine(apart(commented, { before, after }), note, { before, after });
  const written = stringText(whole, place.quote);
  // An attribute of JSX knows no escapes.
  const isChanged = written !== whole && opensInJsx(text, place.start);
  return {
    edits: [{ ...selection, text: written }],
    warnings: isChanged || isCut(place, text, selection) ? [warn('unfittedPlace')] : [],
  };
}

function writeComment(place: JsPlace, { text, selection, sql, note }: WriteRequest): Written {
  const indent = leadingWhite(lineAt(text, selection.start).text);
  const whole = note === undefined ? sql : `${note}\n${sql}`;
  const written =
    place.quote === '//'
      ? indentRest(whole, `${indent}// `).replace(/\n(?=\n|$)/g, `\n${indent}//`)
      : indentRest(whole.replaceAll('*/', '*\\/'), `${indent} * `);
  return { edits: [{ ...selection, text: written }], warnings: [warn('insideComment')] };
}

/** @returns the edits that bring the SQL to this place of a JavaScript or TypeScript file */
export function writeJs(place: JsPlace, request: WriteRequest): Written {
  switch (place.kind) {
    case 'jsTemplate':
      return writeTemplate(place, request);
    case 'jsString':
      return writeString(place, request);
    case 'jsComment':
      return writeComment(place, request);
    case 'jsCode':
      return writeCode(place, request);
  }
}
