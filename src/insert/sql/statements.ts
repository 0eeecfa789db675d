/** Keeps the statements of a SQL file apart when another one is inserted. */
import { BACKSLASHES, isCode, lexSql, POSTGRES, type Token } from '../../shared/text/lexSql.ts';
import { withoutFinalSemicolon } from './hazards.ts';
import type { Span } from '../types.ts';

const STARTS =
  /^(?:select|with|insert|update|delete|merge|create|alter|drop|truncate|explain|values|grant|revoke|comment|copy|unload|call|exec|execute|use|set|show|describe|pragma|analyze|vacuum|optimize|refresh|commit|rollback)$/i;
/** Matches the first word of statements that another one must follow. */
const LEADS = /^(?:with|insert|explain)$/i;
/** Matches the main statement behind one of these, and what replaces it. */
const MAIN = /^(?:select|update|delete|merge|values|from|create|set|exec)$/i;
/** Matches the last word of text that more must follow. */
const CONTINUES =
  /^(?:select|distinct|from|join|on|using|where|by|having|and|or|not|in|as|set|into|values|union|intersect|except|all|case|when|then|else|between|like|is|with|recursive|over|limit|offset)$/i;
/** Matches the last word before a list of statements: in a block, a condition or a loop. */
const OPENS = /^(?:begin|then|else|do|loop)$/i;
/** Matches the first word behind a list of statements, and that of other blocks; `JINJA_END` ends one of SQLMesh. */
const AROUND = /^(?:begin|declare|else|elseif|elsif|end|\w+_end)$/i;
/** Matches lines that end a batch without a semicolon: of SQL Server, Oracle, psql and Databricks. */
const BATCH = /^[ \t]*(?:GO|\/|\\.*|-- COMMAND -+)[ \t]*$/gim;

/** The code; undefined if a literal is not closed in any dialect, because quotes then have another meaning. */
const tokensIn = (sql: string): Token[] | undefined =>
  [POSTGRES, BACKSLASHES]
    .map((dialect) => lexSql(sql, dialect))
    .find((tokens) => tokens.every(({ closed }) => closed))
    ?.filter(isCode);

/** @returns whether the text is one complete statement */
function isStatement(tokens: readonly Token[]): boolean {
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined || !STARTS.test(first.text)) return false;
  let depth = 0;
  let hasMain = !LEADS.test(first.text);
  const isList = /^with$/i.test(first.text);
  for (const { text } of tokens) {
    if (text === '(') depth++;
    else if (text === ')') depth--;
    else if ((depth === 0 || !isList) && text !== first.text && MAIN.test(text)) hasMain = true;
  }
  const isOpen = last.kind === 'symbol' ? !/[)\]}*]/.test(last.text) : CONTINUES.test(last.text);
  return depth === 0 && hasMain && !isOpen;
}

export interface StatementEdges {
  /** The SQL with or without its final semicolon. */
  sql: string;
  /** Offset at which a semicolon must end the statement above. */
  endsAt?: number;
  /** Number of line breaks between the statement above and the SQL. */
  breaks: number;
}

type EdgesOf = (selection: Span, sql: string) => StatementEdges | undefined;

/**
 * Reads a file once for all of its cursors.
 * @returns how a SQL statement is separated from those around a selection; undefined if it isn't one, or is part of one
 */
export function statementReader(text: string): EdgesOf {
  const tokens = tokensIn(text);
  return (selection, sql) => tokens && edgesIn(text, tokens, selection, sql);
}

function edgesIn(text: string, tokens: readonly Token[], selection: Span, sql: string): ReturnType<EdgesOf> {
  const { start, end } = selection;
  const own = tokensIn(sql);
  if (own === undefined) return undefined;
  const body = tokens.find(({ kind, start: from, end: to }) => kind === 'dollar' && from < start && start < to);
  if (body) return edgesInBody(body, selection, sql);
  const isEnded = own.at(-1)?.text === ';';
  const bare = isEnded ? own.slice(0, -1) : own;
  const next = tokens.find((token) => token.start >= end)?.text;
  if (isEnded && (next === ';' || next === ')')) {
    const ended = withoutFinalSemicolon(sql);
    return edgesIn(text, tokens, selection, ended) ?? { sql: ended, breaks: 0 };
  }
  if (!isStatement(bare)) return undefined;
  const batch = [...text.slice(0, start).matchAll(BATCH)].at(-1);
  const from = batch ? batch.index + batch[0].length : 0;
  const above = tokens.filter((token) => token.start >= from && token.end <= start);
  const statement = above.slice(above.findLastIndex((token) => token.text === ';') + 1);
  const last = above.at(-1);
  const isAlone = statement.length === 0 || (last !== undefined && OPENS.test(last.text));
  const isNext = next !== undefined && (STARTS.test(next) || (isAlone && AROUND.test(next)));
  if (!isAlone && !(isStatement(statement) && (isNext || next === undefined || next === ';'))) return undefined;
  const replacesEnd = tokens.findLast((token) => token.start >= start && token.end <= end)?.text === ';';
  const closes = !isEnded && (isNext || (replacesEnd && next !== ';'));
  const gap = last === undefined || start < end ? 2 : text.slice(last.end, start).split('\n').length - 1;
  return {
    sql: closes ? withSemicolon(sql, own) : sql,
    ...(isAlone || last === undefined ? {} : { endsAt: last.end }),
    breaks: Math.max(0, 2 - gap),
  };
}

/** @returns the edges in the body of a function or of a script between dollar quotes */
function edgesInBody({ text, start: from }: Token, { start, end }: Span, sql: string): StatementEdges | undefined {
  const quote = text.indexOf('$', 1) + 1;
  const edges = statementReader(text.slice(quote, -quote))(
    { start: start - from - quote, end: end - from - quote },
    sql,
  );
  return edges?.endsAt === undefined ? edges : { ...edges, endsAt: edges.endsAt + from + quote };
}

/** Adds the semicolon behind the last code, because a comment may follow it. */
function withSemicolon(sql: string, tokens: readonly Token[]): string {
  const at = tokens.at(-1)?.end ?? sql.length;
  return `${sql.slice(0, at)};${sql.slice(at)}`;
}
