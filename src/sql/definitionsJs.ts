/** Cubes, views and members in JavaScript models. */
import type { FoundDefinition } from './definitions.ts';

const OWNER = /(?<![\w$.])(?:cube|view)\s*\(\s*([`'"])([\w$]+)\1\s*,\s*\{/g;
const MEMBER_LISTS = /^(measures|dimensions|segments|joins|hierarchies|preAggregations|pre_aggregations)$/;
/** What holds no braces or keys of code: comments, strings and templates without nesting. */
const OPAQUE =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?|`(?:[^`\\]|\\[\s\S])*`?/y;
const KEY = /(?:([\w$]+)|(["'`])([\w$]+)\2)\s*:/y;

/** @returns what a JavaScript model file defines */
export function findInJs(text: string): FoundDefinition[] {
  return [...text.matchAll(OWNER)].flatMap((match) => {
    const [whole, quote = '', owner = ''] = match;
    const start = match.index + whole.indexOf(quote) + 1;
    const body = match.index + whole.length;
    const next = text.slice(body).search(OWNER);
    const includes = includedIn(next < 0 ? text.slice(body) : text.slice(body, body + next));
    return [{ owner, start, end: start + owner.length, includes }, ...membersFrom(text, body, owner)];
  });
}

/** Cubes that a view takes its members from. */
const includedIn = (body: string): { cube: string; prefix: boolean }[] =>
  [...body.matchAll(/\b(?:join_path|joinPath)\s*:\s*(?:\(\)\s*=>\s*)?["'`]?([\w$.]+)[^}]*/g)].map(
    ([item, path = '']) => ({
      cube: path.split('.').at(-1) ?? '',
      prefix: /\bprefix\s*:\s*true\b/.test(item),
    }),
  );

/** Keys at the second level of the object whose body begins at `from`, in the lists of members. */
function membersFrom(text: string, from: number, owner: string): FoundDefinition[] {
  const found: FoundDefinition[] = [];
  let depth = 1;
  let list = '';
  for (let at = from; at < text.length && depth > 0;) {
    KEY.lastIndex = at;
    const isKeyPlace = /[{,\s]/.test(text[at - 1] ?? '') && depth <= 2;
    const key = isKeyPlace ? KEY.exec(text) : null;
    if (key !== null) {
      const name = key[1] ?? key[3] ?? '';
      const start = at + (key[2]?.length ?? 0);
      if (depth === 1) list = name;
      else if (MEMBER_LISTS.test(list)) found.push({ owner, member: name, start, end: start + name.length });
      at = KEY.lastIndex;
      continue;
    }
    OPAQUE.lastIndex = at;
    if (OPAQUE.test(text)) {
      at = OPAQUE.lastIndex;
      continue;
    }
    if ('{[('.includes(text[at] ?? '')) depth++;
    else if ('}])'.includes(text[at] ?? '')) depth--;
    at++;
  }
  return found;
}
