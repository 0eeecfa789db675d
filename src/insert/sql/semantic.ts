/** Distinguishes SQL over cubes and views from warehouse SQL. */
import { isCode, lexSql } from '../../shared/text/lexSql.ts';

/** A word, name or symbol of a statement: words in lower case, names without their quotes. */
interface Piece {
  text: string;
  isQuoted: boolean;
  isName: boolean;
}

const piecesOf = (sql: string): Piece[] =>
  lexSql(sql)
    .filter(isCode)
    .map(({ kind, text }) => {
      if (kind === 'identifier') return { text: text.slice(1, -1).replaceAll('""', '"'), isQuoted: true, isName: true };
      return { text: kind === 'word' ? text.toLowerCase() : text, isQuoted: false, isName: kind === 'word' };
    });

/** Names that the statement itself defines: `name(columns) AS (…)`. They shadow cubes and views. */
function ownNames(pieces: readonly Piece[]): Set<string> {
  const names = pieces.map(({ text }, index) => {
    const opens = pieces.slice(index + 1, index + 4).find((piece) => !/^(not|materialized)$/.test(piece.text));
    if (text !== 'as' || opens?.text !== '(') return undefined;
    const hasColumns = pieces[index - 1]?.text === ')';
    const columns = pieces.findLastIndex((piece, at) => at < index && piece.text === '(');
    return pieces[(hasColumns ? columns : index) - 1]?.text;
  });
  return new Set(names.filter((name) => name !== undefined));
}

const AFTER_TABLE = /^(from|join|,)$/;

/** @returns whether the SQL calls `MEASURE()`, reads from a known cube or view, or uses one of its members */
export function isSemanticSql(sql: string, knownNames: ReadonlySet<string> = new Set()): boolean {
  const pieces = piecesOf(sql);
  const hidden = ownNames(pieces);
  const lowered = new Set([...knownNames].map((name) => name.toLowerCase()));
  const isKnown = ({ text, isQuoted }: Piece): boolean =>
    !hidden.has(text) && (isQuoted ? knownNames : lowered).has(text);
  return pieces.some((piece, index) => {
    if (!piece.isName) return false;
    const before = pieces[index - 1]?.text ?? '';
    const after = pieces[index + 1]?.text;
    if (!piece.isQuoted && piece.text === 'measure' && after === '(' && before !== '.') return true;
    // `schema.orders` is a table of the warehouse; `orders.count` and a bare `FROM orders` are members and views.
    return before !== '.' && isKnown(piece) && (AFTER_TABLE.test(before) ? after !== '.' : after === '.');
  });
}
