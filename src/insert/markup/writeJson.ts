/** Writes SQL into JSON: escaped in an existing string, or as a new one. */
import { DOUBLE, SLASHES, type Form } from '../literals/literalForms.ts';
import { decodeLiteral, findAround, type Found } from '../literals/readLiteral.ts';
import { writeInside } from '../literals/writeInside.ts';
import { withLineEnd } from '../sql/fitSql.ts';
import { commented, warn, withNote, type Reader, type WriteRequest, type Written } from '../writing.ts';
import type { SourceDocument } from '../types.ts';
import { firstFitting, verifier } from '../verify.ts';

/** Strings and, in some kinds of JSON, comments. */
const TOKEN = /"(?:[^"\\\n]|\\.)*("?)|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g;

const TRAILING_COMMA = /("(?:[^"\\\n]|\\.)*"?)|,(?=\s*[}\]])/g;

const STRING: Form = { ...DOUBLE, write: (text) => JSON.stringify(text).slice(1, -1) };
/** Strings and, in some kinds of JSON, comments. */
export const JSON_LITERALS = { forms: [STRING, ...SLASHES] };

type Parse = (text: string) => unknown;

/** JSON, JSON with comments and trailing commas, and JSON lines. */
const PARSERS: readonly Parse[] = [
  (text) => JSON.parse(text),
  (text) =>
    JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('/') ? ' ' : token)).replace(TRAILING_COMMA, '$1')),
  (text) => text.split('\n').map((line) => (line.trim() === '' ? undefined : JSON.parse(line))),
];

/** @returns the value of the text, and the first parser that accepts it; undefined if none does */
function parsed(text: string, parsers = PARSERS): { value: unknown; parse: Parse } | undefined {
  for (const parse of parsers) {
    try {
      return { value: parse(text), parse };
    } catch {
      continue;
    }
  }
  return undefined;
}

/** @returns whether the edited text is still valid JSON; undefined if it was not valid before */
export function verifyJson(text: string, after: string): boolean | undefined {
  const before = parsed(text);
  return before ? parsed(after, [before.parse]) !== undefined : parsed(after) !== undefined || undefined;
}

/** The text before and after a value that is added to a list or object, best first. */
export function* aroundValue({ text, selection }: WriteRequest): Generator<readonly [before: string, after: string]> {
  const open = /[,:]$/.test(text.slice(0, selection.start)) ? ' ' : '';
  yield [open, ''];
  yield [open, /\s/.test(text.charAt(selection.end)) ? ',' : ', '];
  yield [', ', ''];
}

/** The ways to write the SQL as a string; `asComment` is ignored, because JSON has no comments. */
function* writeString(request: WriteRequest): Generator<Written> {
  const { selection, note } = request;
  const value = JSON.stringify(withLineEnd(withNote(commented(request), note)));
  for (const [before, after] of aroundValue(request))
    yield { edits: [{ ...selection, text: before + value + after }], warnings: [], literalAt: before.length + 1 };
}

function writeInString(found: Found, request: WriteRequest): Written {
  const written = writeInside(found, request);
  const isKey = !found.form.isComment && /^\s*:/.test(request.text.slice(found.next));
  return isKey ? { ...written, warnings: [warn('unfittedPlace')] } : written;
}

export function readJson({ text }: SourceDocument): Reader {
  const write = (request: WriteRequest): Written => {
    const found = findAround(text, JSON_LITERALS, request.selection.start);
    if (found !== undefined) return writeInString(found, request);
    const verify = verifier(request, (before, _, after) => verifyJson(before, after), decodeLiteral(JSON_LITERALS));
    // A value is inserted only if the file is valid JSON afterwards.
    return firstFitting(writeString(request), (written) => verify(written) ?? false);
  };
  return () => ({ kind: 'other', write });
}
