/** SQL into files where it stands as it is: `.sql`, dbt, Markdown and everything else. */
import { indentSql } from './indent.ts';
import { isInsideJinja, rawForJinja } from './jinja.ts';
import { isBlank, leadingWhite, lineAt } from './lines.ts';
import { lexSql } from './lex.ts';
import { commentLines, fitInLine, warn, type WriteRequest, type Written } from './place.ts';
import type { InsertWarning } from './types.ts';

/** Says when the cursor is where SQL does not run. */
function surroundings(text: string, offset: number): InsertWarning[] {
  const token = lexSql(text).find(({ start, end }) => start < offset && offset <= end);
  if (token === undefined) return [];
  const isInside = offset < token.end || !token.closed || token.kind === 'lineComment';
  if (!isInside) return [];
  if (token.kind === 'lineComment' || token.kind === 'blockComment') return [warn('insideComment')];
  return token.kind === 'string' || token.kind === 'dollar' ? [warn('insideLiteral')] : [];
}

function written({ text, selection, sql, note, options }: WriteRequest): { plain: string; offset: number } {
  const body = sql.replace(/^(?:[ \t]*\n)+/, '');
  const line = lineAt(text, selection.start);
  const before = text.slice(line.start, selection.start);
  const after = text.slice(selection.end, lineAt(text, selection.end).end);
  const commented = options.asComment ? commentLines(body, '--') : body;
  const opens = options.asComment === true && !isBlank(before) && note === undefined;
  const fitted = (opens ? '\n' : '') + fitInLine(commented, note, { before, after });
  return { plain: indentSql(fitted, leadingWhite(before), options), offset: selection.start };
}

/** @returns the edits for a plain `.sql` file or any other text */
export function writePlain(request: WriteRequest, isSqlFile: boolean): Written {
  const { plain, offset } = written(request);
  return {
    edits: [{ ...request.selection, text: plain }],
    warnings: isSqlFile ? surroundings(request.text, offset) : [],
  };
}

/** @returns the edits for a dbt file, where Jinja runs over everything, comments and literals included */
export function writeDbt(request: WriteRequest): Written {
  const { plain, offset } = written(request);
  const warnings = isInsideJinja(request.text, offset) ? [warn('insideJinja')] : surroundings(request.text, offset);
  return { edits: [{ ...request.selection, text: rawForJinja(plain) }], warnings };
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
  const longest = Math.max(2, ...(request.sql.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const { plain } = written({ ...request, sql: request.sql.replace(/\n$/, '') });
  const indent = leadingWhite(line.text);
  return { edits: [{ ...selection, text: `${fence}sql\n${indent}${plain}\n${indent}${fence}` }], warnings: [] };
}
