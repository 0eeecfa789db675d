/** Parses a JavaScript model file: `cube('orders', { … })` and `view(…)`, wherever they are called. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/javascript';
import type { LRParser } from '@lezer/lr';
import { jsNames } from './jsNames.ts';
import type { CodePart, ModelEntry, ModelNode, ModelOwner, ModelTree } from './modelNode.ts';

const COMMENTS = new Set(['LineComment', 'BlockComment']);
const TEXTS = new Set(['String', 'TemplateString']);
const typeScript = parser.configure({ dialect: 'ts' });

export function parseJsModel(text: string, isTypeScript: boolean): ModelTree {
  const tree = parsed(text, isTypeScript ? typeScript : parser);
  const owners: ModelOwner[] = [];
  const generated: CodePart[] = [];
  const declared = new Set<string>();
  let error = tree.length < text.length ? tree.length : undefined;
  tree.iterate({
    enter: ({ type, name, from, to }) => {
      if (type.isError) error ??= from;
      if (name === 'VariableDefinition') declared.add(text.slice(from, to));
    },
  });
  tree.iterate({
    enter: ({ name, from, to, node }) => {
      const kind = name === 'CallExpression' ? calleeOf(node, text) : undefined;
      if (kind !== 'cube' && kind !== 'view') return true;
      const owner = ownerOf(kind, node, text);
      if (owner) owners.push(owner);
      else generated.push({ start: from, end: to, text: codeOf(node, text) });
      return false;
    },
  });
  const bodies = new Map(owners.map(({ node }) => [node.start, node.end]));
  const code = jsNames(tree.topNode, text, (node) => codeWithout(node, text, bodies));
  return { owners, ...code, declared, generated, ...(error === undefined ? {} : { error }) };
}

/** Milliseconds after which the rest of a file is not parsed: text that is not code can take quadratic time. */
const MOST_TIME = 1000;

function parsed(text: string, language: LRParser): Tree {
  const parse = language.startParse(text);
  const start = performance.now();
  for (let step = 1; ; step += 1) {
    const tree = parse.advance();
    if (tree) return tree;
    const isLate = step % 1000 === 0 && parse.stoppedAt === null && performance.now() - start > MOST_TIME;
    if (isLate) parse.stopAt(parse.parsedPos);
  }
}

const calleeOf = (call: SyntaxNode, text: string): string => {
  const callee = call.firstChild!;
  return text.slice(callee.from, callee.to);
};

/** @returns undefined if the name is not text, or if there is no definition */
function ownerOf(kind: ModelOwner['kind'], call: SyntaxNode, text: string): ModelOwner | undefined {
  const [first, second] = childrenOf(call.getChild('ArgList'));
  if (first === undefined || second === undefined || !isString(first)) return undefined;
  const name = unquoted(first, text);
  return name.includes('${') ? undefined : { kind, name, start: first.from + 1, node: nodeOf(second, text) };
}

const isString = ({ name }: SyntaxNode): boolean => TEXTS.has(name);
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
  if (node.name === 'CallExpression' && calleeOf(node, text) === 'Object.assign')
    return { ...span, entries: childrenOf(node.getChild('ArgList')).flatMap((part) => assignedEntries(part, text)) };
  if (isString(node)) return { ...span, start: node.from + 1, text: unquoted(node, text) };
  return { ...span, text: codeOf(node, text) };
}

/** @returns the entries of an argument of `Object.assign`: those of an object, or else one for its code */
function assignedEntries(argument: SyntaxNode, text: string): readonly ModelEntry[] {
  const node = nodeOf(argument, text);
  return node.entries ?? [computedEntry(argument, text)];
}

function entryOf(property: SyntaxNode, text: string): ModelEntry {
  const key = property.firstChild!;
  const value = property.lastChild!;
  const isPlain = (key.name === 'PropertyDefinition' || key.name === 'String') && key.nextSibling?.name === ':';
  if (!isPlain) return computedEntry(property, text);
  const name = key.name === 'String' ? unquoted(key, text) : text.slice(key.from, key.to);
  return { key: name, start: key.name === 'String' ? key.from + 1 : key.from, value: nodeOf(value, text) };
}

/** For a spread, a method, a shorthand property or a computed key. */
function computedEntry(node: SyntaxNode, text: string): ModelEntry {
  const code = { start: node.from, end: node.to, text: codeOf(node, text) };
  return { key: code.text, start: code.start, value: code, isComputed: true };
}

/** @returns the code without comments and formatting; quoted text is unchanged */
function codeOf(node: SyntaxNode, text: string): string {
  return codeWithout(node, text, new Map());
}

/** @param bodies the ends of the parts to omit, by their starts */
function codeWithout(node: SyntaxNode, text: string, bodies: ReadonlyMap<number, number>): string {
  const parts: string[] = [];
  node.cursor().iterate(({ name, from, to, node: inner }) => {
    if (COMMENTS.has(name) || bodies.get(from) === to) return false;
    if (!TEXTS.has(name) && inner.firstChild !== null) return true;
    parts.push(text.slice(from, to));
    return false;
  });
  return parts.join(' ');
}
