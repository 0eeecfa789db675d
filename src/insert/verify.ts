/** Chooses the first way to write SQL that leaves the rest of the file unchanged and decodes to exactly the SQL. */
import type { ProgramParser } from './code/grammars.ts';
import { verifyCode } from './code/verifyCode.ts';
import { isDecoded } from './literals/decode.ts';
import { commented, warn, withNote, type Decode, type WriteRequest, type Written } from './writing.ts';
import type { TextEdit } from './types.ts';

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let at = 0;
  let result = '';
  for (const { start, end, text: written } of edits) {
    result += text.slice(at, start) + written;
    at = end;
  }
  return result + text.slice(at);
}

const isUnsupported = ({ warnings }: Written): boolean => warnings.some(({ code }) => code === 'unfittedPlace');

/** Compares the file before and after; undefined if it could not be parsed before. */
type Verify = (written: Written) => boolean | undefined;

/** @returns the first way to write the SQL that passes, otherwise the first one with a warning */
export function firstFitting(candidates: Iterable<Written>, verify: Verify): Written {
  const tried: Written[] = [];
  for (const written of candidates) {
    if (!isUnsupported(written) && verify(written) !== false) return written;
    tried.push(written);
  }
  const [first = { edits: [], warnings: [] }] = [...tried.filter(isUnsupported), ...tried];
  return first.warnings.some(({ code }) => code !== 'foldedScalar')
    ? first
    : { ...first, warnings: [...first.warnings, warn('unfittedPlace')] };
}

export const inOrder = (edits: readonly TextEdit[]): TextEdit[] =>
  edits.toSorted((a, b) => a.start - b.start || a.end - b.end);

/** Whether the written literal decodes to exactly the SQL; comments are not checked. */
function holdsSql(written: Written, after: string, request: WriteRequest, decode: Decode): boolean {
  const main = written.edits.at(-1);
  if (main === undefined || written.isComment || (request.options.asComment && written.keeps === undefined))
    return true;
  const start = written.edits
    .filter((edit) => edit !== main && edit.end <= main.start)
    .reduce((at, edit) => at + edit.text.length - (edit.end - edit.start), main.start);
  const range = { start, end: start + main.text.length };
  const text = commented(request);
  return isDecoded(decode(after, range, written), [text, withNote(text, request.note)]);
}

export const verifyWith =
  (parser: ProgramParser | undefined, splits = false): VerifyFile =>
  (text, edits, after, how) =>
    parser && verifyCode(parser, text, edits, after, { ...how, splits });

/** @returns functions that verify the file after an insertion and decode the literal with the SQL */
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
    if (isRead === false || (decode !== undefined && !holdsSql(written, after, request, decode))) return false;
    return written.accepts?.(after) === false ? false : isRead;
  };

/** Compares a file before and after edits that are in order; undefined if it could not be parsed before. */
export type VerifyFile = (
  text: string,
  edits: readonly TextEdit[],
  after: string,
  how: { addsCode: boolean; isReparsed: boolean },
) => boolean | undefined;
