/** What every writer is given, and small things that all of them need. */
import type { InsertOptions, InsertWarning, Span, TextEdit } from './types.ts';
import { lexSql } from './sql/lex.ts';

export interface WriteRequest {
  /** Text of the document, with its own line ends. */
  text: string;
  /** What is overwritten; a bare cursor when nothing is. */
  selection: Span;
  /** What to write, with `\n` only. */
  sql: string;
  /** A line comment about the SQL, without its comment mark. */
  note?: string;
  options: InsertOptions;
}

/** Edits with `\n` only; the planner puts in the file's line ends. */
export interface Written {
  edits: TextEdit[];
  warnings: InsertWarning[];
  /** What a parser finds added to a value of the file; nothing where only comments are written. */
  added?: string;
  /** Where in the text of the last edit a new literal is, for one that is written whole. */
  literalAt?: number;
  /** What the literal must be in the program: part of an expression, a declaration or a list, or a statement of its own. */
  role?: 'value' | 'statement';
  /** Whether code behind the literal becomes part of another node, since a value was missing before it. */
  isReparsed?: boolean;
}

/** Decodes what was written into a range of a file; nothing where it is more than the text of a literal. */
export type Decode = (after: string, range: Span, written: Pick<Written, 'literalAt' | 'role'>) => string | undefined;

/** @returns whether the SQL ends inside a line comment, which would swallow what follows on the line */
export const endsInLineComment = (sql: string): boolean => lexSql(sql).at(-1)?.kind === 'lineComment';

/** @returns every line of the text as a comment of its own; JavaScript ends a line at U+2028 and U+2029 too */
export const commentLines = (text: string, mark: string): string =>
  text
    .split(/[\n\u2028\u2029]/)
    .map((line) => `${mark} ${line}`.trimEnd())
    .join('\n');

export const warn = (code: InsertWarning['code'], detail = ''): InsertWarning => ({ code, detail });

/** @returns whether two texts side by side would be read as one word */
export const isGlued = (left: string, right: string): boolean =>
  /[\p{L}\p{N}_]$/u.test(left) && /^[\p{L}\p{N}_]/u.test(right);

/** @returns whether the text of a literal ends amid an escape: the backslash would go with what is written behind it */
export const endsInEscape = (before: string): boolean =>
  /(?<!\\)(?:\\\\)*\\(?:u(?:[\da-fA-F]{0,3}|\{[\da-fA-F]*)|U[\da-fA-F]{0,7}|x[\da-fA-F]?)?$/.test(before);

/** Puts the note above the SQL, as a comment of SQL itself. */
export const withNote = (sql: string, note: string | undefined): string =>
  note === undefined ? sql : `-- ${note}\n${sql}`;

/** Gives SQL that would be read as one word with what stands beside it a line of its own. */
export const apart = (sql: string, { before, after }: { before: string; after: string }): string =>
  (isGlued(before, sql) ? '\n' : '') + sql + (isGlued(sql, after) ? '\n' : '');

/**
 * Fits SQL between what stands before and after it on its line: a note or comment never swallows either.
 * @param indent white space for the lines that this adds
 */
export function fitInLine(sql: string, note: string | undefined, around: { before: string; after: string }): string {
  const opens = note !== undefined && around.before.trim() !== '';
  const closes = around.after.trim() !== '' && endsInLineComment(sql);
  return (opens ? '\n' : '') + withNote(sql, note) + (closes ? '\n' : '');
}

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** @returns where the bracket is that is open at the end of the text, of those that are looked for; -1 for none */
export function openBracketAt(text: string, opening = '[{'): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text.charAt(at);
    if (opening.includes(OPENING[character] ?? ' ')) depth++;
    else if (opening.includes(character) && depth-- === 0) return at;
  }
  return -1;
}

/** @returns the bracket that is open at the end of the text */
export const openBracket = (text: string): string | undefined => text[openBracketAt(text)];
