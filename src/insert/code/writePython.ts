/** Writes SQL into Python: as a triple-quoted literal, or inside an existing one. */
import type { Tree } from '@lezer/common';
import { tripled } from '../literals/literalForms.ts';
import { inQuotes } from '../literals/languages.ts';
import { writeInside } from '../literals/writeInside.ts';
import { unsupported, warn, type Reader, type WriteRequest, type Written } from '../place.ts';
import type { SourceDocument, Span } from '../types.ts';
import { firstFitting, LONGEST, verifier, verifyWith } from '../verify.ts';
import { commentAbove, framed, unfitted } from './frame.ts';
import { pythonFrames } from './framePython.ts';
import { loadedParser, type ProgramParser } from './grammars.ts';
import { codeLineOf, decodeProgram, literalInTree } from './treeLiteral.ts';
import { parse } from './verifyCode.ts';
import { hasSqlArgument, isOwnStatement, takesLiteral } from './verifyPython.ts';

/** Whether the selection starts or ends inside a name, a number or an operator. */
const isInToken = (tree: Tree, { start, end }: Span): boolean =>
  [start, end].some((at) => {
    const { firstChild, from, type } = tree.resolveInner(at);
    return firstChild === null && from < at && !type.isTop && !type.isError;
  });

const VALUES = { mark: '#', value: inQuotes('"""', tripled('"')) };

/** The ways to write the SQL as a literal, best first; `codeLine` is the last line that starts in code. */
function* writeCode(parser: ProgramParser, tree: Tree, codeLine: number, request: WriteRequest): Generator<Written> {
  const { text, selection, sql, options } = request;
  if (options.asComment) return yield { edits: [commentAbove(text, codeLine, sql, '#')], warnings: [] };
  const step = options.insertSpaces ? ' '.repeat(options.tabSize) : '\t';
  let isStatement = false;
  if (!isInToken(tree, selection))
    for (const frame of pythonFrames(text, selection, step)) {
      if (isStatement && frame.opening !== 'sql = ') continue;
      const isDuplicate = frame.opening === 'sql=' && hasSqlArgument(tree, text, selection);
      const accepts = (after: string): boolean => {
        const next = parse(parser, after);
        const end = after.length - (text.length - selection.end) - frame.close.length;
        isStatement ||= isOwnStatement(next, end);
        return takesLiteral(next, after, end, frame);
      };
      const own = isDuplicate ? { ...frame, warning: warn('duplicateKey', 'sql') } : frame;
      for (const write of framed(own, VALUES, request, codeLine)) yield { ...write, accepts };
    }
  yield* framed(unfitted, VALUES, request, codeLine);
}

/** The grammar must have been loaded. */
export function readPython({ text }: SourceDocument): Reader {
  const parser = loadedParser('python', '');
  if (parser === undefined || text.length > LONGEST) return () => ({ kind: 'pythonCode', write: unsupported });
  const tree = parse(parser, text);
  return ({ start }) => {
    const found = literalInTree(tree, text, start, true);
    if (found === 'interpolation') return { kind: 'pythonCode', write: unsupported };
    if (found !== undefined) {
      const kind = found.form.isComment ? 'pythonComment' : 'pythonString';
      return { kind, write: (request) => fitting([writeInside(found, request)], request, parser) };
    }
    const codeLine = codeLineOf(tree, text, start, true);
    const write = (request: WriteRequest): Written =>
      fitting(writeCode(parser, tree, codeLine, request), request, parser);
    return { kind: 'pythonCode', write };
  };
}

// Verified even if there are many cursors: only the tree tells which code the literal needs around it.
const fitting = (ways: Iterable<Written>, request: WriteRequest, parser: ProgramParser): Written =>
  firstFitting(ways, verifier({ ...request, isOneOfMany: false }, verifyWith(parser), decodeProgram(parser, true)));
