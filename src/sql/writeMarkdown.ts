/** SQL into Markdown: into the fence that is there, or with one of its own. */
import { fenceFor } from '../shared/fence.ts';
import { isBlank, lineAt } from './lines.ts';
import { containerOf, type MarkdownPlace } from './markdownPlace.ts';
import { warn, type WriteRequest, type Written } from './place.ts';
import type { Span, TextEdit } from './types.ts';
import { fitted } from './writeSql.ts';

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
  // Before the first character of a line, which is no part of a quote or list above, there is room.
  const goesAbove = isCursor && before === '' && /^[^\s>]/.test(after);
  if (containerOf(before) !== before || (!isBlank(after) && !goesAbove)) {
    const { edits } = placed(fitted(request, { before: before.slice(prefix.length), after }, false).plain);
    return { edits, warnings: FENCES.test(request.sql) ? [warn('unfittedPlace')] : [] };
  }
  const fence = fenceFor(request.sql);
  const sql = request.sql.replace(/\n$/, '');
  const { plain } = fitted({ ...request, sql }, { before: '', after: '' }, false);
  const lead = isInHtml(text.slice(0, lineAt(text, span.start).start)) ? '\n' : missing;
  return placed(`${lead}${fence}sql\n${plain}\n${fence}${goesAbove ? '\n' : ''}`);
}
