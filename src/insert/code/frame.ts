/** SQL as a literal of a programming language, with the code around it that keeps the program valid. */
import { commentLines, warn, type WriteRequest, type Written } from '../place.ts';
import { indentRest } from '../indent.ts';
import { leadingWhite, lineAt } from '../../shared/text/lines.ts';
import type { Span, TextEdit } from '../types.ts';

export interface Frame {
  /** Text before the literal; starts with a line break and indentation if the literal is on a new line. */
  open: string;
  close: string;
  /** Start of the line to rewrite, including its indentation. */
  lineStart?: number;
  /** Offset at which a comma must end the preceding item. */
  commaAt?: number;
  /** Whether its name is already in use. */
  isDuplicate?: boolean;
  /** Why SQL is an error here in a data model: a table name next to it, or a view around it. */
  conflict?: 'table' | 'view';
  /** Whether no form of the literal fits. */
  unfitted?: boolean;
}

export const bare: Frame = { open: '', close: '' };
export const unfitted: Frame = { ...bare, unfitted: true };

/**
 * On an empty line, the literal has the indentation of what follows in the same brackets.
 * @param step white space of one level
 */
export function onEmptyLine(frame: Frame, text: string, { start, end }: Span, step: string): Frame {
  const [, white = '', closing] = /^\s*\n([ \t]*)(?:([)\]}])|\S)/.exec(text.slice(end)) ?? [];
  if (frame.unfitted || lineAt(text, start).text !== '') return frame;
  return { ...frame, open: white + (closing ? step : '') + frame.open, lineStart: start };
}

/** @returns white space at the start of the line on which the literal starts */
export function indentOf({ open, lineStart }: Frame, text: string, offset: number): string {
  const isOwnLine = lineStart !== undefined || open.startsWith('\n');
  return isOwnLine ? leadingWhite(open.replace(/^\n/, '')) : leadingWhite(lineAt(text, offset).text);
}

/** @param codeLine start of a line that starts in code */
export function commentAbove(text: string, codeLine: number, about: string, mark: string): TextEdit {
  const indent = leadingWhite(lineAt(text, codeLine).text);
  const comment = `${indent}${indentRest(commentLines(about, mark), indent)}\n`;
  return { start: codeLine, end: codeLine, text: comment };
}

/**
 * Writes the literal with its frame; a note goes above the line.
 * @param codeLine start of the last line that starts in code
 * @param mark start of a line comment
 */
export function framed(
  frame: Frame,
  literal: string,
  { text, selection, note }: WriteRequest,
  { codeLine, mark }: { codeLine: number; mark: string },
): Written {
  const { open, close, lineStart, commaAt } = frame;
  const hasOwnLine = lineStart !== undefined || open.startsWith('\n');
  const [white = '', indent = ''] = /^\n?([ \t]*)/.exec(open) ?? [];
  const noted = note !== undefined && hasOwnLine ? `${white}${commentLines(note, mark)}\n${indent}` : white;
  const edits: TextEdit[] = [
    ...(commaAt === undefined ? [] : [{ start: commaAt, end: commaAt, text: ',' }]),
    ...(note === undefined || hasOwnLine ? [] : [commentAbove(text, codeLine, note, mark)]),
    {
      start: lineStart ?? selection.start,
      end: selection.end,
      text: noted + open.slice(white.length) + literal + close,
    },
  ];
  const warnings = [
    ...(frame.unfitted ? [warn('unfittedPlace')] : []),
    ...(frame.isDuplicate ? [warn('duplicateKey', 'sql')] : []),
    ...(frame.conflict === 'table' ? [warn('duplicateKey', 'sql_table')] : []),
    ...(frame.conflict === 'view' ? [warn('rootKey', 'views')] : []),
  ];
  return { edits, warnings };
}
