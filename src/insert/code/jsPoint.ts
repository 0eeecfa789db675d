/** The position of a cursor or selection in a JavaScript or TypeScript program, by its syntax tree. */
import type { SyntaxNode, Tree } from '@lezer/common';
import type { Span } from '../types.ts';
import { codeLineOf, literalInTree, type TreeLiteral } from './treeLiteral.ts';

export interface JsPoint {
  kind: 'jsTemplate' | 'jsString' | 'jsComment' | 'jsCode';
  /** The literal or comment, or the innermost node around the selection in code. */
  node: SyntaxNode;
  found?: TreeLiteral;
  /**
   * Start of the nearest line at or above the point that begins outside of literals and comments, so that a comment can
   * be inserted above it.
   */
  codeLine: number;
  key?: string;
}

const KINDS: Readonly<Record<string, JsPoint['kind']>> = {
  TemplateString: 'jsTemplate',
  String: 'jsString',
  JSXAttributeValue: 'jsString',
  LineComment: 'jsComment',
  BlockComment: 'jsComment',
};
const OWNER = /^(?:Property|PropertyDeclaration|VariableDeclaration|AssignmentExpression|JSXAttribute)$/;
const NAME = /(?:Name|Definition|Identifier|String)$/;

export function lastToken(node: SyntaxNode): SyntaxNode {
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

function keyOf(text: string, point: Pick<JsPoint, 'kind' | 'node'>, span: Span): string | undefined {
  const { prev } = siblings(point.node, span);
  let value = point.kind === 'jsCode' ? prev && lastToken(prev) : point.node;
  if (point.kind === 'jsCode' && !/^(?::|Equals|Arrow)$/.test(value?.name ?? '')) return undefined;
  if (value?.name === 'Arrow' || value?.parent?.name === 'ArrowFunction') value = value.parent ?? undefined;
  if (!OWNER.test(value?.parent?.name ?? '')) return undefined;
  let name = value?.prevSibling;
  while (name && !NAME.test(name.name)) name = name.prevSibling;
  return name ? text.slice(name.from, name.to).replace(/["']/g, '') : undefined;
}

export function jsPoint(tree: Tree, text: string, span: Span): JsPoint {
  const found = literalInTree(tree, text, span.start, false);
  const codeLine = codeLineOf(tree, text, span.start, false);
  if (found !== undefined && found !== 'interpolation') {
    const kind = KINDS[found.node.name] ?? 'jsString';
    const key = keyOf(text, { kind, node: found.node }, span);
    return { kind, node: found.node, found, codeLine, ...(key === undefined ? {} : { key }) };
  }
  let node = tree.resolveInner(span.start);
  while (node.parent && node.to <= span.end) node = node.parent;
  const key = keyOf(text, { kind: 'jsCode', node }, span);
  return { kind: 'jsCode', node, codeLine, ...(key === undefined ? {} : { key }) };
}
