/** SQL into Markdown: into the fence that is there, or with one of its own. */
import { fenceFor } from '../../shared/text/fence.ts';
import { isBlank, leadingWhite, lineAt, linesOf } from '../../shared/text/lines.ts';
import { containerOf, type MarkdownPlace } from './markdownPlace.ts';
import { warn, type WriteRequest, type Written } from '../place.ts';
import type { Span, TextEdit } from '../types.ts';
import { fitted } from '../sql/writeSql.ts';

/** Every line but the first in the quotes and lists around it, which are no part of the code. */
const within = (code: string, prefix: string): string =>
  code.replace(/\n(?=(\n)?)/g, (_, isEmpty?: string) => `\n${isEmpty ? prefix.trimEnd() : prefix}`);

/** Whether the line goes on with a block of HTML, which ends with an empty line alone. */
const isInHtml = (above: string): boolean => /^[ \t]*<[a-z/]/im.test(above.split(/\n[ \t\r]*\n/).at(-1) ?? '');

/** What would begin a block of code amid other text. */
const FENCES = /^[ \t]*(?:```|~~~)/m;

/** Longer marks for the fence, where marks in the SQL would end it. */
function widened({ marks }: MarkdownPlace, { text, sql }: WriteRequest, over: Span): TextEdit[] {
  const [{ start, end } = { start: 0, end: 0 }] = marks;
  const mark = text.charAt(start);
  const longest = Math.max(0, ...(sql.match(/`+|~+/g) ?? []).map((run) => (run.startsWith(mark) ? run.length : 0)));
  const isOver = marks.some((span) => span.start < over.end && over.start < span.end);
  return isOver || longest < end - start ? [] : marks.map((span) => ({ ...span, text: mark.repeat(longest + 1) }));
}

function codeOf(request: WriteRequest): string {
  const sql = request.sql.replace(/\n$/, '');
  return fitted({ ...request, sql }, { before: '', after: '' }, false).plain;
}

function fenceOf(request: WriteRequest): string {
  const fence = fenceFor(request.sql);
  return `${fence}sql\n${codeOf(request)}\n${fence}`;
}

/** Whether a line with such white space is code by its indentation, and in no list that has it too. */
function isIndentedCode(textAbove: string, white: string): boolean {
  const lessDeep = linesOf(textAbove).findLast(
    (line) => !isBlank(line.text) && leadingWhite(line.text).length < white.length,
  );
  return /^(?:\t| {4})[ \t]*$/.test(white) && isBlank(containerOf(lessDeep?.text ?? ''));
}

/** A block of its own above the line that the place is at the beginning of, in the same quote or list. */
function writeAbove(request: WriteRequest, offset: number): Written {
  const { start, text } = lineAt(request.text, offset);
  const textAbove = request.text.slice(0, start);
  const isHtml = isInHtml(textAbove);
  const prefix = isHtml ? '' : (/^[ \t>]*/.exec(text)?.[0] ?? '');
  const block = isIndentedCode(textAbove, prefix) ? codeOf(request) : fenceOf(request);
  const whole = `${isHtml ? '\n' : prefix}${within(block, prefix)}\n`;
  return { edits: [{ start, end: start, text: whole }], warnings: [] };
}

/** The line below a heading that makes it one. */
const UNDERLINE = /^\r?\n {0,3}(?:=+|-+)[ \t]*(?=\r?\n|$)/;
/** Rows of a table, settings above the text, and code of MDX, which a block would cut in two. */
const ROW = /^[ \t]*\|/;
const SETTINGS = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?=\r?\n|$)/;

/** A block of its own below the text that the place is at the end of, in the same quote or list. */
function writeBelow({ prefix }: MarkdownPlace, request: WriteRequest): Written {
  const { text, selection } = request;
  const line = lineAt(text, selection.start);
  const end = line.end + (UNDERLINE.exec(text.slice(line.end))?.[0].length ?? 0);
  const isHtml = isInHtml(text.slice(0, end));
  const block = within(`\n${isHtml ? '\n' : ''}${fenceOf(request)}`, prefix);
  const isCut = ROW.test(line.text) || selection.start <= (SETTINGS.exec(text)?.[0].length ?? -1);
  return { edits: [{ start: end, end, text: block }], warnings: isCut ? [warn('unfittedPlace')] : [] };
}

/** @returns the edits for Markdown: fenced, unless the cursor is in a fence already or amid other text */
export function writeMarkdown(place: MarkdownPlace, request: WriteRequest): Written {
  const { text, selection } = request;
  const { isFenced, prefix, isBehindMarks, at } = place;
  const isCursor = selection.start === selection.end;
  const isBeforeMarks = place.isBeforeMarks && isCursor;
  const span = isCursor ? { start: at, end: at } : selection;
  const before = isBehindMarks ? '' : text.slice(lineAt(text, span.start).start, span.start);
  const after = isBeforeMarks ? '' : text.slice(span.end, lineAt(text, span.end).end);
  const placed = (code: string): Written => ({
    edits: [{ ...span, text: within(`${isBehindMarks ? '\n' : ''}${code}${isBeforeMarks ? '\n' : ''}`, prefix) }],
    warnings: [],
  });
  // An empty line may lack the indentation of the list that it is in.
  const missing = isBehindMarks ? '' : prefix.slice(before.length);
  if (isFenced) {
    const { edits, warnings } = placed(
      missing + fitted(request, { before: before.slice(prefix.length), after }, true).plain,
    );
    return { edits: [...widened(place, request, span), ...edits], warnings };
  }
  if (isCursor && !isBehindMarks && isBlank(before) && !isBlank(after)) return writeAbove(request, span.start);
  if (isCursor && !isBehindMarks && containerOf(before) !== before && isBlank(after)) return writeBelow(place, request);
  if (containerOf(before) !== before || !isBlank(after)) {
    const { edits } = placed(fitted(request, { before: before.slice(prefix.length), after }, false).plain);
    return { edits, warnings: FENCES.test(request.sql) ? [warn('unfittedPlace')] : [] };
  }
  const lead = isInHtml(text.slice(0, lineAt(text, span.start).start)) ? '\n' : missing;
  return placed(lead + fenceOf(request));
}
