/** Writes SQL into Markdown: into an existing fenced block, or as a new one. */
import { loadedParser, type ProgramParser } from '../code/grammars.ts';
import { parse } from '../code/verifyCode.ts';
import { fenced } from '../../shared/text/plainText.ts';
import { isBlank, lineAt } from '../../shared/text/lines.ts';
import { containerOf, fenceOn, markdownPoint, type Fence, type MarkdownPoint } from './markdownPoint.ts';
import { unsupported, type Decode, type Reader, type Site, type WriteRequest, type Written } from '../writing.ts';
import type { SourceDocument, Span } from '../types.ts';
import { applyEdits, firstFitting, inOrder, verifier, verifyWith } from '../verify.ts';
import { fitSql, fromFirstLine } from '../sql/fitSql.ts';
import { innerCode, within, type InnerCode } from '../innerCode.ts';

function codeOf(request: WriteRequest): string {
  const sql = fromFirstLine(request.sql).replace(/\n$/, '');
  return fitSql({ ...request, sql }, { before: '', after: '' });
}

interface Block {
  span: Span;
  lead: string;
  /** Prefix of each line but the first. */
  prefix: string;
  tail: string;
}

/** Matches a line of HTML or of an MDX module; such a block ends only at an empty line. */
const HTML = /^[ \t]*(?:<[a-z/]|(?:import|export)\b)/im;

/** The ways to write a block: fenced, without a fence (in indented code), and fenced below an empty line. */
function* writeBlock({ span, lead, prefix, tail }: Block, request: WriteRequest): Generator<Written> {
  const code = codeOf(request);
  const block = fenced(code, 'sql');
  const [inFence, alone] = [within(block, prefix), within(code, prefix)];
  const ways = [lead + inFence, lead + alone, `\n${lead}${inFence}`, `\n${block}`];
  const above = request.text.slice(0, span.start);
  const isHtml = HTML.test(above.slice(Math.max(0, above.lastIndexOf('\n\n'))));
  for (const way of isHtml ? ways.slice(2) : ways) yield { edits: [{ ...span, text: way + tail }], warnings: [] };
}

const UNDERLINE = /^\n {0,3}(?:=+|-+)[ \t]*(?=\n|$)/;

/** @returns undefined for a selection of other text than whole lines */
function blockAt({ prefix, at }: MarkdownPoint, { text, selection }: WriteRequest): Block | undefined {
  const isCursor = selection.start === selection.end;
  const span = isCursor ? { start: at, end: at } : selection;
  const line = lineAt(text, span.start);
  const before = text.slice(line.start, span.start);
  const isAtEnd = isBlank(text.slice(span.end, lineAt(text, span.end).end));
  const isAtStart = containerOf(before) === before;
  if (!isCursor && !(isAtStart && isAtEnd)) return undefined;
  if (isBlank(before) && !isAtEnd) {
    const own = /^[ \t>]*/.exec(line.text)?.[0] ?? '';
    return { span: { start: line.start, end: line.start }, lead: own, prefix: own, tail: '\n' };
  }
  if (!isAtStart) {
    const end = line.end + (UNDERLINE.exec(text.slice(line.end))?.[0].length ?? 0);
    return { span: { start: end, end }, lead: `\n${prefix}`, prefix, tail: '' };
  }
  return { span, lead: prefix.slice(before.length), prefix, tail: isAtEnd ? '' : `\n${prefix}` };
}

/** Decodes the code in a range of a file. */
const decodeMarkdown =
  (parser: ProgramParser): Decode =>
  (after, { start, end }) => {
    const pieces: string[] = [];
    parse(parser, after).iterate({
      from: start,
      to: end,
      enter: ({ name, from, to }) => {
        if (name === 'CodeText') pieces.push(after.slice(Math.max(from, start), Math.min(to, end)));
      },
    });
    return pieces.join('');
  };

/** Matches the language of a block: of Markdown, `python`, of R Markdown and Quarto, `{python, echo=FALSE}`. */
const INFO = /^(?:`+|~+)[ \t]*(?:\{[ \t]*\.?)?([\w-]*)/;

/** Matches an option of a cell in Quarto; nothing can be inserted above it. */
const OPTION = /^(?:#|--|\/\/)\|/;

function fencedCode(file: string, { open, close, prefix }: Fence): InnerCode {
  const marksOf = (line: string): number => /^[ \t>]*/.exec(line.slice(0, prefix.length))?.[0].length ?? 0;
  const end = close ? lineAt(file, close.start).start : file.length;
  const isOption = (line: string): boolean => OPTION.test(line.slice(marksOf(line)));
  let start = lineAt(file, open.start).end;
  while (start + 1 < end && isOption(lineAt(file, start + 1).text)) start = lineAt(file, start + 1).end;
  return innerCode(file, { start, end, close: close?.start, prefix, marksOf });
}

/** The site in a fenced block, in which the language of the block decides how SQL is written. */
function siteInFence(
  fence: Fence,
  { start, end }: Span,
  parser: ProgramParser,
  document: SourceDocument,
  readerOf: ReaderOf,
): Site {
  const { text, toCode, toFile } = fencedCode(document.text, fence);
  const opening = document.text.slice(fence.open.start, lineAt(document.text, fence.open.start).end);
  const language = INFO.exec(opening)?.[1]?.toLowerCase() ?? '';
  const isSql = language === '' || language.includes('sql');
  const code = { text, languageId: isSql ? 'sql' : language, fileName: isSql ? '' : `.${language}` };
  const selection = { start: toCode(start), end: toCode(end) };
  const site = readerOf(code)(selection);
  const write = (request: WriteRequest): Written => {
    const written = site.write({ ...request, text, selection });
    const wanted = applyEdits(text, inOrder(written.edits)).trim();
    const accepts = (after: string): boolean => {
      const next = fenceOn(parse(parser, after), lineAt(after, fence.open.start));
      return next !== undefined && fencedCode(after, { ...fence, ...next }).text.trim() === wanted;
    };
    const { warnings } = written;
    return firstFitting(
      [{ edits: written.edits.map(toFile), warnings, accepts }],
      verifier(request, verifyWith(parser, true)),
    );
  };
  return isSql ? { kind: 'markdown', write } : { ...site, write };
}

type ReaderOf = (document: SourceDocument) => Reader;

/**
 * @param readerOf finds the reader of code in a fenced block
 * @returns the reader of a Markdown file, whose grammar must have been loaded
 */
export function readMarkdown(document: SourceDocument, readerOf: ReaderOf): Reader {
  const { text, languageId, fileName } = document;
  const isMdx = /mdx/i.test(languageId) || /\.mdx$/i.test(fileName);
  const parser = loadedParser(document);
  if (parser === undefined) return () => ({ kind: 'markdown', write: unsupported });
  const tree = parse(parser, text);
  return (selection) => {
    const point = markdownPoint(tree, text, selection.start, isMdx);
    const { fence, isCut } = point;
    if (fence && !isCut) return siteInFence(fence, selection, parser, document, readerOf);
    const write = (request: WriteRequest): Written => {
      const verify = verifier(request, verifyWith(parser, true), decodeMarkdown(parser));
      const block = isCut ? undefined : blockAt(point, request);
      return block ? firstFitting(writeBlock(block, request), verify) : unsupported(request);
    };
    return { kind: 'markdown', write };
  };
}
