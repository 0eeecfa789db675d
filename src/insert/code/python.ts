/** Reads Python: what the cursor stands in, and the code around it. */
import type { Span } from '../types.ts';

export interface PythonPlace {
  kind: 'pythonString' | 'pythonCode' | 'pythonComment';
  /** Where the text of the literal begins; the offset itself elsewhere. */
  start: number;
  /** Opening quote, `'`, `"` or three of them. */
  quote: string;
  /** Letters before the quote, lower case: `f` and `t` make braces special, `r` backslashes plain. */
  prefix: string;
  /** Whether the cursor is in an expression between the braces of such a literal, or between two that stand for one. */
  isInHole: boolean;
  /** Where the brackets open that are not closed, outermost first. */
  brackets: readonly number[];
  /** Starts of the lines outside brackets and literals, up to the one on which the cursor's statement begins. */
  lines: readonly number[];
  /** Start of the last line that begins in code: above it a comment is one. */
  codeLine: number;
}

interface Token extends Reading {
  /** A bracket, a quote, `#`, a line end or the backslash before one. */
  mark: string;
  prefix: string;
  start: number;
  /** Where the text of a literal begins. */
  inside: number;
}

/** What reading a literal to its end finds. */
interface Reading {
  end: number;
  closed: boolean;
  /** Expressions in it, with their braces, and braces that stand for one. */
  holes: readonly Span[];
}

const TOKEN = /(#)[^\n]*|(\\)\r?\n|(?:(?<!\w)([bft]?r|r[bft]|[bftu]))?("""|'''|"|')|[()[\]{}\n]/gi;

const isQuote = (mark: string): boolean => /^["']/.test(mark);
const isOpening = (mark: string): boolean => '([{'.includes(mark);
const isClosing = (mark: string): boolean => ')]}'.includes(mark);

/** @returns whether braces are special in literals with this prefix */
export const isFormatted = (prefix: string): boolean => /[ft]/.test(prefix);

function* tokensFrom(text: string, from: number, hasHoles = true): Generator<Token> {
  for (let at = from; ;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return;
    const [whole, comment, continuation, letters = '', quote] = match;
    const prefix = letters.toLowerCase();
    const inside = match.index + whole.length;
    const reading =
      quote === undefined
        ? { end: inside, closed: true, holes: [] }
        : readString(text, inside, quote, hasHoles ? prefix : '');
    yield { mark: comment ?? continuation ?? quote ?? whole, prefix, start: match.index, inside, ...reading };
    at = reading.end;
  }
}

/** An expression of an f-string is shorter; what is never closed is not sought to the end of the file, time and again. */
const LONGEST_HOLE = 300;

/** End of the expression of an f-string whose brace opens before `from`; literals in it have no further ones. */
function endOfHole(text: string, from: number, isOneLine: boolean): number | undefined {
  let depth = 0;
  for (const { mark, end } of tokensFrom(text.slice(from, from + LONGEST_HOLE), 0, false)) {
    if (isOneLine && mark === '\n') return undefined;
    if (isOpening(mark)) depth += 1;
    else if (isClosing(mark) && depth-- === 0) return from + end;
  }
  return undefined;
}

/** Reads the literal that opens before `from`; it ends with its line when it is not closed there. */
export function readString(text: string, from: number, quote: string, prefix: string): Reading {
  const holes: Span[] = [];
  let hasHoles = isFormatted(prefix);
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) return { end: at + quote.length, closed: true, holes };
    else if (quote.length === 1 && text[at] === '\n') return { end: at, closed: false, holes };
    else if (hasHoles && /[{}]/.test(text.charAt(at)) && text[at] === text[at + 1]) {
      holes.push({ start: at, end: at + 2 });
      at++;
    } else if (hasHoles && text[at] === '{') {
      const end = endOfHole(text, at + 1, quote.length === 1);
      hasHoles = end !== undefined;
      if (end === undefined) continue;
      holes.push({ start: at, end });
      at = end - 1;
    }
  }
  return { end: text.length, closed: false, holes };
}

/** @returns what the offset of a Python text stands in */
export function pythonPlace(text: string, offset: number): PythonPlace {
  const brackets: number[] = [];
  const lines = [0];
  let codeLine = 0;
  const found = (kind: PythonPlace['kind'], literal?: Token): PythonPlace => {
    const { inside = offset, mark = '', prefix = '', holes = [] } = literal ?? {};
    const isInHole = holes.some(({ start, end }) => start < offset && offset < end);
    return { kind, start: inside, quote: mark, prefix, isInHole, brackets, lines, codeLine };
  };
  for (const token of tokensFrom(text, 0)) {
    const { mark, start, inside, end, closed } = token;
    if (start >= offset) break;
    if (isOpening(mark)) brackets.push(start);
    else if (isClosing(mark)) brackets.pop();
    else if (mark === '\n') {
      codeLine = end;
      if (brackets.length === 0) lines.push(end);
    } else if (mark === '#' && offset <= end) return found('pythonComment');
    else if (isQuote(mark) && offset >= inside && offset <= (closed ? end - mark.length : end))
      return found('pythonString', token);
  }
  return found('pythonCode');
}

/**
 * The code of the bracket or statement around a place, from one offset on: literals are empty, and what stands in
 * further brackets and in comments is left out.
 * @param to where to stop, at the latest
 * @param isStatement whether the line end ends it
 */
export function ownCode(text: string, from: number, to: number, isStatement: boolean): string {
  let code = '';
  let depth = 0;
  let at = from;
  for (const { mark, start, end } of tokensFrom(text, from)) {
    if (start >= to) break;
    if (depth === 0) code += text.slice(at, start);
    at = end;
    if (isClosing(mark) && depth-- === 0) return code;
    if (depth === 0 && mark === '\n' && isStatement) return code;
    if (depth === 0) code += isQuote(mark) ? '""' : mark === '#' || mark === '\\' ? ' ' : mark;
    if (isOpening(mark)) depth += 1;
  }
  return depth === 0 ? code + text.slice(at, to) : code;
}
