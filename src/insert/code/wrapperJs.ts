/** Ways to write a literal into JavaScript and TypeScript code: as a value, a list item, a member or a statement. */
import type { SyntaxNode } from '@lezer/common';
import { noWrapper, indentBelow, onEmptyLine, type Wrapper } from './wrapper.ts';
import { siblings, type JsPoint } from './jsPoint.ts';
import { childrenOf } from './treeLiteral.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { warn } from '../writing.ts';
import type { Span } from '../types.ts';

function siteOf(text: string, node: SyntaxNode, selection: Span, step: string) {
  const line = lineAt(text, selection.start);
  const { prev, next } = siblings(node, selection);
  const head = text.slice(line.start, selection.start);
  const indent = leadingWhite(line.text);
  const tail = text.slice(selection.end, lineAt(text, selection.end).end).trimStart();
  const below = `\n${indentBelow(text, selection, step)}`;
  const endsLine = tail === '' || tail.startsWith('//');
  const startsLine = isBlank(head);
  return { text, selection, node, prev, next, head, indent, below, lineStart: line.start, startsLine, endsLine };
}
type JsSite = ReturnType<typeof siteOf>;

const isOpening = (node: SyntaxNode | undefined): boolean => node !== undefined && /^[[({]$/.test(node.name);
const isClosing = (node: SyntaxNode | undefined): boolean => node !== undefined && /^[)\]}]$/.test(node.name);
const isItem = (node: SyntaxNode | undefined): node is SyntaxNode =>
  node !== undefined && node.name !== ',' && !isOpening(node) && !isClosing(node);
