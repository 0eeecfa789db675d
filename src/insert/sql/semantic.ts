/** Distinguishes SQL over cubes and views from warehouse SQL. */
import { isCode, lexSql, type Token } from './lex.ts';

interface Name {
  text: string;
  quoted: boolean;
}

/** The code of a statement in simplified form: words and unquoted names; everything else unchanged. */
function piecesOf(sql: string, tokens: readonly Token[]): (Name & { isName: boolean })[] {
  return tokens.filter(isCode).map(({ kind, start, end }) => {
    const text = sql.slice(start, end);
    if (kind === 'identifier') return { text: text.slice(1, -1).replaceAll('""', '"'), quoted: true, isName: true };
    return { text: kind === 'word' ? text.toLowerCase() : text, quoted: false, isName: kind === 'word' };
  });
}

/** @returns the index after the column list that starts here, or the same index if there is none */
function afterColumns(pieces: readonly Name[], from: number): number {
  if (pieces[from]?.text !== '(') return from;
  let at = from + 1;
  while (at < pieces.length && !/^[()]$/.test(pieces[at]?.text ?? '')) at++;
  return at + 1;
}

/** Names that the statement itself defines: `WITH name(columns) AS (…)`. They shadow cubes and views. */
function ownNames(pieces: readonly Name[]): Set<string> {
  const names = new Set<string>();
  pieces.forEach((piece, index) => {
    if (!/^(with|recursive|,)$/.test(pieces[index - 1]?.text ?? '')) return;
    const at = afterColumns(pieces, index + 1);
    const opens = pieces.slice(at + 1, at + 4).find(({ text }) => !/^(not|materialized)$/.test(text));
    if (pieces[at]?.text === 'as' && opens?.text === '(') names.add(piece.text);
  });
  return names;
}

const AFTER_TABLE = /^(from|join|,)$/;

/** @returns whether the SQL calls `MEASURE()`, reads from a known cube or view, or uses one of its members */
export function isSemanticSql(sql: string, knownNames: ReadonlySet<string> = new Set()): boolean {
  const pieces = piecesOf(sql, lexSql(sql));
  const hidden = ownNames(pieces);
  const lowered = new Set([...knownNames].map((name) => name.toLowerCase()));
  const isKnown = ({ text, quoted }: Name): boolean =>
    !hidden.has(text) && (quoted ? knownNames.has(text) : lowered.has(text));
  return pieces.some((piece, index) => {
    if (!piece.isName) return false;
    const before = pieces[index - 1]?.text ?? '';
    const after = pieces[index + 1]?.text;
    if (!piece.quoted && piece.text === 'measure' && after === '(' && before !== '.') return true;
    // `schema.orders` is a table of the warehouse; `orders.count` and a bare `FROM orders` are members and views.
    return before !== '.' && isKnown(piece) && (AFTER_TABLE.test(before) ? after !== '.' : after === '.');
  });
}
