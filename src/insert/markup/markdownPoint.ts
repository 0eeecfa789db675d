/** The position of a cursor in a Markdown file, by its syntax tree. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { isBlank, leadingWhite, lineAt, linesOf, type Line } from '../../shared/text/lines.ts';
import type { Span } from '../types.ts';

export interface Fence {
  open: Span;
  close?: Span;
  /** Quote markers and white space before each line of the block. */
  prefix: string;
}

export interface MarkdownPoint {
  /** The fenced block that the cursor is in, so that the SQL needs no fence. */
  fence?: Fence;
  /** Prefix of new lines at the cursor: quote markers, and white space in place of list markers. */
  prefix: string;
  /** Insertion point of a bare cursor: not before the quote and list markers of its line. */
  at: number;
  /**
   * Whether SQL would split the number of a list item, or a block would split a tag, a table, front matter, or an
   * expression or module of MDX.
   */
  isCut: boolean;
}

/** Matches quote markers, list markers and white space at the start of a line. */
const CONTAINER = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))*[ \t]*/;

export const containerOf = (line: string): string => CONTAINER.exec(line)?.[0] ?? '';
/** @returns the prefix of the lines below one with these markers, with a space after the last marker */
const prefixBelow = (container: string): string =>
  container.replace(/[^>\s]/g, ' ') + (endsWithMarker(container) ? ' ' : '');
/** Whether the text before a cursor ends with a quote or list marker, which text right behind it would break. */
const endsWithMarker = (before: string): boolean => /\S$/.test(containerOf(before));

/** @returns the line prefix in the list item that continues below an empty line; empty if there is none */
function itemAround(text: string, line: Line): string {
  const below = /^\s*?\n([ \t]*)(?=\S)/.exec(text.slice(line.end))?.[1] ?? '';
  if (!isBlank(line.text)) return '';
  const above = linesOf(text.slice(0, line.start)).findLast(
    (other) => !isBlank(other.text) && leadingWhite(other.text).length < below.length,
  );
  return prefixBelow(containerOf(above?.text ?? ''));
}

/** @returns the fenced block that the line belongs to; a block that is never closed includes the empty line at its end. */
export function fenceOn(tree: Tree, line: Line): Omit<Fence, 'prefix'> | undefined {
  let fence: SyntaxNode | undefined;
  const enter = ({ name, node }: { name: string; node: SyntaxNode }): void => {
    if (name === 'FencedCode') fence = node;
  };
  tree.iterate({ from: Math.max(0, line.start - 1), to: line.end, enter });
  const [open, close] = (fence?.getChildren('CodeMark') ?? []).map(({ from, to }) => ({ start: from, end: to }));
  const isOver = close !== undefined && close.end < line.start;
  if (fence === undefined || open === undefined || isOver || fence.to < Math.min(line.start, tree.length - 1))
    return undefined;
  return { open, ...(close && { close }) };
}

const FRONT_MATTER = /^---[ \t]*\n[\s\S]*?\n---[ \t]*(?=\n|$)/;
const OPEN_TAG = /<\/?(?:[A-Za-z][^<>]*)?$/;
/** Matches an element, expression or module of MDX, to which the lines below belong up to a line that ends it. */
const MDX_BLOCK = /^(?:<|\{|import\b|export\b)/;

const ENDS_BLOCK = /^[ \t]*(?:\n[ \t]*)?(?:\n|$)/;
/** Matches a fence that the grammar doesn't see, because it is far indented below text; MDX does. */
const DEEP_FENCE = /^ {4,}(?:```|~~~)/m;

/** Whether the paragraph that the offset is in, or the one that an element or a brace continues, is code of MDX. */
function isMdxCode(text: string, at: number): boolean {
  const lines = linesOf(text.slice(0, at));
  const isFirst = ({ text: line }: Line, index: number): boolean =>
    /^[^\s})>/]/.test(line) && isBlank(lines[index - 1]?.text ?? '');
  const { start } = lines.findLast(isFirst) ?? { start: 0 };
  const before = text.slice(start, at);
  const isOpen =
    OPEN_TAG.test(before.replace(/\{[^{}]*\}/g, '')) || before.split('{').length > before.split('}').length;
  const isInModule = !/^[<{]/.test(before) && !ENDS_BLOCK.test(text.slice(at));
  const isInDeepFence = text.slice(0, at).split(DEEP_FENCE).length % 2 === 0;
  return isInDeepFence || (MDX_BLOCK.test(before) && (isOpen || isInModule));
}

function isCutAt(tree: Tree, text: string, at: number, isMdx: boolean): boolean {
  if (at <= (FRONT_MATTER.exec(text)?.[0].length ?? -1)) return true;
  if (isMdx) return isMdxCode(text, at);
  let block = tree.resolveInner(at, -1);
  while (block.parent && !/^(?:Document|ListItem|Blockquote)$/.test(block.parent.name)) block = block.parent;
  const isInside = !block.type.isTop && at < block.to;
  return isInside && (/^(?:Table|LinkReference)$/.test(block.name) || OPEN_TAG.test(text.slice(block.from, at)));
}

export function markdownPoint(tree: Tree, text: string, offset: number, isMdx: boolean): MarkdownPoint {
  const line = lineAt(text, offset);
  const fence = fenceOn(tree, line);
  const mark = [fence?.open, fence?.close].find((span) => span && span.start >= line.start && span.end <= line.end);
  const isOpening = mark !== undefined && mark === fence?.open;
  const isBehindMarks = mark !== undefined && offset > mark.start;
  const isFenced = fence !== undefined && (mark === undefined || isOpening === isBehindMarks);
  const prefixOfFence = fence && prefixBelow(containerOf(lineAt(text, fence.open.start).text));
  const code = line.start + (/^[ \t>]*/.exec(line.text.slice(0, prefixOfFence?.length ?? 0))?.[0].length ?? 0);
  const head = line.text.slice(0, offset - line.start);
  const own = prefixBelow(containerOf(head));
  const isInNumber = /\d$/.test(head) && containerOf(line.text).length > head.length;
  const at = isBehindMarks ? line.end : (mark?.start ?? Math.max(offset, code));
  return {
    at,
    ...(isFenced && { fence: { ...fence, prefix: prefixOfFence ?? '' } }),
    prefix: prefixOfFence ?? (own || itemAround(text, line)),
    isCut: !isFenced && (isInNumber || isCutAt(tree, text, at, isMdx)),
  };
}
