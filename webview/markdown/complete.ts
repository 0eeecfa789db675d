/**
 * Completes unfinished Markdown for display while it streams. The result is never part of the finished answer. Handles
 * the open block only. The npm package `remend` does the same for inline syntax, but shows markers before their text
 * (`Sales **`, `1.`), links that are cut off and table headers as they are.
 */
import { endsInFence } from './parser.ts';
import { withoutTrailing } from '../../src/shared/text/lines.ts';

/** A line of markers only, which may still become a list item, a heading, a rule, an underline, a fence or a quote. */
const onlyMarkers = /^[ \t>]*(?:[-+*_=#`~:|]+|\d{1,9}[.)]?)?[ \t]*$/;
/** Maximum characters of such a line; a longer one is always shown. */
const longestMarkers = 64;
/** A link definition, which is not rendered. */
const definition = /^ {0,3}\[[^\]]+\]:/;
/** Text without a fence need not be parsed. */
const fence = /`{3}|~{3}/;
/** Where a paragraph starts: after a blank line, or after the marker of a list item, a heading or a quote. */
const blockStart = /(?:\n[ \t]*\n|(?:^|\n)[ \t>]*(?:[-+*]|\d{1,9}[.)]|#{1,6}|>)[ \t])/g;

/**
 * @param text an open block, possibly cut in the middle of a line
 * @returns Markdown with unfinished constructs completed or removed
 */
export function completeMarkdown(text: string): string {
  const inCode = fence.test(text) && endsInFence(text);
  return inCode ? text : (completeTable(text) ?? completeLine(text));
}

/**
 * @param text a block that is not a table header
 * @returns `text` with its last line completed or removed
 */
export function completeLine(text: string): string {
  const lines = withoutMarkers(text);
  const start = paragraphStart(lines);
  return lines.slice(0, start) + completeInline(lines.slice(start));
}

function withoutMarkers(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start);
  const isHidden = (line.length <= longestMarkers && onlyMarkers.test(line)) || definition.test(line);
  return isHidden ? text.slice(0, start) : text;
}

function paragraphStart(text: string): number {
  let start = 0;
  for (const match of text.matchAll(blockStart)) start = match.index + match[0].length;
  const lastLine = text.lastIndexOf('\n') + 1;
  const isRow = /^[ \t>]*\|/.test(text.slice(lastLine));
  return isRow ? Math.max(start, text.lastIndexOf('|') + 1) : start;
}

/** A header with more columns is not completed to a table. */
const mostColumns = 64;

/**
 * Completes a table header whose delimiter row is missing or incomplete, so that the table shows from its first cell.
 * @returns the completed table, or `undefined` if `text` is not such a header
 */
function completeTable(text: string): string | undefined {
  const header = /^ {0,3}\|[^\n]*/.exec(text)?.[0];
  if (header === undefined || !/^\n?[-:| \t]*$/.test(text.slice(header.length))) return undefined;
  if (header.trim() === '|') return '';
  const cells = header
    .trim()
    .replaceAll('\\|', '')
    .replace(/^\||\|$/g, '')
    .split('|').length;
  return cells > mostColumns ? undefined : `${header}\n|${' --- |'.repeat(cells)}`;
}

/** An emphasis marker that is not closed yet. */
interface Opener {
  marker: string;
  length: number;
}

/** Text with more open markers is left unchanged: they are unlikely to be emphasis. */
const mostOpeners = 8;

/** State of the scan of a paragraph. */
interface Scan {
  text: string;
  openers: Opener[];
  /** Offsets of `[` without a matching `]`. */
  brackets: number[];
  /** Length of the run of markers at the end of the text that closes nothing. */
  dangling: number;
}

/**
 * @param text the last, unfinished paragraph
 * @returns `text` with open emphasis and code closed, and an unfinished link replaced by its text
 */
function completeInline(text: string): string {
  const scan: Scan = { text, openers: [], brackets: [], dangling: 0 };
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '\\') at += 2;
    else if (character === '`') {
      const end = afterCode(text, at);
      if (end === undefined) return close(scan, closeCode(text, at));
      at = end;
    } else if (character === '[') {
      scan.brackets.push(at);
      at += 1;
    } else if (character === ']') {
      const end = afterLink(scan, at);
      if (end === undefined) return close(scan, withoutAddress(text, scan.brackets.pop(), at));
      at = end;
    } else if (character === '*' || character === '_' || character === '~') {
      at += readRun(scan, at, character);
    } else at += 1;
  }
  return close(scan, withoutBracket(scan));
}

