/** Writes SQL into an existing block scalar. */
import { indentAll, indentRest } from '../indent.ts';
import { rawForJinja } from '../../shared/text/jinja.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { mayEndInLineComment, fitSql, sqlReader } from '../sql/fitSql.ts';
import { warn, type WriteRequest, type Written } from '../writing.ts';
import type { TextEdit } from '../types.ts';
import { contentOf, type ValuePoint } from './yamlPoint.ts';
import { escapeTemplate, needsIndentDigit, unescapeTemplate } from './yamlText.ts';

export interface YamlRequest extends WriteRequest {
  isDataModel: boolean;
  /** Columns per level in this file. */
  step: number;
  /** Whether the text already has errors, so that the result can't be verified. */
  isUnread: boolean;
}

export function writeYamlBlock({ entry, range }: ValuePoint, request: YamlRequest): Written {
  const { isDataModel, step, text, selection } = request;
  const { start, end } = selection;
  const header = /^[|>][-+\d]*/.exec(text.slice(range.start, range.end))?.[0] ?? '';
  const content = contentOf(text, range);
  const digit = /\d/.exec(header)?.[0];
  const key = Math.max(0, entry.column);
  const shown = content ? leadingWhite(lineAt(text, content.start).text).length : key + step;
  const column = digit === undefined ? shown : key + Number(digit);
  const indent = ' '.repeat(column);

  const line = lineAt(text, start);
  const below = lineAt(text, range.start).end;
  const isOnHeader = line.start <= range.start;
  const before = isOnHeader ? '' : text.slice(line.start, start);
  const after = isOnHeader ? '' : text.slice(end, lineAt(text, end).end);
  const token = isOnHeader ? undefined : sqlReader(text.slice(below, range.end))(start - below);
  const fitted = fitSql(request, { before, after, token: token?.kind === 'lineComment' ? token : undefined });
  const sql = isDataModel ? rawForJinja(escapeTemplate(fitted)) : fitted;

  /** Inserts whole lines, unless the selection is within a line. */
  const edit = (): TextEdit => {
    if (isOnHeader) return { start: below, end: Math.max(below, end), text: `\n${indentAll(sql, indent)}` };
    if (start < end || !isBlank(before)) {
      // The selection may begin in the indentation of its line.
      const isWhole = isBlank(before) && before.length < column;
      const written = (isWhole ? indentAll : indentRest)(sql, indent);
      const tail = sql.endsWith('\n') && !isBlank(after) ? indent : '';
      return { start: isWhole ? line.start : start, end, text: written + tail };
    }
    if (isBlank(after)) return { ...line, text: indentAll(sql, indent) };
    return { start: line.start, end: line.start, text: indentAll(sql.replace(/\n?$/, '\n'), indent) };
  };

  // In a folded scalar, text after a line comment would become part of it.
  const isFolded = header.startsWith('>') && (sql.includes('\n') || mayEndInLineComment(fitted));
  const named = digit === undefined && needsIndentDigit(sql) ? String(column - key) : '';
  const main = edit();
  const value = text.slice(below, main.start) + sql + text.slice(main.end, range.end);
  const read = isDataModel ? unescapeTemplate(value) : value;
  // Without its line end, a comment would include what others write behind the value.
  const rest = mayEndInLineComment(read.trimEnd()) ? header.slice(1).replace('-', '') : header.slice(1);
  const wanted = (isFolded ? '|' : header.charAt(0)) + named + rest;
  // At the end of the file, the line end of the comment is missing.
  if (main.end === text.length && mayEndInLineComment(read)) main.text += '\n';
  // Several cursors in one block produce equal header edits, which the planner merges.
  const headerEdit = wanted === header ? [] : [{ start: range.start, end: range.start + header.length, text: wanted }];
  return { edits: [...headerEdit, main], warnings: isFolded ? [warn('foldedScalar')] : [], value };
}
