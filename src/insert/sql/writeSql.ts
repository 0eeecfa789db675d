/** Writes SQL into files that contain it as text: `.sql`, dbt and everything else. */
import { indentSql } from '../indent.ts';
import { jinjaAt, maskJinja, rawForJinja } from '../../shared/text/jinja.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { BACKSLASHES, isCode, isLiteral, lexSql, POSTGRES, type Dialect, type Token } from './lex.ts';
import { commentLines, fitInLine, isGlued, unsupported, warn } from '../writing.ts';
import type { Reader, WriteRequest, Written } from '../writing.ts';
import type { InsertWarning, SourceDocument } from '../types.ts';

/** The text next to the SQL on its line, and the literal or comment around it. */
interface Surroundings {
  before: string;
  after: string;
  token?: Token | undefined;
}

/** @param isSqlText whether the document is SQL; in other documents, SQL comments and literals have no meaning */
export function fitted(
  { sql, note, options }: WriteRequest,
  { before, after, token }: Surroundings,
  isSqlText: boolean,
): { plain: string; warnings: InsertWarning[] } {
  const isLineComment = token?.kind === 'lineComment';
  // At the end of a line comment, SQL goes on the line below; within one, it becomes part of the comment.
  const goesBelow = isLineComment && isBlank(after);
  const staysComment = isLineComment && !goesBelow;
  const body = sql.replace(/^(?:[ \t]*\n)+/, '');
  const commented = options.asComment || staysComment ? commentLines(body, '--') : body;
  const isWord = isSqlText && token === undefined;
  const isNextStatement = isWord && before.trimEnd().endsWith(';');
  const opens =
    note === undefined &&
    (goesBelow ||
      isNextStatement ||
      (options.asComment === true && !isBlank(before)) ||
      (isWord && isGlued(before, commented)));
  const inLine = fitInLine(commented, note, { before, after: staysComment ? '' : after });
  const closes = isWord && isGlued(inLine, after);
  const whole = (opens ? '\n' : '') + inLine + (staysComment ? '\n--' : '');
  const warnings = token === undefined || goesBelow ? [] : [warn(isCode(token) ? 'insideLiteral' : 'insideComment')];
  const indent = leadingWhite(before);
  return { plain: indentSql(whole, indent, options) + (closes ? `\n${indent}` : ''), warnings };
}

function surroundings({ text, selection }: WriteRequest, token?: Token): Surroundings {
  const before = text.slice(lineAt(text, selection.start).start, selection.start);
  return { before, after: text.slice(selection.end, lineAt(text, selection.end).end), token };
}

/** Matches quotes; an escaped quote and an apostrophe within a word open no string. */
const QUOTES = /\\.|(?<=\p{L})'(?=\p{L})|(["'`])/gu;

/** @returns the quote of the string that is open at the end of the line; empty for none */
function openQuote(line: string): string {
  let open = '';
  for (const [, quote] of line.matchAll(QUOTES))
    if (quote !== undefined && (open === '' || open === quote)) open = open === '' ? quote : '';
  return open;
}

/** Writes the SQL unchanged into a file of another language, with a question if it would end the string that it is in. */
export function writeOther(request: WriteRequest): Written {
  const around = surroundings(request);
  const quote = openQuote(around.before);
  const { plain } = fitted(request, around, false);
  const isUnsafe = quote !== '' && [quote, '\\', '\n'].some((mark) => plain.includes(mark));
  return { edits: [{ ...request.selection, text: plain }], warnings: isUnsafe ? [warn('unfittedPlace')] : [] };
}

/** The line of a notebook cell that declares the language of the lines below. */
const MAGIC = /^(\s*)(%.*)/;

/** The literals and comments of the text; undefined if one is not closed, because quotes then have another meaning. */
function marksIn(text: string, dialect: Dialect, from = 0): Token[] | undefined {
  const tokens = lexSql(text, dialect);
  if (!tokens.every(({ closed }) => closed)) return undefined;
  return tokens.flatMap((token) => {
    const { kind, start, end } = token;
    if (kind === 'dollar') {
      const tag = text.indexOf('$', start + 1) + 1 - start;
      return marksIn(text.slice(start + tag, end - tag), dialect, from + start + tag) ?? [];
    }
    const isMark = isLiteral(token) || (kind !== 'space' && !isCode(token));
    return isMark ? [{ ...token, start: from + start, end: from + end }] : [];
  });
}

const isAround =
  (offset: number) =>
  ({ kind, start, end }: Token): boolean =>
    start < offset && (offset < end || (kind === 'lineComment' && offset === end));

/**
 * Finds the literal or comment at an offset. Dialects may disagree: only a literal that all dialects find counts. If no
 * dialect can read the text, only a line comment is found.
 */
function sqlReader(text: string): (offset: number) => Token | undefined {
  const plain = maskJinja(text).replace(MAGIC, (_, white: string, magic: string) => white + '-'.repeat(magic.length));
  const readings = [POSTGRES, BACKSLASHES]
    .map((dialect) => marksIn(plain, dialect))
    .filter((marks) => marks !== undefined);
  return (offset) => {
    const line = lineAt(plain, offset);
    const found =
      readings.length > 0
        ? readings.map((marks) => marks.find(isAround(offset)))
        : [lexSql(line.text).find((token) => token.kind === 'lineComment' && isAround(offset - line.start)(token))];
    const comment = found.find((token) => token?.kind === 'lineComment');
    return comment ?? (found.every((token) => token !== undefined) ? found[0] : undefined);
  };
}

export function readSql({ text }: SourceDocument): Reader {
  const tokenAt = sqlReader(text);
  const write = (request: WriteRequest): Written => {
    const { plain, warnings } = fitted(request, surroundings(request, tokenAt(request.selection.start)), true);
    return { edits: [{ ...request.selection, text: plain }], warnings };
  };
  return () => ({ kind: 'sql', write });
}

/** A Dataform file: SQL for the warehouse, in which a dollar and braces contain JavaScript. */
export function readDataform(document: SourceDocument): Reader {
  const read = readSql(document);
  const write = (request: WriteRequest): Written =>
    request.sql.includes('${') ? unsupported(request) : read(request.selection).write(request);
  return () => ({ kind: 'sql', isWarehouseSql: true, write });
}

function isInMacro({ text, fileName }: SourceDocument, offset: number): boolean {
  const opened = [...text.slice(0, offset).matchAll(/\{%-?\s*(end)?macro\b/g)].at(-1);
  return (opened !== undefined && opened[1] === undefined) || /(^|[\\/])macros[\\/]/i.test(fileName);
}

/** A dbt file, in which Jinja applies everywhere, including comments and literals. */
export function readDbt(document: SourceDocument): Reader {
  const read = readSql(document);
  const write = (request: WriteRequest): Written => {
    const { edits, warnings } = read(request.selection).write(request);
    const around = jinjaAt(request.text, request.selection.start);
    const isLost = around === 'tag' || (around === 'raw' && edits.some(({ text }) => /\{%[-+]?\s*endraw/.test(text)));
    return {
      edits: around === 'raw' ? edits : edits.map((edit) => ({ ...edit, text: rawForJinja(edit.text) })),
      warnings: isLost ? [warn('insideJinja')] : warnings,
    };
  };
  return ({ start }) => ({
    kind: isInMacro(document, start) ? 'dbtMacro' : 'dbtModel',
    isWarehouseSql: true,
    write,
  });
}
