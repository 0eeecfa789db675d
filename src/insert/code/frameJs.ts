/** Ways to write a literal into JavaScript and TypeScript code: as a value, a list item, a member or a statement. */
import type { SyntaxNode } from '@lezer/common';
import { bare, onEmptyLine, type Frame } from './frame.ts';
import { siblings, type JsPoint } from './jsPoint.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { warn, type Written } from '../place.ts';
import type { Span } from '../types.ts';

export type JsFrame = Frame & Required<Pick<Written, 'role'>> & Pick<Written, 'isReparsed'>;

const role = 'value' as const;

interface Site {
  text: string;
  selection: Span;
  node: SyntaxNode;
  prev?: SyntaxNode;
  next?: SyntaxNode;
  head: string;
  lineStart: number;
  indent: string;
  startsLine: boolean;
  /** Whether only a comment follows on the line. */
  endsLine: boolean;
  /** Start of a new line below; one level deeper after an opening brace. */
  below: string;
}

function siteOf(text: string, node: SyntaxNode, selection: Span, step: string): Site {
  const line = lineAt(text, selection.start);
  const { prev, next } = siblings(node, selection);
  const head = text.slice(line.start, selection.start);
  const indent = leadingWhite(line.text);
  const tail = text.slice(selection.end, lineAt(text, selection.end).end).trimStart();
  return {
    ...{ text, selection, node, head, indent, lineStart: line.start, startsLine: isBlank(head) },
    ...(prev && { prev }),
    ...(next && { next }),
    endsLine: tail === '' || tail.startsWith('//'),
    below: `\n${indent}${prev?.name === '{' ? step : ''}`,
  };
}

const isOpening = (node: SyntaxNode | undefined): boolean => node !== undefined && /^[[({]$/.test(node.name);
const isClosing = (node: SyntaxNode | undefined): boolean => node !== undefined && /^[)\]}]$/.test(node.name);
const isItem = (node: SyntaxNode | undefined): node is SyntaxNode =>
  node !== undefined && node.name !== ',' && !isOpening(node) && !isClosing(node);
