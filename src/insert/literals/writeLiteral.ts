/** Writes SQL into languages whose literals a table describes; if a grammar is loaded, it verifies the edits. */
import { writeCode } from '../code/wrapper.ts';
import { loadedParser } from '../code/grammars.ts';
import { isBlank, lineAt, type Line } from '../../shared/text/lines.ts';
import { MARKUP } from '../markup/markup.ts';
import { warn, type Reader, type WriteRequest, type Written } from '../writing.ts';
import type { SourceDocument } from '../types.ts';
import { firstFitting, verifier, verifyWith } from '../verify.ts';
import { writeOther } from '../sql/writeSql.ts';
import { valueAbove, wrappersAt } from './codePoint.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { decodeLiteral, findAround, type Found } from './readLiteral.ts';
import { SCRIPTS } from './scriptLanguages.ts';
import { writeInside } from './writeInside.ts';

/** Matches an attribute or annotation of the code below it. */
const ATTRIBUTE = /^\s*(?:#\[.*\]|\[[A-Z][\w.]*(?:\(.*\))?\]|@[\w.:]+(?:\(.*\))?)$/;

/** The cursor, and the starts of the lines above it that belong to the code below: attributes, and the value of a block. */
function* placesAt(request: WriteRequest, language: Language): Generator<WriteRequest> {
  const { text, selection } = request;
  const value = selection.start === selection.end ? valueAbove(text, selection, language) : undefined;
  if (value !== undefined) return yield { ...request, selection: { start: value, end: value } };
  yield request;
  const { declare } = language;
  const [own, rest] = [lineAt(text, selection.start), lineAt(text, selection.end)];
  const isAtEdge = isBlank(text.slice(own.start, selection.start)) || isBlank(text.slice(selection.end, rest.end));
  if (selection.start < selection.end || !isAtEdge) return;
  const lineAbove = (offset: number): Line => {
    const above = text.slice(0, offset).trimEnd();
    return lineAt(above, above.length);
  };
  let line = lineAbove(selection.start);
  // With semicolons, a statement without one is the value of its block.
  let isPart = declare?.[0]?.[1] === ';' && /^\s*\}/.test(text.slice(selection.end)) && !/^\s*[)\]}]/.test(line.text);
  while (isPart || ATTRIBUTE.test(line.text)) {
    yield { ...request, selection: { start: line.start, end: line.start } };
    line = lineAbove(line.start);
    isPart = false;
  }
}

function* writeInCode(language: Language, request: WriteRequest): Generator<Written> {
  for (const each of placesAt(request, language))
    yield* writeCode(each, language, lineAt(each.text, each.selection.start).start, wrappersAt(language, each));
  yield { ...writeOther(request), warnings: [warn('unfittedPlace')] };
}

/** Writes into the literal, and into the one with longer delimiters. */
function* writeInLiteral(found: Found, request: WriteRequest): Generator<Written> {
  const written = writeInside(found, request);
  yield written;
  const { form, start, next } = found;
  const { keeps } = written;
  if (form.fence === undefined || keeps === undefined) return;
  const fences = [start - 1, next].map((at) => ({ start: at, end: at, text: form.fence ?? '' }));
  yield { ...written, edits: [...fences, ...written.edits], keeps: keeps + form.fence.length };
}

const TABLE = Object.entries({ ...LANGUAGES, ...SCRIPTS, ...MARKUP });

/** @returns the language of a file, if its literals are known */
export function languageNamed(languageId: string, fileName: string): Language | undefined {
  const own = [languageId, /\.(\w+)$/.exec(fileName)?.[1] ?? ''].map((name) => name.toLowerCase());
  return TABLE.find(([names]) => names.split(' ').some((name) => own.includes(name)))?.[1];
}

/** @returns the reader of a file whose literals a table describes; its grammar, if any, must have been loaded */
export function readLiterals(document: SourceDocument): Reader {
  const { text, languageId } = document;
  const fileName = document.isNotebookCell ? '' : document.fileName;
  const language = languageNamed(languageId, fileName);
  if (language === undefined) return () => ({ write: writeOther });
  const parser = loadedParser({ text, languageId, fileName });
  return (selection) => {
    const found = findAround(text, language, selection.start);
    const write = (request: WriteRequest): Written =>
      firstFitting(
        found === undefined ? writeInCode(language, request) : writeInLiteral(found, request),
        verifier(request, verifyWith(parser), decodeLiteral(language)),
      );
    return { isWarehouseSql: found?.form.isWarehouseSql ?? false, write };
  };
}
