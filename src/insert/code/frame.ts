/** SQL as a literal of a programming language: what has to stand around it so that the code stays code. */
import { commentLines, warn, type WriteRequest, type Written } from '../place.ts';
import { indentRest } from '../indent.ts';
import { leadingWhite, lineAt } from '../../shared/text/lines.ts';
import type { Span, TextEdit } from '../types.ts';

export interface Frame {
  /** Begins with a line break, and indentation, where the literal gets a line of its own below. */
  open: string;
  close: string;
  /** Start of the line that is written anew, its indentation included. */
  lineStart?: number;
  /** Where something before the place has to be ended with a comma first. */
  commaAt?: number;
  /** Whether the name that it is given is taken. */
  isDuplicate?: boolean;
  /** What makes SQL an error in a data model here: a table's name beside it, or the view that it is in. */
  conflict?: 'table' | 'view';
  /** Whether nothing makes the literal fit. */
  unfitted?: boolean;
}

export const bare: Frame = { open: '', close: '' };
export const unfitted: Frame = { ...bare, unfitted: true };

/**
 * On an empty line the literal is as deep as what follows in the same brackets.
 * @param step white space of one level more
 */
export function onEmptyLine(frame: Frame, text: string, { start, end }: Span, step: string): Frame {
  const [, white = '', closing] = /^\s*\n([ \t]*)(?:([)\]}])|\S)/.exec(text.slice(end)) ?? [];
  if (frame.unfitted || lineAt(text, start).text !== '') return frame;
  return { ...frame, open: white + (closing ? step : '') + frame.open, lineStart: start };
}

/** @returns white space at the beginning of the line that the literal begins on */
export function indentOf({ open, lineStart }: Frame, text: string, offset: number): string {
  const isOwnLine = lineStart !== undefined || open.startsWith('\n');
  return isOwnLine ? leadingWhite(open.replace(/^\n/, '')) : leadingWhite(lineAt(text, offset).text);
}

/** @param codeLine start of a line that begins in code */
export function commentAbove(text: string, codeLine: number, about: string, mark: string): TextEdit {
  const indent = leadingWhite(lineAt(text, codeLine).text);
  const comment = `${indent}${indentRest(commentLines(about, mark), indent)}\n`;
  return { start: codeLine, end: codeLine, text: comment };
}

/**
 * Puts the literal into its frame; a note goes above the line.
 * @param codeLine start of the last line that begins in code
 * @param mark of a line comment
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