/** White space that separates the literal from the code before it on the line. */
const gap = ({ head }: Site): string => (/[\s[({]$/.test(head) || head === '' ? '' : ' ');
const commaAfter = ({ prev }: Site): Pick<Frame, 'commaAt'> => (isItem(prev) ? { commaAt: prev.to } : {});

function hasError(node: SyntaxNode): boolean {
  let found = false;
  node.cursor().iterate(({ type }) => ((found ||= type.isError) ? false : undefined));
  return found;
}

/** Nodes with a value, after which a new line of the same indentation starts something else. */
const OF_VALUE = /^(?:VariableDeclaration|AssignmentExpression|Property(?:Declaration)?|PatternProperty|EnumBody)$/;

/** A value, followed by a comma if another member follows in its position. */
function valueFrames(site: Site): JsFrame[] {
  const { node, next, text, selection, indent } = site;
  const line = lineAt(text, next?.from ?? selection.end);
  const isBelow = line.start > selection.end && leadingWhite(line.text).length <= indent.length;
  const isNextBelow =
    next !== undefined && isBelow && OF_VALUE.test(node.name) && /^[\w$"'#@{]/.test(text.slice(next.from));
  const isMember = /^(?:Property|PatternProperty|EnumBody)$/.test(node.name);
  const value: JsFrame = { ...bare, open: /[\w=:]$/.test(site.head) ? ' ' : '', role, isReparsed: isNextBelow };
  return isMember && next ? [value, { ...value, close: ',' }] : [value];
}

/** Whether a token follows that would be a binary operator after a value. */
const isSignBefore = ({ name, from }: SyntaxNode, text: string): boolean =>
  name === 'UnaryExpression' && /^[-+]\s/.test(text.slice(from, from + 2));

function itemFrames(site: Site): JsFrame[] {
  const { prev, next, text, selection } = site;
  const open = gap(site);
  const isLast = isClosing(next?.name === ',' ? (next.nextSibling ?? undefined) : next);
  if (isItem(prev)) return isLast ? [{ open, close: '', role, ...commaAfter(site) }] : [];
  if (!isItem(next)) return [{ open, close: '', role }];
  if (isSignBefore(next, text)) return [{ open, close: '', role, isReparsed: true }];
  return [{ open, close: /\s/.test(text.charAt(selection.end)) ? ',' : ', ', role }];
}

function propertyFrames(site: Site): JsFrame[] {
  const { prev, next, startsLine, endsLine, indent, below } = site;
  if (isItem(prev) && !endsLine && !isClosing(next)) return [];
  const open = startsLine ? '' : endsLine ? below : gap(site);
  const separator = startsLine ? `,\n${indent}` : ', ';
  const close = next?.name === ',' ? '' : endsLine ? ',' : isItem(next) ? separator : '';
  return [{ open: `${open}sql: `, close, role, ...commaAfter(site) }];
}

/** A class member or statement on its own line, or right before a closing brace. */
function declarationFrames(site: Site, declaration: string): JsFrame[] {
  const { next, startsLine, endsLine, head, indent, below, lineStart } = site;
  if (startsLine && !endsLine) return [{ open: indent + declaration, close: `;\n${head}`, role, lineStart }];
  if (!startsLine && !endsLine && !isClosing(next)) return [];
  return [{ open: (startsLine ? '' : endsLine ? below : gap(site)) + declaration, close: ';', role }];
}

const isDirective = (node: SyntaxNode | undefined): boolean =>
  node?.name === 'ExpressionStatement' && node.firstChild?.name === 'String';

/** After a statement with a semicolon, the literal alone is enough; what follows must not continue it. */
function statementFrames(site: Site): JsFrame[] {
  const { prev, next, startsLine, endsLine, text } = site;
  // Above a directive such as 'use strict', a statement would turn it into a plain string.
  if (isDirective(next) && (prev === undefined || isDirective(prev))) return [];
  if (site.node.name === 'SwitchBody' && isOpening(prev)) return [];
  const isEnded = prev === undefined || /[;{:]/.test(text.charAt(prev.to - 1));
  const isAlone = isEnded && (startsLine ? endsLine : !endsLine && isClosing(next));
  const alone = { ...bare, role: 'statement' as const };
  return isAlone ? [alone, { ...alone, close: ';' }] : declarationFrames(site, 'const sql = ');
}

/** @returns the names that a declaration, a member or a property defines */
function namesOf(node: SyntaxNode | null, text: string): string[] {
  if (node?.name === 'ExportDeclaration') return namesOf(node.lastChild, text);
  const names: string[] = [];
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling)
    if (/Definition$/.test(child.name) || (child.name === 'String' && child.prevSibling === null))
      names.push(text.slice(child.from, child.to).replace(/["']/g, ''));
  return names;
}

/** Whether there is a signature without a body above, whose function or method is below. */
function isBetweenOverloads({ prev, next, text }: Site): boolean {
  const [signature, body] = [prev, next].map((node) => (node?.name === 'ExportDeclaration' ? node.lastChild : node));
  if (!/^(?:Function|Method)Declaration$/.test(signature?.name ?? '') || signature?.getChild('Block')) return false;
  const [name] = namesOf(signature ?? null, text);
  return name !== undefined && name === namesOf(body ?? null, text)[0];
}

function isTaken({ node, selection, text }: Site, name: RegExp): boolean {
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (
      (child.to <= selection.start || child.from >= selection.end) &&
      namesOf(child, text).some((own) => name.test(own))
    )
      return true;
  return false;
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

function framesIn(site: Site): JsFrame[] {
  switch (site.node.name) {
    case 'ArgList':
    case 'ArrayExpression':
      return itemFrames(site);
    case 'ObjectExpression':
      return [...valueFrames(site), ...propertyFrames(site)];
    case 'ClassBody':
      return isBetweenOverloads(site) ? [] : [...valueFrames(site), ...declarationFrames(site, 'sql = ')];
    case 'Script':
    case 'Block':
    case 'SwitchBody':
      return isBetweenOverloads(site) ? [] : [...valueFrames(site), ...statementFrames(site)];
    case 'JSXElement':
    case 'JSXText':
      return [...valueFrames(site), { open: '{', close: '}', role }];
    default:
      return valueFrames(site);
  }
}

/** @returns ways to write a literal at the point, best first; `step` is the white space of one level */
export function jsFrames(text: string, { node, isCut }: JsPoint, selection: Span, step: string): JsFrame[] {
  if (isCut || hasAncestor(node, isUnsupported)) return [];
  const site = siteOf(text, node, selection, step);
  const isInCube = hasAncestor(node, isCallOf(text, 'cube'));
  return framesIn(site).map((frame) => {
    const isProperty = frame.open.endsWith('sql: ');
    const isDuplicate = (isProperty || frame.open.endsWith('const sql = ')) && isTaken(site, /^sql$/);
    const isTable = isProperty && isInCube && isTaken(site, /^sql_?table$/i);
    const isInView = isProperty && hasAncestor(node, isCallOf(text, 'view'));
    const warning = isTable
      ? warn('duplicateKey', 'sql_table')
      : isInView
        ? warn('rootKey', 'views')
        : isDuplicate && warn('duplicateKey', 'sql');
    return {
      ...frame,
      ...onEmptyLine(frame, text, selection, step),
      ...(warning && { warning }),
    };
  });
}
