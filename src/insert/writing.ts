/** The input of all writers, and shared helpers. */
import type { InsertOptions, InsertTarget, InsertWarning, Span, TextEdit } from './types.ts';

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
export type Decode = (after: string, range: Span, written: Pick<Written, 'literalAt' | 'keeps'>) => string | undefined;

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

export const withNote = (sql: string, note: string | undefined): string =>
  note === undefined ? sql : `-- ${note}\n${sql}`;
