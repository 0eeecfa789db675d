/** Names at an offset of SQL and of model files: paths such as `"orders"."count"`, and what their first part stands for. */

/** A name with its parts, without quotes. */
interface NamePath {
  parts: readonly string[];
  start: number;
  end: number;
}

/** Number of characters before and after the offset that are searched. */
const NEAR = 300;
const PATH = /(?:"\w+"|`\w+`|[A-Za-z_]\w*)(?:\s*\.\s*(?:"\w+"|`\w+`|\w+))*/g;
const PART = /\w+/g;

/** @returns the path up to the part at the offset; undefined if there is no name */
export function pathAt(text: string, offset: number): NamePath | undefined {
  const from = Math.max(0, offset - NEAR);
  const near = text.slice(from, offset + NEAR);
  for (const { index, 0: path } of near.matchAll(PATH)) {
    const start = from + index;
    if (offset < start || offset > start + path.length) continue;
    const parts: string[] = [];
    for (const part of path.matchAll(PART)) {
      parts.push(part[0]);
      const isQuoted = path[part.index - 1] === '"' || path[part.index - 1] === '`';
      const end = start + part.index + part[0].length + (isQuoted ? 1 : 0);
      const partStart = start + part.index - (isQuoted ? 1 : 0);
      if (offset <= end) return offset < partStart ? undefined : { parts, start, end };
    }
  }
  return undefined;
}

const WORD = /(?<!\w)\w*$/;
const withoutQuote = (text: string): string => text.replace(/["`]$/, '').trimEnd();

/** @returns the word before the offset, and the part before its dot, which is empty after a dot without a name */
export function typedAt(text: string, offset: number): { word: string; owner?: string } {
  const before = text.slice(Math.max(0, offset - NEAR), offset);
  const word = WORD.exec(before)![0];
  const rest = withoutQuote(before.slice(0, before.length - word.length));
  return rest.endsWith('.') ? { word, owner: WORD.exec(withoutQuote(rest.slice(0, -1).trimEnd()))![0] } : { word };
}

const TABLE = /(?:\bfrom\s|\bjoin\s|,)\s*(?:"?public"?\.)?["`]?(\w+)["`]?(?:\s+as)?(?:\s+["`]?(\w+))?/gi;
const NOT_ALIAS =
  /^(?:on|where|join|inner|left|right|full|cross|natural|group|order|limit|having|union|using|window|as|select|from)$/i;
/** Number of characters around the offset that are searched for tables: longer statements are unlikely. */
const STATEMENT = 5000;

/** A table of a query, with its alias. */
interface QueryTable {
  name: string;
  alias: string | undefined;
}

/** @returns the tables of the statement at the offset, nearest first */
export function tablesNear(text: string, offset: number): QueryTable[] {
  const before = text.slice(Math.max(0, offset - STATEMENT), offset);
  const start = before.lastIndexOf(';') + 1;
  const after = text.slice(offset, offset + STATEMENT);
  const [rest = ''] = after.split(';', 1);
  const statement = before.slice(start) + rest;
  const at = before.length - start;
  return [...statement.matchAll(TABLE)]
    .sort((left, right) => Math.abs(left.index - at) - Math.abs(right.index - at))
    .map(([, name = '', alias]) => ({ name, alias: alias !== undefined && NOT_ALIAS.test(alias) ? undefined : alias }));
}
