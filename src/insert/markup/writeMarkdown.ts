/** Writes SQL into Markdown: into an existing fenced block, or as a new one. */
import { loadedParser, type ProgramParser } from '../code/grammars.ts';
import { parse } from '../code/verifyCode.ts';
import { fenceFor } from '../../shared/text/plainText.ts';
import { isBlank, leadingWhite, lineAt, linesOf } from '../../shared/text/lines.ts';
import { containerOf, markdownPlace, type MarkdownPlace } from './markdownPlace.ts';
import { unsupported, warn, type Decode, type Reader, type WriteRequest, type Written } from '../place.ts';
import type { SourceDocument, Span, TextEdit } from '../types.ts';
import { firstFitting, LONGEST, verifier, verifyWith } from '../verify.ts';
import { fitted } from '../sql/writeSql.ts';

/** Prefixes every line but the first with the quote and list markers around it. */
const within = (code: string, prefix: string): string =>
  code.replace(/\n(?=(\n)?)/g, (_, isEmpty?: string) => `\n${isEmpty ? prefix.trimEnd() : prefix}`);

/** Whether the line continues an HTML block, which ends only at an empty line. */
const isInHtml = (above: string): boolean =>
  /^[ \t]*(?:<[a-z/]|(?:import|export)\b)/im.test(above.split(/\n[ \t\r]*\n/).at(-1) ?? '');

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
  return { edits: [{ start, end: start, text: whole }], warnings: [], literalAt: 0 };
}

/** The underline of a heading. */
const UNDERLINE = /^\r?\n {0,3}(?:=+|-+)[ \t]*(?=\r?\n|$)/;

/** A new block below the text that ends at the position, in the same quote or list. */
function writeBelow({ prefix }: MarkdownPlace, request: WriteRequest): Written {
  const { text, selection } = request;
  const line = lineAt(text, selection.start);
  const end = line.end + (UNDERLINE.exec(text.slice(line.end))?.[0].length ?? 0);
  const isHtml = isInHtml(text.slice(0, end));
  const block = within(`\n${isHtml ? '\n' : ''}${fenceOf(request)}`, prefix);
  return { edits: [{ start: end, end, text: block }], warnings: [], literalAt: 0 };
}

/** SQL within other text, as a part of it: lines of their own could become headings or lists. */
function writeAmid(place: MarkdownPlace, request: WriteRequest, span: Span): Written {
  const { text, sql } = request;
  const { prefix, isMdx } = place;
  const before = text.slice(lineAt(text, span.start).start + prefix.length, span.start);
  const after = text.slice(span.end, lineAt(text, span.end).end);
  const { plain } = fitted(request, { before, after }, false);
  const isUnfit = /\n|^[ \t]*(?:```|~~~)/.test(plain) || (isMdx && /[{<]/.test(sql));
  return { edits: [{ ...span, text: within(plain, prefix) }], warnings: isUnfit ? [warn('unfittedPlace')] : [] };
}

/** SQL in a fenced block that is there. */
function writeFenced(place: MarkdownPlace, request: WriteRequest, span: Span): Written {
  const { text } = request;
  const { prefix, isBehindMarks } = place;
  const isBeforeMarks = place.isBeforeMarks && span.start === span.end;
  const before = isBehindMarks ? '' : text.slice(lineAt(text, span.start).start, span.start);
  const after = isBeforeMarks ? '' : text.slice(span.end, lineAt(text, span.end).end);
  // An empty line may lack the indentation of the list that it is in.
  const missing = isBehindMarks ? '' : prefix.slice(before.length);
  const { plain } = fitted(request, { before: before.slice(prefix.length), after }, true);
  const code = within(`${isBehindMarks ? '\n' : ''}${missing}${plain}${isBeforeMarks ? '\n' : ''}`, prefix);
  return { edits: [...widened(place, request, span), { ...span, text: code }], warnings: [], literalAt: 0 };
}

function writeAt(place: MarkdownPlace, request: WriteRequest): Written {
  const { text, selection } = request;
  const { prefix, isBehindMarks } = place;
  const isCursor = selection.start === selection.end;
  const isBeforeMarks = place.isBeforeMarks && isCursor;
  const span = isCursor ? { start: place.at, end: place.at } : selection;
  if (place.isFenced) return writeFenced(place, request, span);
  const before = isBehindMarks ? '' : text.slice(lineAt(text, span.start).start, span.start);
  const after = isBeforeMarks ? '' : text.slice(span.end, lineAt(text, span.end).end);
  const isStart = containerOf(before) === before;
  if (!isBlank(after) ? !isStart || !isCursor : !isStart && !isCursor) return writeAmid(place, request, span);
  if (isBlank(before) && !isBlank(after)) return writeAbove(request, span.start);
  if (!isStart) return writeBelow(place, request);
  const isHtml = isInHtml(text.slice(0, lineAt(text, span.start).start));
  const lead = isBehindMarks || isHtml ? '\n' : prefix.slice(before.length);
  const end = isBlank(after) && !isBeforeMarks ? '' : '\n';
  return { edits: [{ ...span, text: within(lead + fenceOf(request) + end, prefix) }], warnings: [], literalAt: 0 };
}

/** Decodes the code in a range of a file, or the text if it is not in a block. */
const decodeMarkdown =
  (parser: ProgramParser): Decode =>
  (after, { start, end }, { literalAt }) => {
    if (literalAt === undefined) return after.slice(start, end);
    const pieces: string[] = [];
    parse(parser, after).iterate({
      from: start,
      to: end,
      enter: ({ name, from, to }) => {
        if (name === 'CodeText') pieces.push(after.slice(Math.max(from, start), Math.min(to, end)));
      },
    });
    return pieces.join('').replaceAll('\r', '');
  };

/** Fenced, unless the cursor is in a fenced block or within a paragraph; the grammar must have been loaded. */
export function readMarkdown({ text, languageId, fileName }: SourceDocument): Reader {
  const isMdx = /mdx/i.test(languageId) || /\.mdx$/i.test(fileName);
  const parser = loadedParser('markdown', '');
  if (parser === undefined || text.length > LONGEST) return () => ({ kind: 'markdown', write: unsupported });
  const tree = parse(parser, text);
  return ({ start }) => {
    const place = markdownPlace(tree, text, start, isMdx);
    const write = (request: WriteRequest): Written => {
      const written = writeAt(place, request);
      if (place.isCut) return { ...written, warnings: [warn('unfittedPlace')] };
      return firstFitting([written], verifier(request, verifyWith(parser, true), decodeMarkdown(parser)));
    };
    return { kind: 'markdown', write };
  };
}
