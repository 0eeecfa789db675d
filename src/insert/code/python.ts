/** Finds the position of the cursor in Python, and whether a literal is possible there, in the tree of the file. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { lineAt } from '../../shared/text/lines.ts';

export interface PythonPlace {
  kind: 'pythonString' | 'pythonCode' | 'pythonComment';
  /** Of the literal around the cursor: lowercase prefix, quote, offset of its text. */
  prefix: string;
  quote: string;
  start: number;
  /** Whether it is in an expression of a formatted string literal. */
  isInReplacement: boolean;
  /** Start of the last line that starts in code, above which a comment is possible. */
  codeLine: number;
}

const STRING = /^(?:Format)?String$/;

/** @returns the prefix and the quote that open a literal */
function openingOf(text: string, { from }: SyntaxNode): { prefix: string; quote: string } {
  const [, prefix = '', quote = ''] = /^([a-z]{0,2})("""|'''|["'])/i.exec(text.slice(from, from + 5)) ?? [];
  return { prefix: prefix.toLowerCase(), quote };
}

/** The nearest node of one of the kinds that starts before the offset and reaches it. */
function around(tree: Tree, offset: number, kinds: RegExp): SyntaxNode | undefined {
  for (const side of [-1, 1] as const)
    for (let node: SyntaxNode | null = tree.resolveInner(offset, side); node !== null; node = node.parent)
      if (node.from < offset && offset <= node.to && kinds.test(node.name)) return node;
  return undefined;
}

/** A line that starts in a literal, or after a backslash, belongs to the line above. */
function codeLineOf(tree: Tree, text: string, offset: number): number {
  const { start } = lineAt(text, offset);
  if (start === 0) return 0;
  const literal = around(tree, start, STRING);
  if (literal !== undefined && start < literal.to) return codeLineOf(tree, text, literal.from);
  return /\\\r?\n$/.test(text.slice(Math.max(0, start - 3), start)) ? codeLineOf(tree, text, start - 1) : start;
}

/** @returns the position of the offset; without a tree, code */
export function pythonPlace(tree: Tree | undefined, text: string, offset: number): PythonPlace {
  const code = {
    kind: 'pythonCode',
    prefix: '',
    quote: '',
    start: offset,
    isInReplacement: false,
    codeLine: 0,
  } as const;
  if (tree === undefined) return code;
  const codeLine = codeLineOf(tree, text, offset);
  if (around(tree, offset, /^Comment$/)) return { ...code, kind: 'pythonComment', codeLine };
  const replacement = around(tree, offset, /^FormatReplacement$/);
  const isInReplacement = replacement !== undefined && (offset < replacement.to || text[offset - 1] !== '}');
  const literal = around(tree, offset, STRING);
  if (literal === undefined) return { ...code, codeLine };
  const { prefix, quote } = openingOf(text, literal);
  const start = literal.from + prefix.length + quote.length;
  const isClosed = literal.to >= start + quote.length && text.slice(start, literal.to).endsWith(quote);
  if (offset < start || offset > literal.to - (isClosed ? quote.length : 0)) return { ...code, codeLine };
  return { kind: 'pythonString', prefix, quote, start, isInReplacement, codeLine };
}
