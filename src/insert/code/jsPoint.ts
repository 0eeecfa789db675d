/** The position of a cursor or selection in a JavaScript or TypeScript program, by its syntax tree. */
import type { SyntaxNode, Tree } from '@lezer/common';
import type { Span } from '../types.ts';
import { codeLineOf, formInJs, literalInTree, type TreeLiteral } from './treeLiteral.ts';

export interface JsPoint {
  /** The literal or comment, or the innermost node around the selection in code. */
  node: SyntaxNode;
  found: TreeLiteral | undefined;
  /** Start of the nearest line at or above the point that begins in code, so that a comment can be inserted above it. */
  codeLine: number;
  /** The name of the property or variable whose value is at the point; empty if there is none. */
  key: string;
}

const OWNER = /^(?:Property|PropertyDeclaration|VariableDeclaration|AssignmentExpression|JSXAttribute)$/;
const NAME = /(?:Name|Definition|Identifier|String)$/;

function lastToken(node: SyntaxNode): SyntaxNode {
  let last = node;
  for (let child = node.lastChild; child !== null; child = child.type.isError ? child.prevSibling : child.lastChild)
    if (!child.type.isError) last = child;
  return last;
}

const isCode = ({ type, name }: SyntaxNode): boolean => !type.isError && !name.endsWith('Comment');

/** @returns the last child that ends before the selection and the first one after it, without comments and errors */
export function siblings(node: SyntaxNode, { start, end }: Span): { prev?: SyntaxNode; next?: SyntaxNode } {
  let prev = node.childBefore(start);
  while (prev && !isCode(prev)) prev = prev.prevSibling;
  let next = node.childAfter(end);
  // An error may be a token that the grammar does not expect, such as a comma without an item before it.
  while (next && !isCode(next)) next = next.firstChild ?? next.nextSibling;
  return { ...(prev && prev.to <= start && { prev }), ...(next && { next }) };
}

function keyOf(text: string, node: SyntaxNode, isLiteral: boolean, span: Span): string {
  const { prev } = siblings(node, span);
  let value = isLiteral ? node : prev && lastToken(prev);
  if (!isLiteral && !/^(?::|Equals|Arrow)$/.test(value?.name ?? '')) return '';
  if (value?.parent?.name === 'ArrowFunction') value = value.parent ?? undefined;
  if (!OWNER.test(value?.parent?.name ?? '')) return '';
  let name = value?.prevSibling;
  while (name && !NAME.test(name.name)) name = name.prevSibling;
  return name ? text.slice(name.from, name.to).replace(/["']/g, '') : '';
}

export function jsPoint(tree: Tree, text: string, span: Span): JsPoint {
  const found = literalInTree(tree, text, span.start, formInJs);
  let node = found?.node ?? tree.resolveInner(span.start);
  while (!found && node.parent && node.to <= span.end) node = node.parent;
  const key = keyOf(text, node, found !== undefined, span);
  return { node, found, codeLine: codeLineOf(tree, text, span.start), key };
}