/** White space that separates the literal from the code before it on the line. */
const gap = ({ head }: JsSite): string => (/[\s[({]$/.test(head) || head === '' ? '' : ' ');
const commaAfter = ({ prev }: JsSite): Pick<Wrapper, 'commaAt'> => (isItem(prev) ? { commaAt: prev.to } : {});

function hasError(node: SyntaxNode): boolean {
  let found = false;
  node.cursor().iterate(({ type }) => ((found ||= type.isError) ? false : undefined));
  return found;
}

/** Nodes that end with a value. If it is missing, the next line with the same indentation is parsed as the value. */
const OF_VALUE = /^(?:VariableDeclaration|AssignmentExpression|Property(?:Declaration)?|PatternProperty|EnumBody)$/;

/** A value, followed by a comma if another member follows in its position. */
function valueWrappers(site: JsSite): Wrapper[] {
  const { node, next, text, selection, indent } = site;
  const line = next && lineAt(text, next.from);
  const isNextBelow =
    line !== undefined &&
    line.start > selection.end &&
    leadingWhite(line.text).length <= indent.length &&
    OF_VALUE.test(node.name) &&
    /^\s*[\w$"'#@{]/.test(line.text);
  const isMember = /^(?:Property|PatternProperty|EnumBody)$/.test(node.name);
  const value: Wrapper = { ...noWrapper, open: /[\w=:]$/.test(site.head) ? ' ' : '', isReparsed: isNextBelow };
  return isMember && next ? [value, { ...value, close: ',' }] : [value];
}

/** Whether the node starts with a sign that would be a binary operator after an inserted value. */
const isSignBefore = ({ from }: SyntaxNode, text: string): boolean => /^[-+]\s/.test(text.slice(from, from + 2));

function itemWrappers(site: JsSite): Wrapper[] {
  const { prev, next, text, selection } = site;
  const open = gap(site);
  if (isItem(prev)) return [{ open, close: '', ...commaAfter(site) }];
  if (!isItem(next)) return [{ open, close: '' }];
  if (isSignBefore(next, text)) return [{ open, close: '', isReparsed: true }];
  return [{ open, close: /\s/.test(text.charAt(selection.end)) ? ',' : ', ' }];
}

function propertyWrappers(site: JsSite): Wrapper[] {
  const { next, startsLine, endsLine, indent, below } = site;
  const open = startsLine ? '' : endsLine ? below : gap(site);
  const separator = startsLine ? `,\n${indent}` : ', ';
  const close = next?.name === ',' ? '' : endsLine ? ',' : isItem(next) ? separator : '';
  return [{ open: `${open}sql: `, close, ...commaAfter(site) }];
}

/** A class member or statement on its own line, or right before a closing brace. */
function declarationWrappers(site: JsSite, declaration: string): Wrapper[] {
  const { startsLine, endsLine, head, indent, below, lineStart } = site;
  if (startsLine && !endsLine) return [{ open: indent + declaration, close: `;\n${head}`, lineStart }];
  return [{ open: (startsLine ? '' : endsLine ? below : gap(site)) + declaration, close: ';' }];
}

const isDirective = (node: SyntaxNode | undefined): boolean =>
  node?.name === 'ExpressionStatement' && node.firstChild?.name === 'String';

/** Where a statement can start, the literal alone is one, with a semicolon if the next line would continue it. */
function statementWrappers(site: JsSite): Wrapper[] {
  const { prev, next, startsLine, endsLine, text } = site;
  // Above a directive such as 'use strict', a statement would turn it into a plain string.
  if (isDirective(next)) return [];
  if (site.node.name === 'SwitchBody' && isOpening(prev)) return [];
  const isEnded = prev === undefined || /[;{:]/.test(text.charAt(prev.to - 1));
  const isAlone = isEnded && (startsLine ? endsLine : !endsLine && isClosing(next));
  const alone = { ...noWrapper, isStatement: true };
  return isAlone ? [alone, { ...alone, close: ';' }] : declarationWrappers(site, 'const sql = ');
}

/** @returns the names that a declaration, a member or a property defines */
function namesOf(node: SyntaxNode, text: string): string[] {
  const declared = node.name === 'ExportDeclaration' ? node.lastChild : node;
  return childrenOf(declared ?? node)
    .filter(({ name, prevSibling }) => name.endsWith('Definition') || (name === 'String' && prevSibling === null))
    .map(({ from, to }) => text.slice(from, to).replace(/["']/g, ''));
}

/** Whether the neighbors are signatures of one function or method. */
function isBetweenOverloads({ prev, next, text }: JsSite): boolean {
  if (prev === undefined || next === undefined) return false;
  const [name] = namesOf(prev, text);
  return name !== undefined && name === namesOf(next, text)[0];
}

function isTaken({ node, selection, text }: JsSite, name: RegExp): boolean {
  const others = childrenOf(node).filter(({ from, to }) => to <= selection.start || from >= selection.end);
  return others.some((child) => namesOf(child, text).some((own) => name.test(own)));
}

function hasAncestor(node: SyntaxNode, matches: (node: SyntaxNode) => boolean): boolean {
  for (let around: SyntaxNode | null = node; around !== null; around = around.parent) if (matches(around)) return true;
  return false;
}

const isCallOf =
  (text: string, name: string) =>
  ({ name: type, firstChild }: SyntaxNode): boolean =>
    type === 'CallExpression' && firstChild !== null && text.slice(firstChild.from, firstChild.to) === name;

/** Whether it declares only types, or follows code that the grammar can't parse. */
const isUnsupported = ({ name, prevSibling }: SyntaxNode): boolean =>
  name === 'AmbientDeclaration' ||
  (name === 'Block' && prevSibling?.name === 'ExpressionStatement' && hasError(prevSibling));

function wrappersIn(site: JsSite): Wrapper[] {
  switch (site.node.name) {
    case 'ArgList':
    case 'ArrayExpression':
      return itemWrappers(site);
    case 'ObjectExpression':
      return [...valueWrappers(site), ...propertyWrappers(site)];
    case 'ClassBody':
      return isBetweenOverloads(site) ? [] : [...valueWrappers(site), ...declarationWrappers(site, 'sql = ')];
    case 'Script':
    case 'Block':
    case 'SwitchBody':
      return isBetweenOverloads(site) ? [] : [...valueWrappers(site), ...statementWrappers(site)];
    case 'JSXElement':
    case 'JSXText':
      return [...valueWrappers(site), { open: '{', close: '}' }];
    default:
      return valueWrappers(site);
  }
}

/** @returns ways to write a literal at the point, best first; `step` is the white space of one level */
export function jsWrappers(text: string, { node }: JsPoint, selection: Span, step: string): Wrapper[] {
  if (hasAncestor(node, isUnsupported)) return [];
  const site = siteOf(text, node, selection, step);
  const isInCube = hasAncestor(node, isCallOf(text, 'cube'));
  return wrappersIn(site).map((wrapper) => {
    const isProperty = wrapper.open.endsWith('sql: ');
    const isDuplicate = (isProperty || wrapper.open.endsWith('const sql = ')) && isTaken(site, /^sql$/);
    const isTable = isProperty && isInCube && isTaken(site, /^sql_?table$/i);
    const isInView = isProperty && hasAncestor(node, isCallOf(text, 'view'));
    const warning = isTable
      ? warn('duplicateKey', 'sql_table')
      : isInView
        ? warn('rootKey', 'views')
        : isDuplicate && warn('duplicateKey', 'sql');
    return {
      ...wrapper,
      ...onEmptyLine(wrapper, text, selection, step),
      ...(warning && { warning }),
    };
  });
}
