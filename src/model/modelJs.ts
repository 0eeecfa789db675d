/** Parses a JavaScript model file: `cube('orders', { … })` and `view(…)`, wherever they are called. */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/javascript';
import type { LooseText, ModelEntry, ModelNode, ModelOwner, ModelTree } from './modelNode.ts';

const COMMENTS = new Set(['LineComment', 'BlockComment']);

export function parseJsModel(text: string): ModelTree {
  const tree = parser.parse(text);
  const owners: ModelOwner[] = [];
  const bodies = new Set<number>();
  tree.iterate({
    enter: ({ name, node }) => {
      const found = name === 'CallExpression' ? ownerOf(node, text) : undefined;
      if (found === undefined) return true;
      owners.push(found);
      bodies.add(found.node.start);
      return false;
    },
  });
  const loose = looseIn(tree.topNode, text, bodies);
  return { owners, loose };
}

function ownerOf(call: SyntaxNode, text: string): ModelOwner | undefined {
  const callee = call.firstChild!;
  const kind = text.slice(callee.from, callee.to);
  if (kind !== 'cube' && kind !== 'view') return undefined;
  const [first, second] = childrenOf(call.getChild('ArgList'));
  if (first === undefined || second?.name !== 'ObjectExpression' || !isString(first)) return undefined;
  return { kind, name: unquoted(first, text), start: first.from + 1, node: nodeOf(second, text) };
}

const isString = ({ name }: SyntaxNode): boolean => name === 'String' || name === 'TemplateString';
const unquoted = ({ from, to }: SyntaxNode, text: string): string => text.slice(from + 1, to - 1);

/** @returns the children of a node without punctuation and comments */
function childrenOf(node: SyntaxNode | null): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node?.firstChild ?? null; child; child = child.nextSibling)
    if (/^\w/.test(child.name) && !COMMENTS.has(child.name)) children.push(child);
  return children;
}

function nodeOf(node: SyntaxNode, text: string): ModelNode {
  const span = { start: node.from, end: node.to };
  if (node.name === 'ArrayExpression') return { ...span, items: childrenOf(node).map((child) => nodeOf(child, text)) };
  if (node.name === 'ObjectExpression')
    return { ...span, entries: node.getChildren('Property').map((property) => entryOf(property, text)) };
  if (isString(node)) return { ...span, start: node.from + 1, text: unquoted(node, text) };
  return { ...span, text: codeOf(node, text) };
}

/** For a spread, a method or a shorthand property, the value is its code. */
function entryOf(property: SyntaxNode, text: string): ModelEntry {
  const key = property.firstChild!;
  const value = property.lastChild!;
  const isPlain = (key.name === 'PropertyDefinition' || key.name === 'String') && key.nextSibling?.name === ':';
  const name = key.name === 'String' ? unquoted(key, text) : text.slice(key.from, key.to);
  const start = key.name === 'String' ? key.from + 1 : key.from;
  if (isPlain) return { key: name, start, value: nodeOf(value, text) };
  const code = { start: property.from, end: property.to, text: codeOf(property, text) };
  return { key: code.text, start, value: code };
}

/** @returns the code without comments and formatting; quoted text is unchanged */
function codeOf(node: SyntaxNode, text: string): string {
  if (node.firstChild === null || node.name === 'TemplateString') return text.slice(node.from, node.to);
  const parts: string[] = [];
  for (let child: SyntaxNode | null = node.firstChild; child; child = child.nextSibling)
    if (!COMMENTS.has(child.name)) parts.push(codeOf(child, text));
  return parts.join(' ');
}

/** @returns the code outside of cubes and views */
function looseIn(top: SyntaxNode, text: string, bodies: ReadonlySet<number>): LooseText[] {
  const parts: string[] = [];
  top.cursor().iterate(({ name, node }) => {
    if (COMMENTS.has(name) || bodies.has(node.from)) return false;
    if (node.firstChild !== null && name !== 'TemplateString') return true;
    parts.push(text.slice(node.from, node.to));
    return false;
  });
  return [{ start: 0, end: 0, text: parts.join(' ') }];
}
