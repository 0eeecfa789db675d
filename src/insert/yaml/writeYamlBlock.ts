/** SQL into a block scalar that is there already. */
import { indentAll, indentRest } from '../indent.ts';
import { rawForJinja } from '../sql/jinja.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { apart, commentLines, endsInLineComment, warn, withNote, type Written } from '../place.ts';
import type { Span, TextEdit } from '../types.ts';
import type { YamlRequest } from './writeYaml.ts';
import { contentOf, type ValuePoint } from './yamlPoint.ts';
import { escapeTemplate, needsIndentDigit } from './yamlText.ts';

interface Block {
  /** Column that the lines of the value must be deeper than. */
  column: number;
  header: { start: number; end: number; text: string; lineEnd: number };
  /** Columns of indentation; absent while the block is empty. */
  indent?: number;
  content?: Span;
}

function blockAt(text: string, { entry, range }: ValuePoint): Block {
  const { start } = range;
  const header = /^[|>][-+\d]*/.exec(text.slice(start, start + 4))?.[0] ?? '';
  const digit = /[1-9]/.exec(header)?.[0];
  const content = contentOf(text, { ...range, style: 'block' });
  const column = Math.max(0, entry.column);
  const shown = content && leadingWhite(lineAt(text, content.start).text).length;
  const indent = digit === undefined ? shown : column + Number(digit);
  return {
    column,
    header: { start, end: start + header.length, text: header, lineEnd: lineAt(text, start).end },
    ...(indent !== undefined && { indent }),
    ...(content && { content }),
  };
}

/** The greatest indentation that a header can name. */
const DEEPEST = 9;

/**
 * Header of the block once it holds the text: a literal one, with a digit where the first line hides the indentation.
 * @param depth columns between the key and the lines of the block
 */
function headerFor(place: Block, isFirst: boolean, text: string, depth: number): string {
  const literal = place.header.text.replace('>', '|');
  return isFirst && needsIndentDigit(text) && !/[1-9]/.test(literal) ? literal.replace('|', `|${depth}`) : literal;
}

/** Where whole lines go: in place of a blank line, above a line whose indentation the cursor is in, or below the header. */
function lineEdit(place: Block, { text, selection, step }: YamlRequest, body: string): TextEdit | undefined {
  if (selection.start !== selection.end) return undefined;
  const line = lineAt(text, selection.start);
  if (line.start <= place.header.start) {
    return { start: place.header.lineEnd, end: place.header.lineEnd, text: `\n${body}` };
  }
  if (isBlank(line.text)) return { start: line.start, end: line.end, text: body };
  const column = selection.start - line.start;
  const isInWhite = column < leadingWhite(line.text).length || column < (place.indent ?? place.column + step);
  return isInWhite ? { start: line.start, end: line.start, text: body.endsWith('\n') ? body : `${body}\n` } : undefined;
}

/** The selected part of the block: whole lines when it covers all of the content, else what is selected. */
function inlineEdit(place: Block, { text, selection }: YamlRequest, sql: string, indent: string): TextEdit {
  const { lineEnd } = place.header;
  if (place.content === undefined && selection.start < lineEnd)
    return {
      start: lineEnd,
      end: Math.max(lineEnd, selection.end),
      text: `\n${indentAll(sql.replace(/^\n/, ''), indent)}`,
    };
  const line = lineAt(text, selection.start);
  const coversAll =
    place.content !== undefined &&
    isBlank(text.slice(place.content.start, Math.max(selection.start, place.content.start))) &&
    isBlank(text.slice(selection.end, place.content.end));
  if (coversAll && place.content) return { ...place.content, text: indentAll(sql, indent) };
  const before = line.text.slice(0, selection.start - line.start);
  const isInWhite = isBlank(before);
  const last = lineAt(text, selection.end);
  const after = text.slice(selection.end, last.end);
  const parted = apart(sql, { before, after });
  const ends = !isBlank(after) && endsInLineComment(parted);
  const whole = ends && !parted.endsWith('\n') ? `${parted}\n` : parted;
  const written = isInWhite ? indentAll(whole, indent) : indentRest(whole, indent);
  const start = isInWhite ? line.start : selection.start;
  return { start, end: selection.end, text: written + (whole.endsWith('\n') && !isBlank(after) ? indent : '') };
}

/** Header edits of one block, from several cursors, are one and the same. */
function headerEdit(place: Block, header: string): TextEdit[] {
  const { start, end, text } = place.header;
  return header === text ? [] : [{ start, end, text: header }];
}

const startsBlock = (place: Block, edit: Span): boolean =>
  place.content === undefined || edit.start <= place.content.start;

/** @returns the edits that bring the SQL into the block scalar */
export function writeYamlBlock(point: ValuePoint, request: YamlRequest): Written {
  const { isDataModel, step, note, options, text, selection } = request;
  const place = blockAt(text, point);
  const column = place.indent ?? place.column + step;
  const indent = ' '.repeat(column);
  const commented = options.asComment ? commentLines(request.sql, '--') : request.sql;
  const depth = column - place.column;
  const noted = withNote(depth > DEEPEST ? commented.replace(/^(\n*)[ \t]+/, '$1') : commented, note);
  const escapedText = isDataModel ? escapeTemplate(noted) : noted;
  const sql = isDataModel ? rawForJinja(escapedText) : noted;
  const line = lineAt(text, selection.start);
  const needsLine = (note !== undefined || options.asComment) && !isBlank(text.slice(line.start, selection.start));
  const edit =
    lineEdit(place, request, indentAll(sql, indent)) ??
    inlineEdit(place, request, needsLine ? `\n${sql}` : sql, indent);
  const header = headerFor(place, startsBlock(place, edit), sql, depth);
  // Folded, what follows a line comment would become part of it.
  const isFolded = place.header.text.startsWith('>') && (sql.includes('\n') || endsInLineComment(sql));
  const wanted = isFolded || !place.header.text.startsWith('>') ? header : header.replace('|', '>');
  return {
    edits: [...headerEdit(place, wanted), edit],
    warnings: isFolded ? [warn('foldedScalar')] : [],
    added: escapedText,
  };
}
