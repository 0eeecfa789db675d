/** SQL into JSON: escaped in the string that is there, else as a string of its own. */
import type { Language } from '../literals/languages.ts';
import { DOUBLE, SLASHES } from '../literals/literalForms.ts';
import {
  apart,
  commentLines,
  endsInEscape,
  fitInLine,
  openBracket,
  warn,
  withNote,
  type WriteRequest,
  type Written,
} from '../place.ts';

/** Strings, and the comments that some kinds of JSON have. */
const TOKEN = /"(?:[^"\\\n]|\\.)*("?)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

interface Inside {
  start: number;
  end: number;
  isString: boolean;
}

/** The string, without its quotes, or comment that the offset lies in. */
function insideOf(text: string, offset: number): Inside | undefined {
  for (const { index, 0: token, 1: quote } of text.matchAll(TOKEN)) {
    if (index >= offset) return undefined;
    const inside = {
      start: index + 1,
      end: index + token.length - (quote === '"' ? 1 : 0),
      isString: token[0] === '"',
    };
    if (offset <= inside.end) return inside;
  }
  return undefined;
}

const stringText = (sql: string): string => JSON.stringify(sql).slice(1, -1);

/** Strings of JSON and the comments of some kinds of it, to decode what was written. */
export const JSON_LITERALS: Pick<Language, 'forms'> = { forms: [DOUBLE, ...SLASHES] };

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** @returns whether the text after the edits is JSON; unknown where the one before them is not, as with comments */
export const verifyJson = (text: string, after: string): boolean | undefined =>
  isJson(text) ? isJson(after) : undefined;

/** @returns the edits that bring the SQL to this place of a JSON file, where only strings hold comments about it */
export function writeJson({ text, selection, sql, note, options }: WriteRequest): Written {
  const { start, end } = selection;
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const [inside, last] = [insideOf(text, start), insideOf(text, end)];
  const isSplit = inside?.start !== last?.start;
  if (inside !== undefined) {
    const around = { before: text.slice(inside.start, start), after: text.slice(end, Math.max(end, inside.end)) };
    const whole = fitInLine(apart(commented, around), note, around);
    const isCut = isSplit || [start, end].some((at) => endsInEscape(text.slice(inside.start, at)));
    const isKey = inside.isString && /^"\s*:/.test(text.slice(inside.end));
    const warnings = isCut || isKey ? [warn('unfittedPlace')] : inside.isString ? [] : [warn('insideComment')];
    return { edits: [{ ...selection, text: stringText(whole) }], warnings };
  }
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(end).trimStart();
  const isItem = /^$|[[,]$/.test(before) && openBracket(before) !== '{';
  // Behind a colon, what follows is the value, unless it is the next key.
  const isNext = (isItem ? /^["\w[{-]/ : /^"(?:[^"\\\n]|\\.)*"\s*:/).test(after);
  const begins = isItem ? before !== '' || after === '' : before.endsWith(':');
  const fits = begins && !isSplit && (isNext || /^(?:[,}\]]|$)/.test(after));
  const open = /[,:]$/.test(text.slice(0, start)) ? ' ' : '';
  const close = !isNext ? '' : /\s/.test(text.charAt(end)) ? ',' : ', ';
  return {
    edits: [{ ...selection, text: open + JSON.stringify(withNote(commented, note)) + close }],
    warnings: fits ? [] : [warn('unfittedPlace')],
    literalAt: open.length + 1,
  };
}
