/** Reads JavaScript and TypeScript up to the cursor: in a template literal, a string, a comment or code. */

export interface JsPlace {
  kind: 'jsTemplate' | 'jsString' | 'jsCode' | 'jsComment';
  /** Where the literal or comment begins; the cursor itself in code. */
  start: number;
  /** The quote of a string; `//` or the opening of a block comment. */
  quote: string;
  /** Opening brackets around the cursor that are not closed, outermost first. */
  brackets: readonly { at: number; character: string }[];
  /** End of the code before the cursor, without white space and comments. */
  codeEnd: number;
  /** Start of the last line that begins in code: above it a comment is one. */
  codeLine: number;
  /** Whether the cursor is in a regular expression. */
  isRegex: boolean;
}

/** After one of these a slash begins a regular expression; after `<` it is JSX. */
const BEFORE_REGEX =
  /(?:^|[([{,;:=!&|?+\-*%~^>]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await))\s*$/;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

/** Whether the apostrophe stands amid a word: then it is text of JSX, as in `Don't`. */
const isApostrophe = (text: string, at: number): boolean =>
  /\p{L}'\p{L}/u.test(text.slice(at - 1, at + 2)) &&
  !/\b(?:return|case|default|from|import|in|of|typeof|else|await|yield)$/.test(text.slice(Math.max(0, at - 8), at));

interface Reader {
  text: string;
  /** The cursor: nothing at or after it is read. */
  end: number;
  at: number;
  codeEnd: number;
  codeLine: number;
  brackets: { at: number; character: string }[];
}

/** Moves over a literal or comment; returns false when the cursor lies inside it. */
function skip(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.text);
  const next = match === null ? reader.at + 1 : pattern.lastIndex;
  const isClosed = match === null || match[1] !== '';
  if (next > reader.end || (next === reader.end && !isClosed)) return false;
  reader.at = next;
  return true;
}

// Group 1 is empty when the literal is not closed: a string ends with its line, a comment with the text.
const SINGLE = /'(?:[^'\\\n]|\\[\s\S])*('|(?=\n)|$)/y;
const DOUBLE = /"(?:[^"\\\n]|\\[\s\S])*("|(?=\n)|$)/y;
const LINE_COMMENT = /\/\/[^\n]*()/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?(\*\/|$)/y;

/** Moves over the text of a template up to its end or its next `${`; false when the cursor lies in it. */
function skipTemplateText(reader: Reader): boolean {
  const { text, end } = reader;
  for (; reader.at < end; reader.at++) {
    const character = text[reader.at];
    if (character === '\\') reader.at++;
    else if (character === '`') {
      reader.at++;
      return true;
    } else if (character === '$' && text[reader.at + 1] === '{' && reader.at + 1 < end) {
      reader.brackets.push({ at: reader.at, character: '${' });
      reader.at += 2;
      return true;
    }
  }
  return false;
}

/**
 * Reads on in the innermost template; it stays open while an expression of it is being read.
 * @returns false when the cursor lies in the template's text
 */
function continueTemplate(reader: Reader, templates: number[]): boolean {
  const depth = reader.brackets.length;
  if (!skipTemplateText(reader)) return false;
  if (reader.brackets.length === depth) templates.pop();
  return true;
}

/**
 * @param passes told of every offset before it that is in code, and of the brackets around that one
 * @returns what the offset of a JavaScript or TypeScript text stands in
 */
export function jsPlace(
  text: string,
  offset: number,
  passes?: (at: number, brackets: JsPlace['brackets']) => void,
): JsPlace {
  const reader: Reader = { text, end: offset, at: 0, codeEnd: 0, codeLine: 0, brackets: [] };
  const templates: number[] = [];
  let isRegex = false;
  const found = (kind: JsPlace['kind'], start: number, quote: string): JsPlace => ({
    kind,
    start,
    quote,
    brackets: reader.brackets,
    codeEnd: reader.codeEnd,
    codeLine: reader.codeLine,
    isRegex,
  });
  while (reader.at < offset) {
    const start = reader.at;
    passes?.(start, reader.brackets);
    const character = text[start] ?? '';
    const two = text.slice(start, start + 2);
    if (two === '//' || two === '/*') {
      if (!skip(reader, two === '//' ? LINE_COMMENT : BLOCK_COMMENT)) return found('jsComment', start, two);
      continue;
    }
    if ((character === "'" && !isApostrophe(text, start)) || character === '"') {
      if (!skip(reader, character === "'" ? SINGLE : DOUBLE)) return found('jsString', start, character);
    } else if (character === '`') {
      templates.push(start);
      reader.at++;
      if (!continueTemplate(reader, templates)) return found('jsTemplate', start, '`');
    } else if (character === '/' && BEFORE_REGEX.test(text.slice(Math.max(0, reader.codeEnd - 12), reader.codeEnd))) {
      isRegex = !skip(reader, REGEX);
      if (isRegex) reader.at = offset;
    } else {
      reader.at++;
      if (character === '\n') reader.codeLine = reader.at;
      else if ('([{'.includes(character)) reader.brackets.push({ at: start, character });
      else if (')]}'.includes(character) && reader.brackets.pop()?.character === '${') {
        const open = templates.at(-1) ?? start;
        if (!continueTemplate(reader, templates)) return found('jsTemplate', open, '`');
      }
    }
    if (character.trim() !== '') reader.codeEnd = reader.at;
  }
  return found('jsCode', offset, '');
}
