/** SQL as a literal of a programming language, with the code around it that keeps the program valid. */
import { commentLines, warn, type WriteRequest, type Written } from '../writing.ts';
import { withLineEnd } from '../sql/fitSql.ts';
import { indentLines, indentRest, type IndentStyle } from '../indent.ts';
import { leadingWhite, lineAt } from '../../shared/text/lines.ts';
import type { InsertWarning, TextEdit } from '../types.ts';

export interface Wrapper extends Pick<Written, 'isReparsed' | 'accepts'> {
  /** Text before the literal; starts with a line break and indentation if the literal is on a new line. */
  open: string;
  close: string;
  /** Start of the line to rewrite, including its indentation. */
  lineStart?: number;
  /** Offset at which a comma must end the preceding item. */
  commaAt?: number;
  /** Warning about SQL that the program rejects at this position, although the file can be parsed. */
  warning?: InsertWarning | undefined;
}

export const noWrapper: Wrapper = { open: '', close: '' };
export const unsupportedWrapper: Wrapper = { ...noWrapper, warning: warn('unfittedPlace') };

/** Matches the end of a block. New code on an empty line above it is indented like the statements in the block. */
const ENDS_BLOCK = /^(?:[)\]}]|(?:else|elif)\b)/;

export const indentUnit = ({ insertSpaces, tabSize }: IndentStyle): string =>
  insertSpaces ? ' '.repeat(tabSize) : '\t';

/** @returns the indentation for new code on an empty line: that of the code below it in the same block */
export function indentOnEmptyLine({ text, selection, options }: WriteRequest): string {
  const behind = text.slice(selection.end).trimStart();
  if (!ENDS_BLOCK.test(behind)) return leadingWhite(lineAt(text, text.length - behind.length).text);
  const above = lineAt(text, text.slice(0, selection.end).trimEnd().length).text;
  return leadingWhite(above) + (/[([{]$/.test(above) ? indentUnit(options) : '');
}

/** @returns the start of a new line below the cursor, indented like the line below if that is in the same block */
export function newLine({ text, selection: { start, end }, options }: WriteRequest): string {
  const line = lineAt(text, start);
  const own = leadingWhite(line.text);
  const next = leadingWhite(lineAt(text, Math.min(text.length, lineAt(text, end).end + 1)).text);
  if (next.length > own.length && next.startsWith(own)) return `\n${next}`;
  return `\n${own}${text.slice(line.start, start).trimEnd().endsWith('{') ? indentUnit(options) : ''}`;
}

/** Indents the wrapper if it is on an empty line. */
export function onEmptyLine(wrapper: Wrapper, request: WriteRequest): Wrapper {
  const { start } = request.selection;
  if (lineAt(request.text, start).text !== '') return wrapper;
  return { ...wrapper, open: indentOnEmptyLine(request) + wrapper.open, lineStart: start };
}

function commentAbove(text: string, codeLine: number, about: string, mark: string): TextEdit {
  const indent = leadingWhite(lineAt(text, codeLine).text);
  const comment = `${indent}${indentRest(commentLines(about, mark), indent)}\n`;
  return { start: codeLine, end: codeLine, text: comment };
}

/** The mark of line comments, and a function that writes SQL as a literal. */
interface Values {
  mark: string;
  value(sql: string): string;
}

/**
 * @param codeLine start of the last line that begins outside of literals, above which comments are possible
 * @param wrappers best first
 * @returns the ways to write the SQL
 */
export function* writeCode(
  request: WriteRequest,
  language: Values,
  codeLine: number,
  wrappers: Iterable<Wrapper>,
): Generator<Written> {
  const { mark } = language;
  if (request.options.asComment) {
    const edits = [commentAbove(request.text, codeLine, request.sql, mark)];
    return yield { edits, warnings: [] };
  }
  for (const wrapper of wrappers) yield wrapped(wrapper, language, request, codeLine);
}

/** Writes the literal with its wrapper; a note goes above the code line. */
function wrapped(
  { open, close, lineStart, commaAt, warning, ...how }: Wrapper,
  { mark, value }: Values,
  { text, selection, sql, note, options }: WriteRequest,
  codeLine: number,
): Written {
  const hasOwnLine = lineStart !== undefined || open.startsWith('\n');
  const [white = '', indent = ''] = /^\n?([ \t]*)/.exec(open) ?? [];
  const noted = note !== undefined && hasOwnLine ? `${white}${commentLines(note, mark)}\n${indent}` : white;
  const before = noted + open.slice(white.length);
  const around = hasOwnLine ? indent : leadingWhite(lineAt(text, selection.start).text);
  const literal = value(indentLines(withLineEnd(sql), around, options));
  return {
    edits: [
      ...(commaAt === undefined ? [] : [{ start: commaAt, end: commaAt, text: ',' }]),
      ...(note === undefined || hasOwnLine ? [] : [commentAbove(text, codeLine, note, mark)]),
      { start: lineStart ?? selection.start, end: selection.end, text: before + literal + close },
    ],
    warnings: warning ? [warning] : [],
    literalAt: before.length + Math.floor(literal.length / 2),
    ...how,
  };
}
