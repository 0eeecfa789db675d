/** Chooses between ways to write SQL: the first that leaves the file as it was, and stands for exactly the SQL. */
import type { Parser } from '@lezer/common';
import { decodeProgram } from './code/decodeCode.ts';
import { verifyCode } from './code/verifyCode.ts';
import { isDecoded } from './literals/decode.ts';
import { warn, withNote, type Decode, type WriteRequest, type Written } from './place.ts';
import type { TextEdit } from './types.ts';

/** Characters; parsing more would delay the edit. */
export const LONGEST = 2_000_000;

/** @returns the text after the edits, which must not overlap: what a preview shows */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let at = 0;
  let result = '';
  for (const { start, end, text: written } of edits) {
    result += text.slice(at, start) + written;
    at = end;
  }
  return result + text.slice(at);
}

const isUnfitted = ({ warnings }: Written): boolean => warnings.some(({ code }) => code === 'unfittedPlace');

/**
 * @param verify reads the file before and after; unknown where it could not be read before
 * @returns the first way to write the SQL that passes, else the first of all, with a warning
 */
export function firstFitting(
  candidates: readonly (() => Written)[],
  verify: (written: Written) => boolean | undefined,
): Written {
  let first: Written | undefined;
  let unchanged: Written | undefined;
  for (const candidate of candidates) {
    const written = candidate();
    first ??= written;
    if (isUnfitted(written)) unchanged ??= written;
    if (!isUnfitted(written) && verify(written) !== false) return written;
  }
  if (unchanged !== undefined) return unchanged;
  if (first === undefined) return { edits: [], warnings: [] };
  return first.warnings.some(({ code }) => code !== 'foldedScalar')
    ? first
    : { ...first, warnings: [...first.warnings, warn('unfittedPlace')] };
}

/** Reads the file before and after the edits; unknown where it could not be read before. */
type Verify = (written: Written) => boolean | undefined;

export const inOrder = (edits: readonly TextEdit[]): TextEdit[] =>
  edits.toSorted((a, b) => a.start - b.start || a.end - b.end);

/** Whether the literal that was written, or written into, stands for exactly the SQL; comments are not checked. */
function holdsSql(written: Written, after: string, { sql, note, options }: WriteRequest, decode: Decode): boolean {
  const main = written.edits.at(-1);
  if (
    main === undefined ||
    options.asComment ||
    written.isComment ||
    written.warnings.some(({ code }) => code === 'insideComment')
  )
    return true;
  const start = written.edits
    .filter((edit) => edit !== main && edit.start <= main.start)
    .reduce((at, edit) => at + edit.text.length - (edit.end - edit.start), main.start);
  const range = { start, end: start + main.text.length };
  return isDecoded(decode(after, range, written), [sql, withNote(sql, note)]);
}

/** Verifies a program where its grammar is loaded. */
export const verifyWith =
  (parser: Parser | undefined, splits = false): VerifyFile =>
  (text, edits, after, how) =>
    parser === undefined || text.length > LONGEST
      ? undefined
      : verifyCode(parser, text, edits, after, { ...how, splits });

/** @returns what verifies the file after an insertion, and the literal that has the SQL */
export const verifier =
  (request: WriteRequest, verifyFile: VerifyFile, decode?: Decode): Verify =>
  (written) => {
    const edits = inOrder(written.edits);
    const after = applyEdits(request.text, edits);
    const how = {
      addsCode: request.options.asComment !== true && !written.isComment,
      isReparsed: written.isReparsed === true,
    };
    const isRead = verifyFile(request.text, edits, after, how);
    return isRead !== false && decode !== undefined && !holdsSql(written, after, request, decode) ? false : isRead;
  };

/** Compares a file before and after edits that are in order; unknown where it could not be read before. */
type VerifyFile = (
  text: string,
  edits: readonly TextEdit[],
  after: string,
  how: { addsCode: boolean; isReparsed: boolean },
) => boolean | undefined;

/** Decodes with the tree of a program. */
export const decodeWith = (parser: Parser | undefined, isPython: boolean): Decode | undefined =>
  parser &&
  ((after, range, { role }) =>
    after.length > LONGEST ? undefined : decodeProgram(parser, after, range, { isPython, ...(role && { role }) }));
