/** SQL into files where it stands as it is: `.sql`, dbt, Markdown and everything else. */
import { fenceFor } from '../shared/fence.ts';
import { indentSql } from './indent.ts';
import { isInsideJinja, rawForJinja } from './jinja.ts';
import { isBlank, leadingWhite, lineAt } from './lines.ts';
import { isLiteral, lexSql, type Token } from './lex.ts';
import { commentLines, fitInLine, isGlued, warn, type WriteRequest, type Written } from './place.ts';
import type { InsertWarning } from './types.ts';

/** The comment or literal that the offset lies in, if any. */
function tokenAround(text: string, offset: number): Token | undefined {
  const token = lexSql(text).find(({ start, end }) => start < offset && offset <= end);
  if (token === undefined || !(isLiteral(token) || isComment(token))) return undefined;
  return offset < token.end || !token.closed || token.kind === 'lineComment' ? token : undefined;
}

const isComment = ({ kind }: Token): boolean => kind === 'lineComment' || kind === 'blockComment';

/** SQL as it stands in a text of SQL; in other text comments and literals of SQL mean nothing. */
function fitted(request: WriteRequest, isSqlText: boolean): { plain: string; warnings: InsertWarning[] } {
  const { text, selection, sql, note, options } = request;
  const line = lineAt(text, selection.start);
  const before = text.slice(line.start, selection.start);
  const after = text.slice(selection.end, lineAt(text, selection.end).end);
  const token = isSqlText ? tokenAround(text, selection.start) : undefined;
  const isLineComment = token?.kind === 'lineComment';
  // Below a comment that ends with its line there is room; in the middle of one the SQL becomes part of it.
  const goesBelow = isLineComment && isBlank(after);
  const staysComment = isLineComment && !goesBelow;
  const body = sql.replace(/^(?:[ \t]*\n)+/, '');
  const commented = options.asComment || staysComment ? commentLines(body, '--') : body;
  const isWord = isSqlText && token === undefined;
  const opens =
    note === undefined &&
    (goesBelow || (options.asComment === true && !isBlank(before)) || (isWord && isGlued(before, commented)));
  const inLine = fitInLine(commented, note, { before, after: staysComment ? '' : after });
  const closes = isWord && isGlued(inLine, after);
  const whole = (opens ? '\n' : '') + inLine + (staysComment ? '\n--' : '');
  const warnings = token === undefined || goesBelow ? [] : [warn(isComment(token) ? 'insideComment' : 'insideLiteral')];
  const indent = leadingWhite(before);
  return { plain: indentSql(whole, indent, options) + (closes ? `\n${indent}` : ''), warnings };
}

/** @returns the edits for a plain `.sql` file or any other text */
export function writePlain(request: WriteRequest, isSqlFile: boolean): Written {
  const { plain, warnings } = fitted(request, isSqlFile);
  return { edits: [{ ...request.selection, text: plain }], warnings };
}

/** @returns the edits for a dbt file, where Jinja runs over everything, comments and literals included */
export function writeDbt(request: WriteRequest): Written {
  const { plain, warnings } = fitted(request, true);
  const isInTag = isInsideJinja(request.text, request.selection.start);
  return {
    edits: [{ ...request.selection, text: rawForJinja(plain) }],
    warnings: isInTag ? [warn('insideJinja')] : warnings,
  };
}

/** @returns the edits for Markdown: fenced, unless the cursor is in a fence already */
export function writeMarkdown(request: WriteRequest): Written {
  const { text, selection } = request;
  const line = lineAt(text, selection.start);
  const fences = text.slice(0, line.start).match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
  const isAlone =
    isBlank(line.text.slice(0, selection.start - line.start)) &&
    isBlank(text.slice(selection.end, lineAt(text, selection.end).end));
  if (fences % 2 === 1 || !isAlone) return writePlain(request, false);
  const fence = fenceFor(request.sql);
  const { plain } = fitted({ ...request, sql: request.sql.replace(/\n$/, '') }, false);
  const indent = leadingWhite(line.text);
  return { edits: [{ ...selection, text: `${fence}sql\n${indent}${plain}\n${indent}${fence}` }], warnings: [] };
}
