/**
 * Unfinished Markdown as it will probably look: shown only until more arrives, never part of the finished answer.
 * Works on the open block alone.
 */
import { mendInline } from './mendInline.ts';

/** A line that may still become a list item, a heading, a rule, an underline, a fence or a quote. */
const onlyMarkers = /(^|\n)[ \t>]*(?:[-+*_=#`~:|]+|\d{1,9}[.)]?)?[ \t]*$/;
/** A link definition: it will not be seen. */
const definition = /(^|\n) {0,3}\[[^\]\n]+\]:[^\n]*$/;
const fenceLine = /^[ \t>]*(?:`{3,}|~{3,})/gm;
/** Where a paragraph starts: after a blank line, or after the marker of a list item, a heading or a quote. */
const blockStart = /(?:\n[ \t]*\n|(?:^|\n)[ \t>]*(?:[-+*]|\d{1,9}[.)]|#{1,6}|>)[ \t])/g;

/**
 * @param text an open block, perhaps cut in the middle of a line
 * @returns Markdown in which what is half there is completed or left out
 */
export function mend(text: string): string {
  const table = mendTable(text);
  if (table !== undefined) return table;
  const inCode = (text.match(fenceLine)?.length ?? 0) % 2 === 1;
  if (inCode) return text;
  const lines = text.replace(onlyMarkers, '$1').replace(definition, '$1');
  const start = paragraphStart(lines);
  return lines.slice(0, start) + mendInline(lines.slice(start));
}

function paragraphStart(text: string): number {
  let start = 0;
  for (const match of text.matchAll(blockStart)) start = match.index + match[0].length;
  const lastLine = text.lastIndexOf('\n') + 1;
  const isRow = /^[ \t>]*\|/.test(text.slice(lastLine));
  return isRow ? Math.max(start, text.lastIndexOf('|') + 1) : start;
}

/** A table is a table from the first cell of its header on, before its second line has come. */
function mendTable(text: string): string | undefined {
  const header = /^ {0,3}\|[^\n]*/.exec(text)?.[0];
  if (header === undefined) return undefined;
  const rest = text.slice(header.length);
  if (!/^\n?[ \t]*[-:|]?[-:| \t]*$/.test(rest)) return undefined;
  const cells = header
    .trim()
    .replace(/\\\|/g, '')
    .replace(/^\||\|$/g, '')
    .split('|').length;
  const shown = header.trim() === '|' ? '' : header;
  return shown === '' ? '' : `${shown}\n|${' --- |'.repeat(cells)}`;
}
