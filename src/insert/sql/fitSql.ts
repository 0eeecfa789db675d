/** Adapts SQL to the SQL text around it, so that no comment includes code, and no two words become one. */
import { isBlank } from '../../shared/text/lines.ts';
import {
  BACKSLASHES,
  isCode,
  isLiteral,
  lexSql,
  POSTGRES,
  type Dialect,
  type Token,
} from '../../shared/text/lexSql.ts';
import { maskJinja } from '../../shared/text/jinja.ts';
import { lineAt } from '../../shared/text/lines.ts';
import { commentLines, withNote, type WriteRequest } from '../writing.ts';
import type { Span } from '../types.ts';

/** @returns whether the SQL ends inside a line comment, which would include what follows on the line */
export const endsInLineComment = (sql: string): boolean => lexSql(sql).at(-1)?.kind === 'lineComment';

/** Comments of MySQL and BigQuery, and of Snowflake; in PostgreSQL, these are operators. */
const OTHER_COMMENT = /(?:^|\s)(?:#|\/\/)/;

/**
 * @returns whether the SQL may end inside a line comment of any dialect, which would include what others append. A line
 * end where there is no comment does no harm.
 */
export function mayEndInLineComment(sql: string): boolean {
  const behindQuotes = sql.slice(Math.max(...["'", '"', '`', '\n'].map((mark) => sql.lastIndexOf(mark))) + 1);
  return endsInLineComment(sql) || OTHER_COMMENT.test(behindQuotes);
}

/** @returns the SQL with a line end behind a comment, so that the comment does not include what others append */
export const withLineEnd = (sql: string): string => (mayEndInLineComment(sql) ? `${sql}\n` : sql);

/** The text next to the SQL on its line, and the comment or literal around it. */
export interface Surroundings {
  before: string;
  after: string;
  token?: Token | undefined;
  /** Whether the text ends behind `after`, and others continue the line. */
  isAtEnd?: boolean;
}

const OPERATOR = /[-+*/<>=~!@#%^&|]/;

/** @returns whether two adjacent texts would be read as one word or operator; braces are part of words */
export function isGlued(left: string, right: string): boolean {
  const [end, start] = [left.charAt(left.length - 1), right.charAt(0)];
  if (isBlank(end) || isBlank(start) || '([{,;'.includes(end) || ')],;'.includes(start)) return false;
  return OPERATOR.test(end) === OPERATOR.test(start) || right.startsWith('--');
}

/** @returns the SQL without blank lines at its start */
export const fromFirstLine = (sql: string): string => sql.replace(/^(?:[ \t]*\n)+/, '');

/** @returns the SQL as it is written between the text before and after it, without indentation */
export function fitSql({ sql, note, options }: WriteRequest, around: Surroundings): string {
  const { before, after, token, isAtEnd = false } = around;
  const isInComment = token?.kind === 'lineComment';
  // At the end of a line comment, SQL goes on the line below; within one, it becomes part of the comment.
  const staysComment = isInComment && !isBlank(after);
  const code = options.asComment || staysComment ? commentLines(sql, '--') : sql;
  const opens =
    !isBlank(before) &&
    (isInComment ||
      note !== undefined ||
      options.asComment === true ||
      (token === undefined && (before.trimEnd().endsWith(';') || isGlued(before, code))));
  const whole = (opens && !staysComment ? '\n' : '') + withNote(code, note);
  if (staysComment) return `${whole}\n--`;
  const isFollowed = isAtEnd || !isBlank(after);
  const ends = isAtEnd ? mayEndInLineComment(whole) : endsInLineComment(whole);
  const closes = isFollowed && (ends || (token === undefined && isGlued(whole, after)));
  return whole + (closes ? '\n' : '');
}

/** The line of a notebook cell that declares the language of the lines below. */
const MAGIC = /^(\s*)(%.*)/;

const isAround =
  (offset: number) =>
  ({ kind, start, end }: Token): boolean =>
    kind !== 'space' && start < offset && (offset < end || (kind === 'lineComment' && offset === end));

/** @returns the literal or comment at an offset, also in the body of a function */
function markAt(tokens: readonly Token[], offset: number, dialect: Dialect): Token | undefined {
  const found = tokens.find(isAround(offset));
  if (found === undefined || (isCode(found) && !isLiteral(found))) return undefined;
  if (found.kind !== 'dollar') return found;
  const tag = found.text.indexOf('$', 1) + 1;
  return markAt(lexSql(found.text.slice(tag, -tag), dialect), offset - found.start - tag, dialect);
}

/**
 * Finds the literal or comment at an offset. Dialects may disagree: only a literal that all dialects find counts. If no
 * dialect can read the text, because quotes have another meaning in it, only a line comment is found.
 */
export function sqlReader(text: string): (offset: number) => Token | undefined {
  const plain = maskJinja(text).replace(MAGIC, (_, white: string, magic: string) => white + '-'.repeat(magic.length));
  const readings = [POSTGRES, BACKSLASHES]
    .map((dialect) => ({ dialect, tokens: lexSql(plain, dialect) }))
    .filter(({ tokens }) => tokens.every(({ closed }) => closed));
  return (offset) => {
    const line = lineAt(plain, offset);
    const found =
      readings.length > 0
        ? readings.map(({ dialect, tokens }) => markAt(tokens, offset, dialect))
        : [lexSql(line.text).find((token) => token.kind === 'lineComment' && isAround(offset - line.start)(token))];
    const comment = found.find((token) => token?.kind === 'lineComment');
    return comment ?? (found.every((token) => token !== undefined) ? found[0] : undefined);
  };
}

/**
 * @param content the text of a literal, as it is written in the file
 * @param span the selection in it
 * @param beside the characters of other literals that continue the text
 */
export function fitInLiteral(
  request: WriteRequest,
  content: string,
  { start, end }: Span,
  beside: readonly string[] = [],
): string {
  const line = lineAt(content, start);
  const last = lineAt(content, end);
  const [left = '', right = ''] = beside;
  const isAtEnd = last.end === content.length;
  const token = sqlReader(content)(start);
  return fitSql(request, {
    before: (line.start === 0 ? left : '') + content.slice(line.start, start),
    after: content.slice(end, last.end) + (isAtEnd ? right : ''),
    token: token?.kind === 'lineComment' ? token : undefined,
    isAtEnd,
  });
}
