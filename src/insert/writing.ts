/** The input of all writers, and shared helpers. */
import type { InsertOptions, InsertTarget, InsertWarning, Span, TextEdit } from './types.ts';
import { lexSql } from './sql/lex.ts';

export interface WriteRequest {
  /** Text of the document with its own line ends. */
  text: string;
  /** The range to overwrite; empty for a bare cursor. */
  selection: Span;
  /** The text to write, with only `\n`. */
  sql: string;
  /** A line comment about the SQL, without its comment marker. */
  note?: string;
  options: InsertOptions;
}

/** Edits with only `\n`; the planner restores the file's line ends. */
export interface Written {
  edits: TextEdit[];
  warnings: InsertWarning[];
  /** The complete value that is written into a file; undefined if only comments are written. */
  value?: string;
  /** Offset of a complete new literal in the text of the last edit. */
  literalAt?: number;
  /** Number of characters behind the literal around the edit, which the edit must not change. */
  keeps?: number;
  isComment?: boolean;
  /** Whether the literal is a statement, not part of one. */
  isStatement?: boolean;
  /** Checks the new text by rules that the grammar does not enforce. */
  accepts?(after: string): boolean;
  /** Whether the code behind the literal may be parsed differently, because it was parsed as the missing value. */
  isReparsed?: boolean;
}

/** The position of a selection in the file, with a function that writes SQL there. */
export interface Site extends Partial<Omit<InsertTarget, 'container'>> {
  write(request: WriteRequest): Written;
}

/** Finds the site of a selection. Created once per file, for any number of selections. */
export interface Reader {
  (selection: Span): Site;
  /** @returns the problems that the edits of several cursors have together */
  conflicts?(edits: readonly TextEdit[], after: string): InsertWarning[];
}

/** Decodes the literal in a range of a file; undefined if it contains more than text. */
export type Decode = (
  after: string,
  range: Span,
  written: Pick<Written, 'literalAt' | 'isStatement' | 'keeps'>,
) => string | undefined;

/** @returns whether the SQL ends inside a line comment, which would include what follows on the line */
export const endsInLineComment = (sql: string): boolean => lexSql(sql).at(-1)?.kind === 'lineComment';

/** @returns the text with every line as a comment; JavaScript also ends lines at U+2028 and U+2029 */
export const commentLines = (text: string, mark: string): string =>
  text
    .split(/[\n\u2028\u2029]/)
    .map((line) => `${mark} ${line}`.trimEnd())
    .join('\n');

/** The SQL as it is written into a literal, which may have to be a comment. */
export const commented = ({ sql, options }: Pick<WriteRequest, 'sql' | 'options'>): string =>
  options.asComment ? commentLines(sql, '--') : sql;

export const warn = (code: InsertWarning['code'], detail = ''): InsertWarning => ({ code, detail });

/** Writes the SQL unchanged, with a warning that the position is unsupported. */
export const unsupported = ({ selection, sql }: Pick<WriteRequest, 'selection' | 'sql'>): Written => ({
  edits: [{ ...selection, text: sql }],
  warnings: [warn('unfittedPlace')],
});

/** @returns whether two adjacent texts would be read as one word */
export const isGlued = (left: string, right: string): boolean =>
  /[\p{L}\p{N}_]$/u.test(left) && /^[\p{L}\p{N}_]/u.test(right);

export const withNote = (sql: string, note: string | undefined): string =>
  note === undefined ? sql : `-- ${note}\n${sql}`;

/** Puts SQL on its own line if it would form one word with adjacent text. */
export const separated = (sql: string, { before, after }: { before: string; after: string }): string =>
  (isGlued(before, sql) ? '\n' : '') + sql + (isGlued(sql, after) ? '\n' : '');

/** Adapts SQL to the text before and after it on its line, so that no comment includes code. */
export function fitInLine(sql: string, note: string | undefined, around: { before: string; after: string }): string {
  const opens = note !== undefined && around.before.trim() !== '';
  const closes = around.after.trim() !== '' && endsInLineComment(sql);
  return (opens ? '\n' : '') + withNote(sql, note) + (closes ? '\n' : '');
}

/** @returns the SQL of a request as it is written between the text before and after it on its line of a literal */
export const betweenText = (request: WriteRequest, around: { before: string; after: string }): string =>
  separated(fitInLine(commented(request), request.note, around), around);

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** @returns index of the unclosed bracket at the end of the text, among the given kinds; -1 for none */
export function openBracketAt(text: string, opening = '[{'): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text.charAt(at);
    if (opening.includes(OPENING[character] ?? ' ')) depth++;
    else if (opening.includes(character) && depth-- === 0) return at;
  }
  return -1;
}
