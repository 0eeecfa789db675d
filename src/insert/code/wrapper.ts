/** SQL as a literal of a programming language, with the code around it that keeps the program valid. */
import { commentLines, warn, withNote, type WriteRequest, type Written } from '../writing.ts';
import { indentLines, indentRest, type IndentStyle } from '../indent.ts';
import { commentMark } from '../literals/literalForms.ts';
import type { Language } from '../literals/languages.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import type { InsertWarning, Span, TextEdit } from '../types.ts';

export interface Wrapper extends Pick<Written, 'isStatement' | 'isReparsed' | 'accepts'> {
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
const ENDS_BLOCK = /^(?:[)\]}]|(?:end|else|elsif|elif|fi|done|esac|rescue|ensure)\b)/;

/** @returns the indentation for new code on an empty line: that of the code below it in the same block */
export function indentOnEmptyLine(text: string, offset: number, step: string): string {
  const behind = text.slice(offset).trimStart();
  if (behind === '') return '';
  const next = leadingWhite(lineAt(text, text.length - behind.length).text);
  if (!ENDS_BLOCK.test(behind)) return next;
  const above = lineAt(text, text.slice(0, offset).trimEnd().length).text;
  const white = leadingWhite(above);
  if (/[([{]$/.test(above)) return white + step;
  return white;
}

/** @returns the indentation for a new line below the cursor: that of the line below, if it is in the same block */
export function indentBelow(text: string, { start, end }: Span, step: string): string {
  const line = lineAt(text, start);
  const own = leadingWhite(line.text);
  const next = leadingWhite(lineAt(text, Math.min(text.length, lineAt(text, end).end + 1)).text);
  if (next.length > own.length && next.startsWith(own)) return next;
  return text.slice(line.start, start).trimEnd().endsWith('{') ? own + step : own;
}

export const stepIn = ({ insertSpaces, tabSize }: IndentStyle): string => (insertSpaces ? ' '.repeat(tabSize) : '\t');

export function onEmptyLine(wrapper: Wrapper, text: string, { start, end }: Span, step: string): Wrapper {
  if (lineAt(text, start).text !== '') return wrapper;
  return { ...wrapper, open: indentOnEmptyLine(text, end, step) + wrapper.open, lineStart: start };
}

/** @param codeLine start of a line that begins outside of literals and comments */
export function commentAbove(text: string, codeLine: number, about: string, mark: string): TextEdit {
  const indent = leadingWhite(lineAt(text, codeLine).text);
  const comment = `${indent}${indentRest(commentLines(about, mark), indent)}\n`;
  return { start: codeLine, end: codeLine, text: comment };
}

/** Inserts the SQL as a comment where no code is possible: on the current line if it is blank, otherwise below it. */
export function commentHere({ text, selection, sql, note, options }: WriteRequest, mark: string): Written {
  const line = lineAt(text, selection.start);
  const step = stepIn(options);
  const isAtStart = isBlank(text.slice(line.start, selection.start));
  const onLine = line.text === '' ? indentOnEmptyLine(text, selection.end, step) : leadingWhite(line.text);
  const indent = isAtStart ? onLine : indentBelow(text, selection, step);
  const opens = line.text === '' ? indent : isAtStart ? '' : `\n${indent}`;
  const lines = indentRest(commentLines(withNote(sql, note), mark), indent);
  return { edits: [{ ...selection, text: opens + lines }], warnings: [], isComment: true };
}

type Values = Pick<Language, 'value' | 'forms'>;

/** Writes the literal with its wrapper; a note goes above the code line. */
export function wrapped(
  { open, close, lineStart, commaAt, warning, ...how }: Wrapper,
  language: Values,
  request: WriteRequest,
  codeLine: number,
): Written {
  const { text, selection, note } = request;
  const mark = commentMark(language.forms);
  const hasOwnLine = lineStart !== undefined || open.startsWith('\n');
  const [white = '', indent = ''] = /^\n?([ \t]*)/.exec(open) ?? [];
  const isNotedBelow = note !== undefined && hasOwnLine;
  const noted = isNotedBelow ? `${white}${commentLines(note, mark)}\n${indent}` : white;
  const before = noted + open.slice(white.length);
  const around = hasOwnLine ? indent : leadingWhite(lineAt(text, selection.start).text);
  const short = language.value(request.sql);
  const literal = short.includes('\n') ? language.value(indentLines(request.sql, around, request.options)) : short;
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
