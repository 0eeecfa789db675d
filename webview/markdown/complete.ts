/**
 * Completes unfinished Markdown for display while it streams. The result is never part of the finished answer. Handles
 * the open block only.
 */
import { completeInline } from './completeInline.ts';

/** A line of markers only, which may still become a list item, a heading, a rule, an underline, a fence or a quote. */
const onlyMarkers = /^[ \t>]*(?:[-+*_=#`~:|]+|\d{1,9}[.)]?)?[ \t]*$/;
/** Longer lines, in characters, are always shown. */
const longestMarkers = 64;
/** A link definition, which is not rendered. */
const definition = /^ {0,3}\[[^\]]+\]:/;
const fenceLine = /^[ \t>]*(?:`{3,}|~{3,})/gm;
/** Where a paragraph starts: after a blank line, or after the marker of a list item, a heading or a quote. */
const blockStart = /(?:\n[ \t]*\n|(?:^|\n)[ \t>]*(?:[-+*]|\d{1,9}[.)]|#{1,6}|>)[ \t])/g;

/**
 * @param text an open block, possibly cut in the middle of a line
 * @returns Markdown with unfinished constructs completed or removed
 */
export function completeMarkdown(text: string): string {
  const inCode = (text.match(fenceLine)?.length ?? 0) % 2 === 1;
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
