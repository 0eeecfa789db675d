/** Finds cubes, views and members in JavaScript model files. */
import type { FoundDefinition } from './definition.ts';

const OWNER = /(?<![\w$.])(?:cube|view)\s*\(\s*([`'"])([\w$]+)\1\s*,\s*\{/g;
const MEMBER_LISTS = /^(measures|dimensions|segments|joins|hierarchies|preAggregations|pre_aggregations)$/;
/** Comments, strings and templates without nesting, whose braces and keys are not code. */
const OPAQUE =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?|`(?:[^`\\]|\\[\s\S])*`?/y;
const KEY = /(?:([\w$]+)|(["'`])([\w$]+)\2)\s*:/y;

/** The join path or the prefix flag of a cube that a view includes. */
const INCLUDE =
  /(?<![\w$.])(?:(?:join_path|joinPath)\s*:\s*(?:\(\)\s*=>\s*)?(?=["'`]?([\w$.]+))|(prefix)\s*:\s*true\b)/y;

/** @returns the definitions in a JavaScript model file */
export function findInJs(text: string): FoundDefinition[] {
  const matches = [...text.matchAll(OWNER)];
  return matches.flatMap((match, index) => {
    const [whole, quote = '', owner = ''] = match;
    const start = match.index + whole.indexOf(quote) + 1;
    // An unclosed body ends at the next definition, so that no text is scanned twice.
    const body = text.slice(0, matches[index + 1]?.index);
    const from = match.index + whole.length;
    return [
      { owner, start, end: start + owner.length, includes: includedIn(body, from) },
      ...membersFrom(body, from, owner),
    ];
  });
}

/** @returns the end of the comment, string or template at the offset, or the offset itself if there is none */
function endOfOpaque(text: string, at: number): number {
  OPAQUE.lastIndex = at;
  return OPAQUE.test(text) ? OPAQUE.lastIndex : at;
}

/** Finds the cubes that a view includes: each object in the body with a join path, and its own prefix flag. */
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

/** Finds the keys of the member lists, at the second level of the object whose body begins at `from`. */
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
