/** Writes SQL into files that contain it as text: `.sql`, dbt and everything else. */
import { indentSql } from '../indent.ts';
import { jinjaAt, rawForJinja } from '../../shared/text/jinja.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { unsupported, warn, withNote, type Reader, type WriteRequest, type Written } from '../writing.ts';
import type { SourceDocument } from '../types.ts';
import { fitSql, fromFirstLine, sqlReader } from './fitSql.ts';
import { isCode } from '../../shared/text/lexSql.ts';
import { statementReader } from './statements.ts';

/** @returns the SQL with the indentation of the line that it is inserted into */
const indented = (plain: string, before: string, { options }: WriteRequest): string => {
  const indent = leadingWhite(before);
  return indentSql(plain, indent, options) + (plain.endsWith('\n') ? indent : '');
};

/** The text on the line of the selection, before and after it. */
const besideOnLine = ({ text, selection }: WriteRequest): { before: string; after: string } => ({
  before: text.slice(lineAt(text, selection.start).start, selection.start),
  after: text.slice(selection.end, lineAt(text, selection.end).end),
});

/** Matches quotes; an escaped quote and an apostrophe within a word open no string. */
const QUOTES = /\\.|(?<=\p{L})'(?=\p{L})|(["'`])/gu;

/** @returns the quote of the string that is open at the end of the line; empty for none */
function openQuote(line: string): string {
  let open = '';
  for (const [, quote] of line.matchAll(QUOTES))
    if (quote !== undefined && (open === '' || open === quote)) open = open === '' ? quote : '';
  return open;
}

/** Matches the mark of a line comment in most languages. */
const LINE_COMMENT = /^[ \t]*(?:\/\/+|#+|--)[ \t]*/;

/** Writes the SQL unchanged into a file of another language, with a question if it would end the string that it is in. */
export function writeOther(request: WriteRequest): Written {
  const { before } = besideOnLine(request);
  const mark = LINE_COMMENT.exec(before)?.[0];
  if (mark !== undefined) {
    const text = withNote(request.sql, request.note).replaceAll('\n', `\n${mark}`);
    return { edits: [{ ...request.selection, text }], warnings: [warn('insideComment')] };
  }
  const isCommented = request.note !== undefined || request.options.asComment === true;
  const plain = isCommented ? fitSql(request, { before, after: '' }) : request.sql;
  const quote = openQuote(before);
  const isUnsafe = quote !== '' && [quote, '\\', '\n'].some((mark) => plain.includes(mark));
  const edit = { ...request.selection, text: indented(plain, before, request) };
  return { edits: [edit], warnings: isUnsafe ? [warn('unfittedPlace')] : [] };
}

/** @param hasStatements whether the file can contain several statements */
export function readSql({ text }: SourceDocument, hasStatements = true): Reader {
  const tokenAt = sqlReader(text);
  const edgesOf = hasStatements ? statementReader(text) : () => undefined;
  const write = (request: WriteRequest): Written => {
    const { selection, options } = request;
    const own = fromFirstLine(request.sql);
    const { before, after } = besideOnLine(request);
    const token = tokenAt(selection.start);
    const goesBelow = token?.kind === 'lineComment' && isBlank(after);
    const isCodeAround = token === undefined || goesBelow;
    const edges = isCodeAround && !options.asComment ? edgesOf(selection, own) : undefined;
    const { sql = own, endsAt, breaks = 0 } = edges ?? {};
    const fitted = fitSql({ ...request, sql }, { before, after, token });
    const isAbove = isBlank(before) && /^\s*[^\s;),\]]/.test(after) && isCodeAround && !fitted.endsWith('\n');
    // Line breaks at an indented cursor would leave white space on a line of its own.
    const lead = before !== '' && isBlank(before) ? '' : '\n'.repeat(breaks);
    const plain = (lead === '' ? fitted : lead + fitted.replace(/^\n/, '')) + (isAbove ? '\n' : '');
    const end = endsAt === undefined ? [] : [{ start: endsAt, end: endsAt, text: ';' }];
    const isBehind = endsAt === selection.start;
    const main = { ...selection, text: (isBehind ? ';' : '') + indented(plain, before, request) };
    const warnings = isCodeAround ? [] : [warn(isCode(token) ? 'insideLiteral' : 'insideComment')];
    return { edits: isBehind ? [main] : [...end, main], warnings };
  };
  return () => ({ kind: 'sql', write });
}

/** Matches the parts of a Dataform file that are JavaScript. */
const SCRIPT = /^[ \t]*(?:config|js)[ \t]*\{|\$\{/gm;

/** A Dataform file: SQL for the warehouse, in which a dollar and braces contain JavaScript. */
export function readDataform(document: SourceDocument): Reader {
  const { text } = document;
  const read = readSql(document, false);
  const scripts = [...text.matchAll(SCRIPT)].map(({ index, 0: open }) => {
    const line = lineAt(text, index);
    const isOneLine = open.endsWith('${') || line.text.trimEnd().endsWith('}');
    return { start: index, end: text.indexOf(isOneLine ? '}' : '\n}', index) };
  });
  const isInScript = (offset: number): boolean => scripts.some(({ start, end }) => start < offset && offset <= end);
  return (selection) => {
    const write = (request: WriteRequest): Written =>
      request.sql.includes('${') || isInScript(selection.start) ? unsupported(request) : read(selection).write(request);
    return { kind: 'sql', isWarehouseSql: true, write };
  };
}

function isInMacro({ text, fileName }: SourceDocument, offset: number): boolean {
  const opened = [...text.slice(0, offset).matchAll(/\{%-?\s*(end)?macro\b/g)].at(-1);
  return (opened !== undefined && opened[1] === undefined) || /(^|[\\/])macros[\\/]/i.test(fileName);
}

/** A dbt file, in which Jinja applies everywhere, including comments and literals. */
export function readDbt(document: SourceDocument): Reader {
  const read = readSql(document, false);
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
