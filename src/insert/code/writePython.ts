/** Writes SQL into Python: as a triple-quoted literal, or inside an existing one. */
import { tripled } from '../literals/literalForms.ts';
import { writeInside } from '../literals/writeInside.ts';
import { unsupported, type Reader, type WriteRequest, type Written } from '../writing.ts';
import type { SourceDocument } from '../types.ts';
import { firstFitting, verifier, verifyWith } from '../verify.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { onEmptyLine, indentUnit, unsupportedWrapper, writeCode, type Wrapper } from './wrapper.ts';
import { loadedParser, type ProgramParser } from './grammars.ts';
import { codeLineOf, decodeProgram, formInPython, literalInTree } from './treeLiteral.ts';
import { parse } from './verifyCode.ts';
import { takesLiteral } from './verifyPython.ts';

const ITEMS = ['', 'sql=', '"sql": '];

/** Wrappers for a value or item in brackets, with the separators before and after it. */
function wrapItems(request: WriteRequest): Wrapper[] {
  const { text, selection } = request;
  const { start, end } = selection;
  const space = text.charAt(start - 1) === ',' ? ' ' : '';
  const comma = /\s/.test(text.charAt(end)) ? ',' : ', ';
  const commaAt = text.slice(0, start).trimEnd().length;
  const inLine = ITEMS.flatMap((item) => ['', comma].map((close) => ({ open: space + item, close })));
  const isOwnLine = isBlank(text.slice(lineAt(text, start).start, start));
  const below = isOwnLine ? ITEMS.map((open) => ({ open, close: '', commaAt })) : [];
  return [...inLine, ...below].map((wrapper) => onEmptyLine(wrapper, request));
}

/** Possible indentations of a statement here: the nearest that is not deeper, then deeper ones. */
function indentsAt(text: string, lineStart: number, end: number, own: string, step: string): string[] {
  const indents = new Set([own]);
  const [, below] = /^([ \t]*)[^\s#]/m.exec(text.slice(end, end + 2000)) ?? [];
  if (below !== undefined) indents.add(below);
  let outer = Infinity;
  for (let at = lineStart; at > 0 && outer > 0;) {
    const line = lineAt(text, at - 1);
    const white = leadingWhite(line.text);
    if (white.length < outer && !isBlank(line.text)) {
      if (outer === Infinity) indents.add(white + step);
      outer = white.length;
      indents.add(white);
    }
    at = line.start;
  }
  const order = ({ length }: string): number => (length <= own.length ? own.length - length : own.length + length);
  return [...indents].sort((a, b) => order(a) - order(b));
}

/** Wrappers for a statement on its own line, below the statement before the cursor or in place of the selection. */
function* wrapStatements({ text, selection: { start, end }, options }: WriteRequest): Generator<Wrapper> {
  const line = lineAt(text, start);
  const before = text.slice(line.start, start);
  const rest = text.slice(end, lineAt(text, end).end);
  const isAtStart = isBlank(before);
  const isAtEnd = /^\s*(?:#|$)/.test(rest);
  if (!isAtStart && !isAtEnd) return;
  const own = isAtStart ? before + leadingWhite(rest) : leadingWhite(before);
  for (const indent of indentsAt(text, isAtStart ? line.start : start, end, own, indentUnit(options)))
    yield isAtStart
      ? { open: `${indent}sql = `, close: isBlank(rest) ? '' : `\n${before}`, lineStart: line.start }
      : { open: `\n${indent}sql = `, close: '' };
}

const VALUES = { mark: '#', value: (sql: string) => `"""${tripled('"').write(sql)}"""` };

function* wrappersAt(parser: ProgramParser, request: WriteRequest): Generator<Wrapper> {
  const { text, selection } = request;
  for (const wrapper of [...wrapItems(request), ...wrapStatements(request)]) {
    const accepts = (after: string): boolean => {
      const end = after.length - (text.length - selection.end) - wrapper.close.length;
      return takesLiteral(parse(parser, after), after, end, wrapper);
    };
    yield { ...wrapper, accepts };
  }
  yield unsupportedWrapper;
}

/** @returns the reader of a Python file, whose grammar must have been loaded */
export function readPython({ text }: SourceDocument): Reader {
  const parser = loadedParser({ text, languageId: 'python', fileName: '' });
  if (parser === undefined) return () => ({ kind: 'pythonCode', write: unsupported });
  const tree = parse(parser, text);
  const decode = decodeProgram(parser, formInPython);
  return ({ start }) => {
    const found = literalInTree(tree, text, start, formInPython);
    const kind = found ? (found.form.isComment ? 'pythonComment' : 'pythonString') : 'pythonCode';
    const codeLine = codeLineOf(tree, text, start);
    const write = (request: WriteRequest): Written => {
      const ways = found
        ? [writeInside(found, request)]
        : writeCode(request, VALUES, codeLine, wrappersAt(parser, request));
      return firstFitting(ways, verifier(request, verifyWith(parser), decode));
    };
    return { kind, write };
  };
}
