/** Ways to write a literal into JavaScript and TypeScript code: as a value, a list item, a member or a statement. */
import type { SyntaxNode } from '@lezer/common';
import { newLine, onEmptyLine, unsupportedWrapper, type Wrapper } from './wrapper.ts';
import { siblings, type JsPoint } from './jsPoint.ts';
import { childrenOf, hasAncestor } from './treeLiteral.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { warn, type WriteRequest } from '../writing.ts';
import type { InsertWarning } from '../types.ts';

function siteOf(node: SyntaxNode, request: WriteRequest) {
  const { text, selection } = request;
  const line = lineAt(text, selection.start);
  const head = text.slice(line.start, selection.start);
  const tail = text.slice(selection.end, lineAt(text, selection.end).end).trimStart();
  const startsLine = isBlank(head);
  const endsLine = tail === '' || tail.startsWith('//');
  /** White space that separates the literal from the code before it on the line. */
  const gap = /[\s[({]$/.test(head) || head === '' ? '' : ' ';
  return {
    ...siblings(node, selection),
    ...{ text, node, selection, line, startsLine, endsLine, gap },
    indent: leadingWhite(line.text),
    /** White space before a new member or statement. */
    lead: startsLine ? '' : endsLine ? newLine(request) : gap,
  };
}
type JsSite = ReturnType<typeof siteOf>;

const isItem = (node: SyntaxNode | undefined): node is SyntaxNode =>
  node !== undefined && !/^[,[\](){}]$/.test(node.name);
const commaAfter = ({ prev }: JsSite): Pick<Wrapper, 'commaAt'> => (isItem(prev) ? { commaAt: prev.to } : {});

/** Nodes that end with a value. If it is missing, the next line with the same indentation is parsed as the value. */
const OF_VALUE = /^(?:VariableDeclaration|AssignmentExpression|Property(?:Declaration)?|PatternProperty|EnumBody)$/;

/** A value, followed by a comma if another member follows in its position. */
function valueWrappers({ node, next, text, selection, line, indent }: JsSite): Wrapper[] {
  const nextLine = next && lineAt(text, next.from);
  const isReparsed =
    nextLine !== undefined &&
    nextLine.start > selection.end &&
    leadingWhite(nextLine.text).length <= indent.length &&
    OF_VALUE.test(node.name) &&
    /^\s*[\w$"'#@{]/.test(nextLine.text);
  const open = /[\w=:]$/.test(text.slice(line.start, selection.start)) ? ' ' : '';
  const value: Wrapper = { open, close: '', isReparsed };
  return /^(?:Property|PatternProperty|EnumBody)$/.test(node.name) ? [value, { ...value, close: ',' }] : [value];
}

function itemWrapper(site: JsSite): Wrapper {
  const { prev, next, text, selection, gap: open } = site;
  if (isItem(prev) || !isItem(next)) return { open, close: '', ...commaAfter(site) };
  return { open, close: /\s/.test(text.charAt(selection.end)) ? ',' : ', ' };
}

/** Matches properties of a cube whose object has the names of members as keys. */
const COLLECTIONS = /^(?:measures|dimensions|segments|joins|pre_?aggregations|hierarchies)$/i;

function propertyWrapper(site: JsSite): Wrapper {
  const { node, next, text, startsLine, endsLine, indent, lead } = site;
  const separator = startsLine ? `,\n${indent}` : ', ';
  const close = next?.name === ',' ? '' : endsLine ? ',' : isItem(next) ? separator : '';
  const isInCube = isInCall(node, text, 'cube');
  const owner = node.parent?.name === 'Property' ? node.parent.firstChild : null;
  if (isInCube && owner && COLLECTIONS.test(text.slice(owner.from, owner.to))) return unsupportedWrapper;
  let warning = isInCall(node, text, 'view') ? warn('rootKey', 'views') : duplicateIn(site);
  if (isInCube && isTaken(site, /^sql_?table$/i)) warning = warn('duplicateKey', 'sql_table');
  return { open: `${lead}sql: `, close, ...commaAfter(site), warning };
}

/** A class member or statement on its own line, or right before a closing brace. */
function declarationWrapper(
  { startsLine, endsLine, text, selection, line, indent, lead }: JsSite,
  open: string,
): Wrapper {
  if (!startsLine || endsLine) return { open: lead + open, close: ';' };
  return { open: indent + open, close: `;\n${text.slice(line.start, selection.start)}`, lineStart: line.start };
}

function statementWrappers(site: JsSite): Wrapper[] {
  const { node, prev, next } = site;
  // Above a directive such as 'use strict', a statement would turn it into a plain string.
  if (next?.name === 'ExpressionStatement' && next.firstChild?.name === 'String') return [];
  if (node.name === 'SwitchBody' && prev?.name === '{') return [];
  return [{ ...declarationWrapper(site, 'const sql = '), warning: duplicateIn(site) }];
}

/** Matches nodes that define the names in them for the block around. */
const DEFINES = /Declaration$|Pattern|^ImportGroup$/;

/** @returns the names that a declaration, a member, a property or a list of parameters defines */
function namesOf(node: SyntaxNode, text: string): string[] {
  return childrenOf(node).flatMap((child) => {
    const { name, from, to, prevSibling } = child;
    if (DEFINES.test(name)) return namesOf(child, text);
    const isName = name.endsWith('Definition') || (name === 'String' && prevSibling === null);
    // The question mark of an optional name is masked, and parsed as a part of it.
    return isName ? [text.slice(from, to).replace(/["'?]/g, '')] : [];
  });
}

/** Whether the neighbors are signatures of one function or method. */
function isBetweenOverloads({ prev, next, text }: JsSite): boolean {
  const [name] = prev ? namesOf(prev, text) : [];
  return name !== undefined && next !== undefined && name === namesOf(next, text)[0];
}

function isTaken({ node, selection, text }: JsSite, name: RegExp): boolean {
  const all = [...childrenOf(node), ...(node.parent?.getChildren('ParamList') ?? [])];
  const isOther = ({ name: type, from, to }: SyntaxNode): boolean =>
    type !== 'Block' && (to <= selection.start || from >= selection.end);
  const others = all.filter(isOther);
  return others.some((child) => namesOf(child, text).some((own) => name.test(own)));
}

const duplicateIn = (site: JsSite): InsertWarning | undefined =>
  isTaken(site, /^sql$/) ? warn('duplicateKey', 'sql') : undefined;

const isInCall = (node: SyntaxNode, text: string, name: string): boolean =>
  hasAncestor(
    node,
    ({ name: type, firstChild }) =>
      type === 'CallExpression' && firstChild !== null && text.slice(firstChild.from, firstChild.to) === name,
  );

/** Whether it declares only types, or follows code that the grammar can't parse. */
const isUnsupported = ({ name, prevSibling }: SyntaxNode): boolean =>
  name === 'AmbientDeclaration' ||
  (name === 'Block' && prevSibling?.name === 'ExpressionStatement' && prevSibling.getChild('⚠') !== null);

function memberWrappers(site: JsSite): Wrapper[] {
  switch (site.node.name) {
    case 'ObjectExpression':
      return [propertyWrapper(site)];
    case 'ClassBody':
      return isBetweenOverloads(site) ? [] : [declarationWrapper(site, 'sql = ')];
    case 'Script':
    case 'Block':
    case 'SwitchBody':
      return isBetweenOverloads(site) ? [] : statementWrappers(site);
    case 'JSXAttribute':
    case 'JSXOpenTag':
    case 'JSXSelfClosingTag':
      return site.text.charAt(site.selection.start - 1) === '=' ? [{ open: '{', close: '}' }] : [];
    default:
      return [];
  }
}

/** @returns ways to write a literal at the point, best first */
export function jsWrappers({ node }: JsPoint, request: WriteRequest): Wrapper[] {
  if (node.name === 'ObjectType' || hasAncestor(node, isUnsupported)) return [];
  const site = siteOf(node, request);
  const wrappers = /^(?:ArgList|ArrayExpression)$/.test(node.name)
    ? [itemWrapper(site)]
    : [...valueWrappers(site), ...memberWrappers(site)];
  return wrappers.map((wrapper) => onEmptyLine(wrapper, request));
}
