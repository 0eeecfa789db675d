/** SQL as a literal of a programming language, with the code around it that keeps the program valid. */
import { commentLines, warn, withNote, type WriteRequest, type Written } from '../place.ts';
import { indentLines, indentRest } from '../indent.ts';
import type { Language } from '../literals/languages.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import type { InsertWarning, Span, TextEdit } from '../types.ts';

export interface Frame extends Pick<Written, 'isStatement' | 'isReparsed' | 'accepts'> {
  /** Text before the literal; starts with a line break and indentation if the literal is on a new line. */
  open: string;
  close: string;
  /** Start of the line to rewrite, including its indentation. */
  lineStart?: number;
  /** Offset at which a comma must end the preceding item. */
  commaAt?: number;
  /** Why the SQL is an error here although the file can be parsed. */
  warning?: InsertWarning;
}

export const bare: Frame = { open: '', close: '' };
export const unfitted: Frame = { ...bare, warning: warn('unfittedPlace') };

/** On an empty line, the literal has the indentation of what follows in the same brackets. */
export function onEmptyLine(frame: Frame, text: string, { start, end }: Span, step: string): Frame {
  const [, white = '', closing] = /^\s*\n([ \t]*)(?:([)\]}])|\S)/.exec(text.slice(end)) ?? [];
  if (frame.warning?.code === 'unfittedPlace' || lineAt(text, start).text !== '') return frame;
  return { ...frame, open: white + (closing ? step : '') + frame.open, lineStart: start };
}

/** @param codeLine start of a line that starts in code */
export function commentAbove(text: string, codeLine: number, about: string, mark: string): TextEdit {
  const indent = leadingWhite(lineAt(text, codeLine).text);
  const comment = `${indent}${indentRest(commentLines(about, mark), indent)}\n`;
  return { start: codeLine, end: codeLine, text: comment };
}

/** Inserts the SQL as a comment where no code fits: on the current line if it is blank, otherwise below it. */
export function commentHere({ text, selection, sql, note }: WriteRequest, mark: string): Written {
  const line = lineAt(text, selection.start);
  const below = /^\s*\n([ \t]*)[^\s)\]}]/.exec(text.slice(selection.end))?.[1] ?? '';
  const indent = line.text === '' ? below : leadingWhite(line.text);
  const opens = line.text === '' ? indent : isBlank(text.slice(line.start, selection.start)) ? '' : `\n${indent}`;
  const lines = indentRest(commentLines(withNote(sql, note), mark), indent);
  return { edits: [{ ...selection, text: opens + lines }], warnings: [], isComment: true };
}

type Values = Pick<Language, 'value' | 'mark'>;

/** Writes the literal with its frame; a note goes above the code line. */
export function framed(
  { open, close, lineStart, commaAt, warning, ...how }: Frame,
  language: Values,
  request: WriteRequest,
  codeLine: number,
): Written {
  const { text, selection, note } = request;
  const hasOwnLine = lineStart !== undefined || open.startsWith('\n');
  const [white = '', indent = ''] = /^\n?([ \t]*)/.exec(open) ?? [];
  const isNotedBelow = note !== undefined && hasOwnLine;
  const noted = isNotedBelow ? `${white}${commentLines(note, language.mark)}\n${indent}` : white;
  const before = noted + open.slice(white.length);
  const around = hasOwnLine ? indent : leadingWhite(lineAt(text, selection.start).text);
  const short = language.value(request.sql);
  const literal = short.includes('\n') ? language.value(indentLines(request.sql, around, request.options)) : short;
  return {
    edits: [
      ...(commaAt === undefined ? [] : [{ start: commaAt, end: commaAt, text: ',' }]),
      ...(note === undefined || hasOwnLine ? [] : [commentAbove(text, codeLine, note, language.mark)]),
      { start: lineStart ?? selection.start, end: selection.end, text: before + literal + close },
    ],
    warnings: warning ? [warning] : [],
    literalAt: before.length + Math.floor(literal.length / 2),
    ...how,
  };
}
