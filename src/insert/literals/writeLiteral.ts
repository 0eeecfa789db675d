/** Writes SQL into existing literals and comments of languages whose forms a table describes. */
import { unsupported, type Reader, type WriteRequest, type Written } from '../writing.ts';
import type { SourceDocument } from '../types.ts';
import { firstFitting, verifier } from '../verify.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { decodeLiteral, findAround } from './readLiteral.ts';
import { writeInside } from './writeInside.ts';

/** @returns the language of a file, if its literals are known */
export function languageNamed(languageId: string, fileName: string): Language | undefined {
  const own = [languageId, /\.(\w+)$/.exec(fileName)?.[1] ?? ''].map((name) => name.toLowerCase());
  return Object.entries(LANGUAGES).find(([names]) => names.split(' ').some((name) => own.includes(name)))?.[1];
}

/** @returns the reader of a file; outside of its literals, the SQL is inserted unchanged after a question */
export function readLiterals({ text }: SourceDocument, language: Language): Reader {
  return ({ start }) => {
    const found = findAround(text, language, start);
    const write = (request: WriteRequest): Written => {
      const verify = verifier(request, () => undefined, decodeLiteral(language));
      return found ? firstFitting([writeInside(found, request)], verify) : unsupported(request);
    };
    return { isWarehouseSql: found?.form.isWarehouseSql ?? false, write };
  };
}
