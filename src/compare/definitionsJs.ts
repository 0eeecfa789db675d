/** Cubes, views and members in JavaScript models. */
import type { FoundDefinition } from './definitions.ts';

const OWNER = /(?<![\w$.])(?:cube|view)\s*\(\s*([`'"])([\w$]+)\1\s*,\s*\{/g;
const MEMBER_LISTS = /^(measures|dimensions|segments|joins|hierarchies|preAggregations|pre_aggregations)$/;
/** What holds no braces or keys of code: comments, strings and templates without nesting. */
const OPAQUE =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?|`(?:[^`\\]|\\[\s\S])*`?/y;
const KEY = /(?:([\w$]+)|(["'`])([\w$]+)\2)\s*:/y;

/** What an item of a view says of the cube that it includes. */
const INCLUDE =
  /(?<![\w$.])(?:(?:join_path|joinPath)\s*:\s*(?:\(\)\s*=>\s*)?(?=["'`]?([\w$.]+))|(prefix)\s*:\s*true\b)/y;

/** @returns what a JavaScript model file defines */
export function findInJs(text: string): FoundDefinition[] {
  const matches = [...text.matchAll(OWNER)];
  return matches.flatMap((match, index) => {
    const [whole, quote = '', owner = ''] = match;
    const start = match.index + whole.indexOf(quote) + 1;
    // A body that nobody closed ends where the next one begins, so that no part of the text is read twice.
    const body = text.slice(0, matches[index + 1]?.index);
    const from = match.index + whole.length;
    return [
      { owner, start, end: start + owner.length, includes: includedIn(body, from) },
      ...membersFrom(body, from, owner),
    ];
  });
}

/** Where the comment, string or template that begins here ends, or the same place. */
function endOfOpaque(text: string, at: number): number {
  OPAQUE.lastIndex = at;
  return OPAQUE.test(text) ? OPAQUE.lastIndex : at;
}

/** Cubes that a view takes its members from: each object in the body that has a path, with its own prefix. */
function includedIn(text: string, from: number): { cube: string; prefix: boolean }[] {
  const open = [{ cube: '', prefix: false }];
  const found = [...open];
  for (let at = from; at < text.length && open.length > 0;) {
    INCLUDE.lastIndex = at;
    const include = INCLUDE.exec(text);
    const item = open.at(-1);
    if (include !== null && item !== undefined) {
      if (include[2] !== undefined) item.prefix = true;
      else item.cube = include[1]?.split('.').at(-1) ?? '';
      at = INCLUDE.lastIndex;
      continue;
    }
    const end = endOfOpaque(text, at);
    if (end > at) {
      at = end;
      continue;
    }
    if (text[at] === '{') {
      const inner = { cube: '', prefix: false };
      open.push(inner);
      found.push(inner);
    } else if (text[at] === '}') open.pop();
    at++;
  }
  return found.filter(({ cube }) => cube !== '');
}

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
    const end = endOfOpaque(text, at);
    if (end > at) {
      at = end;
      continue;
    }
    if ('{[('.includes(text[at] ?? '')) depth++;
    else if ('}])'.includes(text[at] ?? '')) depth--;
    at++;
  }
  return found;
}
