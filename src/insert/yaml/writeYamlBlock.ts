/** Writes SQL into an existing block scalar. */
import { indentAll, indentRest } from '../indent.ts';
import { rawForJinja } from '../sql/jinja.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import {
  separated,
  commentLines,
  endsInLineComment,
  warn,
  withNote,
  type WriteRequest,
  type Written,
} from '../writing.ts';
import type { TextEdit } from '../types.ts';
import { contentOf, type ValuePoint } from './yamlPoint.ts';
import { escapeTemplate, needsIndentDigit } from './yamlText.ts';

export interface YamlRequest extends WriteRequest {
  isDataModel: boolean;
  /** Columns per level in this file. */
  step: number;
  /** Whether the text already has errors, so that the result can't be verified. */
  isUnread: boolean;
}

/**
 * Inserts whole lines, in place of a blank line, below the header or above another line, unless the selection is within
 * a line.
 */
function editAt({ text, selection }: YamlRequest, sql: string, indent: string, header: number): TextEdit {
  const { start, end } = selection;
  const [line, last] = [lineAt(text, start), lineAt(text, end)];
  const lines = indentAll(sql, indent);
  const isCursor = start === end;
  const below = lineAt(text, header).end;
  if (line.start <= header) return { start: below, end: Math.max(below, end), text: `\n${lines}` };
  if (isCursor && isBlank(line.text)) return { start: line.start, end: line.end, text: lines };
  const before = text.slice(line.start, start);
  const after = text.slice(end, last.end);
  if (isCursor && before.length < Math.max(indent.length, leadingWhite(line.text).length))
    return { start: line.start, end: line.start, text: lines.endsWith('\n') ? lines : `${lines}\n` };
  const parted = separated(sql, { before, after });
  const whole = !isBlank(after) && endsInLineComment(parted) ? `${parted}\n` : parted;
  const rest = whole.endsWith('\n') && !isBlank(after) ? indent : '';
  if (isBlank(before)) return { start: line.start, end, text: indentAll(whole, indent) + rest };
  return { start, end, text: indentRest(whole, indent) + rest };
}

export function writeYamlBlock({ entry, range }: ValuePoint, request: YamlRequest): Written {
  const { isDataModel, step, note, options, text, selection } = request;
  const { start } = range;
  const header = /^[|>][-+\d]*/.exec(text.slice(start, range.end))?.[0] ?? '';
  const content = contentOf(text, range);
  const digit = /\d/.exec(header)?.[0];
  const shown = content ? leadingWhite(lineAt(text, content.start).text).length : Math.max(0, entry.column) + step;
  const column = digit === undefined ? shown : Math.max(0, entry.column) + Number(digit);
  const depth = column - Math.max(0, entry.column);

  const commented = options.asComment ? commentLines(request.sql, '--') : request.sql;
  const noted = withNote(commented, note);
  const added = isDataModel ? escapeTemplate(noted) : noted;
  const sql = isDataModel ? rawForJinja(added) : noted;
  const isAmid =
    selection.start > lineAt(text, start).end &&
    !isBlank(text.slice(lineAt(text, selection.start).start, selection.start));
  const opens = isAmid && (note !== undefined || options.asComment);
  const edit = editAt(request, opens ? `\n${sql}` : sql, ' '.repeat(column), start);

  // In a folded scalar, text after a line comment would become part of it.
  const isFolded = header.startsWith('>') && (sql.includes('\n') || endsInLineComment(sql));
  const named = digit === undefined && needsIndentDigit(sql) ? String(depth) : '';
  const wanted = (isFolded ? '|' : header.charAt(0)) + named + header.slice(1);
  // Several cursors in one block produce equal header edits, which the planner merges.
  const headerEdit = wanted === header ? [] : [{ start, end: start + header.length, text: wanted }];
  return { edits: [...headerEdit, edit], warnings: isFolded ? [warn('foldedScalar')] : [], added };
}
