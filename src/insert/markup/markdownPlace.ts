/** The position of the cursor in a Markdown file. */
import { isBlank, leadingWhite, lineAt, linesOf, type Line } from '../../shared/text/lines.ts';
import type { Span } from '../types.ts';

export interface MarkdownPlace {
  /** Whether it is in a fenced block, where text is already code. */
  isFenced: boolean;
  /** Prefix of lines here: quote markers, and white space for list markers. */
  prefix: string;
  /** Whether it is after an opening fence, so that lines can follow. */
  isBehindMarks: boolean;
  /** Whether a fence follows, which needs its own line. */
  isBeforeMarks: boolean;
  /** Positions of the opening and closing fences around it; undefined outside a fenced block. */
  marks: readonly Span[];
  /** Where a bare cursor inserts: after the markers of its line, even if it is within them. */
  at: number;
}

interface Fence {
  marks: string;
  prefix: string;
  /** Start of its line. */
  start: number;
}

/** Quote markers, list markers and white space. */
const CONTAINER = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))*[ \t]*/;
const OPENING = /^(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;

/** @returns the quote and list markers at the start of the line */
export const containerOf = (line: string): string => CONTAINER.exec(line)?.[0] ?? '';
/** @returns the prefix of the lines below one with these markers; text needs a space after a marker */
const prefixBelow = (container: string): string => container.replace(/[^>\s]/g, ' ') + (isMark(container) ? ' ' : '');
const isMark = (container: string): boolean => /[^>\s]$/.test(container);

/** End of a list marker if the offset is within it, or between it and its space. */
function behindListMark({ text, start }: Line, offset: number): number {
  const { length } = containerOf(text);
  const before = text.slice(0, offset - start);
  return /[^>\s]$/.test(before) && before.length < length ? start + length : offset;
}

function opened({ text, start }: Line): Fence | undefined {
  const container = containerOf(text);
  const marks = OPENING.exec(text.slice(container.length))?.[1];
  return marks === undefined ? undefined : { marks, prefix: prefixBelow(container), start };
}

const closes = (line: string, { marks }: Fence): boolean => CLOSING.exec(line)?.[1]?.startsWith(marks) ?? false;
/** A fenced block ends with its quote. */
const leaves = (line: string, { prefix }: Fence): boolean => prefix.includes('>') && !/^[ \t]*>/.test(line);

/** White space of a list item that continues after an empty line. */
function itemAround(text: string, line: Line): string {
  const [, below = ''] = /^\s*?\n([ \t]*)(?=\S)/.exec(text.slice(line.end)) ?? [];
  const above = linesOf(text.slice(0, line.start)).findLast(
    (other) => !isBlank(other.text) && leadingWhite(other.text).length < below.length,
  );
  const prefix = prefixBelow(containerOf(above?.text ?? ''));
  return isBlank(line.text) && prefix.length <= below.length ? prefix : '';
}

const marksAt = ({ text, start }: Line): Span => {
  const { index = 0, 0: marks = '' } = /([`~])\1*/.exec(text) ?? {};
  return { start: start + index, end: start + index + marks.length };
};

/** The fences, as far as present. */
function marksOf(text: string, fence: Fence): Span[] {
  const opening = lineAt(text, fence.start);
  const below = linesOf(text.slice(opening.end)).slice(1);
  const end = below.find((line) => closes(line.text, fence) || leaves(line.text, fence));
  const closing = end && closes(end.text, fence) ? [{ ...end, start: opening.end + end.start }] : [];
  return [opening, ...closing].map(marksAt);
}

/** @returns the position of the offset in a Markdown text */
export function markdownPlace(text: string, offset: number): MarkdownPlace {
  const line = lineAt(text, offset);
  let fence: Fence | undefined;
  for (const above of linesOf(text.slice(0, line.start)).slice(0, -1)) {
    if (fence !== undefined && closes(above.text, fence)) fence = undefined;
    else if (fence === undefined || leaves(above.text, fence)) fence = opened(above);
  }
  if (fence !== undefined && leaves(line.text, fence)) fence = undefined;
  const isClosing = fence !== undefined && closes(line.text, fence);
  const opening = fence === undefined ? opened(line) : undefined;
  const hasMarks = isClosing || opening !== undefined;
  const marks = line.start + line.text.search(/[`~]/);
  const isBehindMarks = hasMarks && offset > marks;
  const within = (fence?.prefix ?? '').length;
  const code = line.start + (/^[ \t>]*/.exec(line.text.slice(0, within))?.[0].length ?? 0);
  const at = fence === undefined ? behindListMark(line, offset) : offset;
  const own = prefixBelow(containerOf(line.text.slice(0, at - line.start)));
  const isFenced = isBehindMarks ? opening !== undefined : fence !== undefined;
  const around = fence ?? opening;
  return {
    marks: isFenced && around !== undefined ? marksOf(text, around) : [],
    at: isBehindMarks ? line.end : hasMarks ? marks : Math.max(at, code),
    isFenced,
    prefix: around?.prefix ?? (own || itemAround(text, line)),
    isBehindMarks,
    isBeforeMarks: hasMarks && !isBehindMarks,
  };
}
