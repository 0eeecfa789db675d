/** Writes SQL into Python: as a triple-quoted literal, or inside an existing one. */
import type { Tree } from '@lezer/common';
import { tripled } from '../literals/literalForms.ts';
import { inQuotes } from '../literals/languages.ts';
import { writeInside } from '../literals/writeInside.ts';
import { warn, type WriteRequest, type Written } from '../place.ts';
import type { Span } from '../types.ts';
import { LONGEST } from '../verify.ts';
import { commentAbove, framed, unfitted } from './frame.ts';
import { pythonFrames } from './framePython.ts';
import type { ProgramParser } from './grammars.ts';
import type { TreeLiteral } from './treeLiteral.ts';
import { parse } from './verifyCode.ts';
import { hasSqlArgument, isOwnStatement, takesLiteral } from './verifyPython.ts';

export interface PythonPlace {
  /** The literal or comment around the cursor. */
  found: TreeLiteral | 'interpolation' | undefined;
  /** Start of the last line that starts in code, above which a comment is possible. */
  codeLine: number;
}

/** Whether the selection starts or ends inside a name, a number or an operator. */
const isInToken = (tree: Tree, { start, end }: Span): boolean =>
  [start, end].some((at) => {
    const { firstChild, from, type } = tree.resolveInner(at);
    return firstChild === null && from < at && !type.isTop && !type.isError;
  });

const VALUES = { mark: '#', value: inQuotes('"""', tripled('"')) };

/** @returns ways to write the SQL at this position of a Python file or cell, best first */
export function* writePython(
  { found, codeLine }: PythonPlace,
  request: WriteRequest,
  parser: ProgramParser | undefined,
): Generator<() => Written> {
  const { text, selection, sql, options } = request;
  if (found === 'interpolation')
    return yield () => ({ edits: [{ ...selection, text: sql }], warnings: [warn('unfittedPlace')] });
  if (found !== undefined) return yield () => writeInside(found, request);
  if (options.asComment) return yield () => ({ edits: [commentAbove(text, codeLine, sql, '#')], warnings: [] });
  const step = options.insertSpaces ? ' '.repeat(options.tabSize) : '\t';
  let isStatement = false;
  if (parser !== undefined && text.length <= LONGEST && !isInToken(parse(parser, text), selection))
    for (const frame of pythonFrames(text, selection, step)) {
      if (isStatement && frame.opening !== 'sql = ') continue;
      const isDuplicate = frame.opening === 'sql=' && hasSqlArgument(parse(parser, text), text, selection);
      const accepts = (after: string): boolean => {
        const tree = parse(parser, after);
        const end = after.length - (text.length - selection.end) - frame.close.length;
        isStatement ||= isOwnStatement(tree, end);
        return takesLiteral(tree, after, end, frame);
      };
      const own = isDuplicate ? { ...frame, warning: warn('duplicateKey', 'sql') } : frame;
      for (const write of framed(own, VALUES, request, codeLine)) yield () => ({ ...write(), accepts });
    }
  yield* framed(unfitted, VALUES, request, codeLine);
}
