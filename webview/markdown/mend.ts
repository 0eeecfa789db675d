/**
 * Unfinished Markdown as it will probably look: shown only until more arrives, never part of the finished answer.
 * Works on the open block alone.
 */
import { mendInline } from './mendInline.ts';

/** A line that may still become a list item, a heading, a rule, an underline, a fence or a quote. */
const onlyMarkers = /^[ \t>]*(?:[-+*_=#`~:|]+|\d{1,9}[.)]?)?[ \t]*$/;
/** Longer lines are shown as they are. */
const longestMarkers = 64;
/** A link definition: it will not be seen. */
const definition = /^ {0,3}\[[^\]]+\]:/;
const fenceLine = /^[ \t>]*(?:`{3,}|~{3,})/gm;
/** Where a paragraph starts: after a blank line, or after the marker of a list item, a heading or a quote. */
const blockStart = /(?:\n[ \t]*\n|(?:^|\n)[ \t>]*(?:[-+*]|\d{1,9}[.)]|#{1,6}|>)[ \t])/g;

/**
 * @param text an open block, perhaps cut in the middle of a line
 * @returns Markdown in which what is half there is completed or left out
 */
export function mend(text: string): string {
  const inCode = (text.match(fenceLine)?.length ?? 0) % 2 === 1;
  return inCode ? text : (mendTable(text) ?? mendLine(text));
}

/**
 * @param text a block that is known to be no table's head
 * @returns it with its last line completed, or without that line
 */
export function mendLine(text: string): string {
  const lines = withoutMarkers(text);
  const start = paragraphStart(lines);
  return lines.slice(0, start) + mendInline(lines.slice(start));
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

/** A head of more columns than this is not guessed. */
const mostColumns = 64;

/** A table is a table from the first cell of its header on, before its second line has come. */
function mendTable(text: string): string | undefined {
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
