/** Writes SQL into JSON: escaped in an existing string, or as a new one. */
import type { Language } from '../literals/languages.ts';
import { DOUBLE, SLASHES } from '../literals/literalForms.ts';
import {
  apart,
  commentLines,
  endsInEscape,
  fitInLine,
  warn,
  withNote,
  type WriteRequest,
  type Written,
} from '../place.ts';

/** Strings and, in some kinds of JSON, comments. */
const TOKEN = /"(?:[^"\\\n]|\\.)*("?)|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;

const TRAILING_COMMA = /("(?:[^"\\\n]|\\.)*"?)|,(?=\s*[}\]])/g;

interface Inside {
  start: number;
  end: number;
  isString: boolean;
}

/** The text range of the string or comment at the offset, without quotes. */
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

/** Strings and comments, to decode what was written. */
export const JSON_LITERALS: Pick<Language, 'forms'> = { forms: [DOUBLE, ...SLASHES] };

/** JSON, JSON with comments and trailing commas, and JSON lines. */
const PARSERS: readonly ((text: string) => unknown)[] = [
  (text) => JSON.parse(text),
  (text) =>
    JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('/') ? ' ' : token)).replace(TRAILING_COMMA, '$1')),
  (text) => text.split('\n').map((line) => (line.trim() === '' ? undefined : JSON.parse(line))),
];

function canParse(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * @returns whether the text after the edits is JSON of the same kind, or of any kind if a value was missing; undefined if
 * it is not JSON before and after
 */
export function verifyJson(text: string, after: string): boolean | undefined {
  const parse = PARSERS.find((each) => canParse(each, text));
  return parse ? canParse(parse, after) : PARSERS.some((each) => canParse(each, after)) || undefined;
}

/** @returns ways to write the SQL at this position of a JSON file, where comments are possible only in strings */
export function writeJson({ text, selection, sql, note, options }: WriteRequest): (() => Written)[] {
  const { start, end } = selection;
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const inside = insideOf(text, start);
  if (inside !== undefined) {
    const around = { before: text.slice(inside.start, start), after: text.slice(end, Math.max(end, inside.end)) };
    const whole = fitInLine(apart(commented, around), note, around);
    const isCut = end > inside.end || [start, end].some((at) => endsInEscape(text.slice(inside.start, at)));
    const isKey = inside.isString && /^"\s*:/.test(text.slice(inside.end));
    const warnings = isCut || isKey ? [warn('unfittedPlace')] : inside.isString ? [] : [warn('insideComment')];
    return [() => ({ edits: [{ ...selection, text: stringText(whole) }], warnings })];
  }
  const open = /[,:]$/.test(text.slice(0, start)) ? ' ' : '';
  const value = JSON.stringify(withNote(commented, note));
  const write = (before: string, after: string) => (): Written => ({
    edits: [{ ...selection, text: before + value + after }],
    warnings: [],
    literalAt: before.length + 1,
  });
  return [write(open, ''), write(open, /\s/.test(text.charAt(end)) ? ',' : ', '), write(', ', '')];
}
