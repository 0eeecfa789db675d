/** Writes SQL into Python: as a triple-quoted literal, or inside an existing one. */
import type { ProgramParser } from './grammars.ts';
import { tripled } from '../literals/literalForms.ts';
import { inQuotes } from '../literals/languages.ts';
import { writeInside } from '../literals/writeInside.ts';
import { warn, type WriteRequest, type Written } from '../place.ts';
import { applyEdits, firstFitting, inOrder, LONGEST, verifier, verifyWith } from '../verify.ts';
import { commentAbove, framed, unfitted } from './frame.ts';
import { pythonFrames } from './framePython.ts';
import { decodeProgram, type TreeLiteral } from './treeLiteral.ts';
import { parse } from './verifyCode.ts';
import { hasTwoSqlArguments, isOwnStatement, takesLiteral } from './verifyPython.ts';

export interface PythonPlace {
  /** The literal or comment around the cursor. */
  found: TreeLiteral | 'interpolation' | undefined;
  /** Start of the last line that starts in code, above which a comment is possible. */
  codeLine: number;
}

const VALUES = { mark: '#', value: inQuotes('"""', tripled('"')) };

/** @returns the edits that insert the SQL at this position of a Python file or cell */
export function writePython(
  { found, codeLine }: PythonPlace,
  request: WriteRequest,
  parser: ProgramParser | undefined,
): Written {
  const { text, selection, sql, options } = request;
  if (found === 'interpolation') return { edits: [{ ...selection, text: sql }], warnings: [warn('unfittedPlace')] };
  const fits = verifier(request, verifyWith(parser), parser && decodeProgram(parser, true));
  if (found !== undefined) return firstFitting([() => writeInside(found, request)], fits);
  if (options.asComment) return { edits: [commentAbove(text, codeLine, sql, '#')], warnings: [] };
  const step = options.insertSpaces ? ' '.repeat(options.tabSize) : '\t';
  const frames = parser === undefined || text.length > LONGEST ? [] : pythonFrames(text, selection, step);
  let isStatement = false;
  for (const frame of frames) {
    if (isStatement && frame.opening !== 'sql = ') continue;
    for (const write of framed(frame, VALUES, request, codeLine)) {
      const written = write();
      if (parser === undefined || fits(written) === false) continue;
      const after = applyEdits(text, inOrder(written.edits));
      const tree = parse(parser, after);
      const end = after.length - (text.length - selection.end) - frame.close.length;
      isStatement ||= isOwnStatement(tree, end);
      if (!takesLiteral(tree, after, end, frame)) continue;
      return hasTwoSqlArguments(tree, after, end) ? { ...written, warnings: [warn('duplicateKey', 'sql')] } : written;
    }
  }
  const [unchanged] = framed(unfitted, VALUES, request, codeLine);
  return unchanged?.() ?? { edits: [], warnings: [] };
}
