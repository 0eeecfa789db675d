/** Writes SQL into Markdown: into an existing fenced block, or as a new one. */
import { fenceFor } from '../../shared/text/fence.ts';
import { isBlank, leadingWhite, lineAt, linesOf } from '../../shared/text/lines.ts';
import { containerOf, type MarkdownPlace } from './markdownPlace.ts';
import { warn, type WriteRequest, type Written } from '../place.ts';
import type { Span, TextEdit } from '../types.ts';
import { fitted } from '../sql/writeSql.ts';

/** Prefixes every line but the first with the quote and list markers around it. */
const within = (code: string, prefix: string): string =>
  code.replace(/\n(?=(\n)?)/g, (_, isEmpty?: string) => `\n${isEmpty ? prefix.trimEnd() : prefix}`);

/** Whether the line continues an HTML block, which ends only at an empty line. */
const isInHtml = (above: string): boolean => /^[ \t]*<[a-z/]/im.test(above.split(/\n[ \t\r]*\n/).at(-1) ?? '');

/** Text that would start a code block within a paragraph. */
const FENCES = /^[ \t]*(?:```|~~~)/m;

/** Longer fences, if fences in the SQL would close the block. */
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

/** Whether a line with this indentation is indented code, and not part of a list. */
function isIndentedCode(textAbove: string, white: string): boolean {
  const lessDeep = linesOf(textAbove).findLast(
    (line) => !isBlank(line.text) && leadingWhite(line.text).length < white.length,
  );
  return /^(?:\t| {4})[ \t]*$/.test(white) && isBlank(containerOf(lessDeep?.text ?? ''));
}

/** A new block above the line that starts at the position, in the same quote or list. */
function writeAbove(request: WriteRequest, offset: number): Written {
  const { start, text } = lineAt(request.text, offset);
  const textAbove = request.text.slice(0, start);
  const isHtml = isInHtml(textAbove);
  const prefix = isHtml ? '' : (/^[ \t>]*/.exec(text)?.[0] ?? '');
  const block = isIndentedCode(textAbove, prefix) ? codeOf(request) : fenceOf(request);
  const whole = `${isHtml ? '\n' : prefix}${within(block, prefix)}\n`;
  return { edits: [{ start, end: start, text: whole }], warnings: [] };
}

/** The underline of a heading. */
const UNDERLINE = /^\r?\n {0,3}(?:=+|-+)[ \t]*(?=\r?\n|$)/;
/** Table rows, front matter and MDX code, which a block would split. */
const ROW = /^[ \t]*\|/;
const SETTINGS = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?=\r?\n|$)/;

/** A new block below the text that ends at the position, in the same quote or list. */
function writeBelow({ prefix }: MarkdownPlace, request: WriteRequest): Written {
  const { text, selection } = request;
  const line = lineAt(text, selection.start);
  const end = line.end + (UNDERLINE.exec(text.slice(line.end))?.[0].length ?? 0);
  const isHtml = isInHtml(text.slice(0, end));
  const block = within(`\n${isHtml ? '\n' : ''}${fenceOf(request)}`, prefix);
  const isCut = ROW.test(line.text) || selection.start <= (SETTINGS.exec(text)?.[0].length ?? -1);
  return { edits: [{ start: end, end, text: block }], warnings: isCut ? [warn('unfittedPlace')] : [] };
}

/** @returns the edits for Markdown: fenced, unless the cursor is in a fenced block or within a paragraph */
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
  // An empty line may lack the indentation of its list.
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