function runLength(text: string, at: number): number {
  let end = at;
  while (end < text.length && text[end] === text[at]) end += 1;
  return end - at;
}

/** @returns the offset after the code span that starts at `at`, or `undefined` if it is not closed */
function afterCode(text: string, at: number): number | undefined {
  const length = runLength(text, at);
  for (let next = text.indexOf('`', at + length); next !== -1;) {
    const closing = runLength(text, next);
    if (closing === length) return next + closing;
    next = text.indexOf('`', next + closing);
  }
  return undefined;
}

function closeCode(text: string, at: number): string {
  const length = runLength(text, at);
  const code = text.slice(at + length);
  if (code.trim() === '') return text.slice(0, at);
  const half = code.length - withoutTrailing(code, '`').length;
  return text.slice(0, text.length - half) + '`'.repeat(length);
}

/** @returns the offset to continue at after `]`, or `undefined` while the link's address is incomplete */
function afterLink(scan: Scan, at: number): number | undefined {
  if (scan.brackets.length === 0) return at + 1;
  const next = scan.text[at + 1];
  if (next === undefined) return undefined;
  if (next !== '(') {
    scan.brackets.pop();
    return at + 1;
  }
  let depth = 0;
  for (let end = at + 1; end < scan.text.length; end++) {
    if (scan.text[end] === '\n' && scan.text[end - 1] === '\n') break;
    if (scan.text[end] === '(') depth += 1;
    if (scan.text[end] === ')') depth -= 1;
    if (depth === 0) {
      scan.brackets.pop();
      return end + 1;
    }
  }
  return undefined;
}

function withoutAddress(text: string, open: number | undefined, closing: number): string {
  if (open === undefined) return text;
  return dropBracket(text.slice(0, closing), open);
}

/** Removes an unmatched `[` on the last line. */
function withoutBracket(scan: Scan): string {
  const open = scan.brackets.at(-1);
  if (open === undefined || scan.text.indexOf('\n', open) !== -1) return scan.text;
  return dropBracket(scan.text, open);
}

function dropBracket(text: string, open: number): string {
  const image = text[open - 1] === '!' ? 1 : 0;
  return text.slice(0, open - image) + text.slice(open + 1);
}

const isSpace = (character: string | undefined): boolean => character === undefined || /\s/.test(character);
const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
/** In `2*3` and `a**b` the marker is rarely emphasis, unlike in scripts without spaces between words. */
const isAscii = (character: string | undefined): boolean => character !== undefined && /[A-Za-z0-9]/.test(character);

/**
 * Opens or closes emphasis at a run of markers.
 * @returns the length of the run
 */
function readRun(scan: Scan, at: number, marker: string): number {
  const { text, openers } = scan;
  const length = runLength(text, at);
  const before = text[at - 1];
  const after = text[at + length];
  const top = openers.at(-1);
  const ended = after === undefined && top?.marker === marker && length < top.length;
  const closes = !isSpace(before) && !(marker === '_' && isWord(after));
  const inWord = isAscii(before) || (marker === '_' && isWord(before));
  const opens = !isSpace(after) && !inWord && !(marker === '~' && length !== 2);
  const isClosed = closes && !ended && top?.marker === marker;
  if (after === undefined && !isClosed) scan.dangling = length;
  if (isClosed) {
    openers.pop();
    if (top.length > length) openers.push({ marker, length: top.length - length });
  } else if (opens) openers.push({ marker, length });
  return length;
}

/** Appends the closing markers in front of trailing white space; dangling markers are removed. */
function close(scan: Scan, shown: string): string {
  if (scan.openers.length > mostOpeners) return scan.text;
  let closers = '';
  for (const { marker, length } of scan.openers.toReversed()) closers += marker.repeat(Math.min(length, 3));
  if (closers === '' && scan.dangling === 0) return shown;
  return shown.slice(0, shown.length - scan.dangling).trimEnd() + closers;
}
