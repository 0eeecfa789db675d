/** Finds literals and comments of JavaScript, TypeScript and Python in the syntax tree. */
import type { ProgramParser } from './grammars.ts';
import type { SyntaxNode, Tree } from '@lezer/common';
import { lineAt } from '../../shared/text/lines.ts';
import { BACKSLASH_ESCAPES, special, type Escape } from '../literals/decode.ts';
import { BRACES, COMMENTS, FORMATS, quotedForm, raw, tripled, type Form } from '../literals/literalForms.ts';
import { decodeWithin, templateFields, type Found } from '../literals/readLiteral.ts';
import type { Decode } from '../writing.ts';
import { parse } from './verifyCode.ts';

const OPAQUE = /^(?:(?:Format|Template)?String|JSXAttributeValue|(?:Line|Block)?Comment)$/;

/** Escapes of Python, which keeps the backslash of an unknown escape. */
const PYTHON: Escape = [
  String.raw`\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[\s\S])`,
  (match) =>
    /^\\[\dN]/.test(match) ? undefined : /^\\[^abfnrtvxuU\n\\'"]/.test(match) ? match : BACKSLASH_ESCAPES[1](match),
];
/** An attribute of JSX, which has no escapes. */
const attribute = (quote: string): Form => raw(quote, quote, undefined, [special('[&\\n]')]);
export const TEMPLATE_LITERAL = quotedForm('`', { marks: /\$(?=\{)/, isOneLine: false });
const RAW_TEMPLATE = raw('`', '`', undefined, [special('\\\\`'), special('\\$(?=\\{)')]);
/** Replaces characters at which JavaScript ends lines too. */
const unicodeLines = (text: string): string => text.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');

/** Characters that the expressions of a formatted string can't contain before Python 3.12. */
const IN_FORMATTED = special(String.raw`[\\"'#\n]`);

function pythonForm(prefix: string, quote: string, isInFormatted: boolean, format?: keyof typeof FORMATS): Form {
  const form = quote.length === 3 ? tripled(quote.charAt(0)) : quotedForm(quote);
  const fields = /[ft]/i.test(prefix) ? BRACES : format && FORMATS[format];
  const braced = fields?.write ?? ((text: string) => text);
  return {
    ...form,
    write: /r/i.test(prefix) ? braced : (text, ...beside) => form.write(braced(text), ...beside),
    decoder: [
      ...(isInFormatted ? [IN_FORMATTED] : []),
      ...(/b/i.test(prefix) ? [special('[^\\x00-\\x7f]')] : []),
      ...(/r/i.test(prefix) ? [] : [PYTHON]),
      ...(fields?.decoder ?? []),
    ],
    ...(fields?.fields && { fields: fields.fields }),
  };
}

/** Chooses the form of a literal by its node and the start of its text. */
type FormOf = (text: string, node: SyntaxNode, prefix: string, quote: string) => Form;

const isPlus = (text: string, { name, from, to }: SyntaxNode): boolean =>
  name === 'ArithOp' && text.slice(from, to) === '+';

/** Whether the node consists of strings that are joined, by a plus sign or by being adjacent. */
const isJoined = (text: string, { name, node }: SyntaxNode): boolean =>
  name === 'ContinuedString' ||
  (name === 'BinaryExpression' && node.getChildren('ArithOp').some((each) => isPlus(text, each)));

/** How the fields of a string are marked that is formatted by `%` or `format()`, possibly joined with others. */
function formatOf(text: string, string: SyntaxNode): keyof typeof FORMATS | undefined {
  let node = string;
  while (node.parent && (node.parent.name === 'ParenthesizedExpression' || isJoined(text, node.parent)))
    node = node.parent;
  const { parent, nextSibling: operator } = node;
  if (operator === null || parent?.firstChild?.from !== node.from) return undefined;
  const rest = text.slice(operator.from, parent.to);
  if (parent.name === 'BinaryExpression' && rest.startsWith('%')) return 'percent';
  return parent.name === 'MemberExpression' && /^\.\s*format$/.test(rest) ? 'format' : undefined;
}

const STRING = /^(?:Format|Template)?String$/;

/** The character of the joined literal before or after a literal; empty if there is none. */
function characterBeside(text: string, literal: SyntaxNode, side: 'prevSibling' | 'nextSibling'): string {
  let node = literal;
  let next: SyntaxNode | null = null;
  while (next === null && node.parent && isJoined(text, node.parent)) {
    next = node[side];
    while (next && (next.name === 'Comment' || isPlus(text, next))) next = next[side];
    node = node.parent;
  }
  while (next && !STRING.test(next.name)) next = side === 'prevSibling' ? next.lastChild : next.firstChild;
  if (next === null) return '';
  const source = text.slice(next.from, next.to);
  if (side === 'nextSibling') return source.replace(/^[a-z]{0,2}["'`]+/i, '').charAt(0);
  return /(?<!\\n)(.)["'`]{1,3}$/.exec(source.slice(-5))?.[1] ?? '';
}

export const formInPython: FormOf = (text, node, prefix, quote) => {
  const isInFormatted = hasAncestor(node, ({ name }) => name === 'FormatReplacement');
  return pythonForm(prefix, quote, isInFormatted, formatOf(text, node));
};

export const formInJs: FormOf = (text, { name, parent }, _prefix, quote) => {
  if (name === 'JSXAttributeValue') return attribute(quote);
  if (name === 'String') {
    const form = quotedForm(quote);
    return { ...form, write: (written) => unicodeLines(form.write(written)) };
  }
  const isRaw = parent?.name === 'TaggedTemplateExpression' && text.startsWith('String.raw', parent.from);
  return isRaw ? RAW_TEMPLATE : TEMPLATE_LITERAL;
};

export function hasAncestor(node: SyntaxNode, matches: (node: SyntaxNode) => boolean): boolean {
  for (let around: SyntaxNode | null = node; around !== null; around = around.parent) if (matches(around)) return true;
  return false;
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

/** The innermost literal or comment that starts before the offset and reaches it; undefined in code within a template. */
function nodeAround(tree: Tree, offset: number): SyntaxNode | undefined {
  for (let node: SyntaxNode | null = tree.resolveInner(offset, -1); node !== null; node = node.parent) {
    if (node.name === 'Interpolation' && offset < node.to) return undefined;
    if (OPAQUE.test(node.name)) return node;
  }
  return undefined;
}

export interface TreeLiteral extends Found {
  node: SyntaxNode;
}

export function literalInTree(tree: Tree, text: string, offset: number, formOf: FormOf): TreeLiteral | undefined {
  const node = nodeAround(tree, offset);
  if (node === undefined) return undefined;
  const { from: open, to: next } = node;
  const [opening = '', prefix = '', quote = ''] =
    /^(?:\/[/*]|#|([a-z]{0,2})("""|'''|["'`]))/i.exec(text.slice(open, open + 5)) ?? [];
  const form = COMMENTS[opening] ?? formOf(text, node, prefix, quote);
  const isClosed = text.endsWith(quote, next) && node.lastChild?.type.isError !== true;
  const start = open + opening.length;
  const nodes = childrenOf(node).map(({ from, to }) => ({ start: from, end: to }));
  const joint = [...nodes, ...templateFields(text, form, start, next)];
  const end = next - (isClosed ? quote.length : 0);
  if (offset < start || offset > end) return undefined;
  const beside = [characterBeside(text, node, 'prevSibling'), characterBeside(text, node, 'nextSibling')] as const;
  return { form, node, open, start, end, next, isClosed, joint, beside };
}

/** @returns start of the nearest line at or above the offset that begins outside of literals, comments and JSX */
export function codeLineOf(tree: Tree, text: string, offset: number): number {
  const { start } = lineAt(text, offset);
  const at = tree.resolveInner(start);
  const isInElement = /^JSX(?!Escape)/.test(at.name) && at.from < start;
  const around = nodeAround(tree, start) ?? (isInElement ? at : undefined);
  if (around) return codeLineOf(tree, text, around.from);
  const isContinued = start > 1 && text.startsWith('\\\n', start - 2);
  return isContinued ? codeLineOf(tree, text, start - 1) : start;
}

export const decodeProgram =
  (parser: ProgramParser, formOf: FormOf): Decode =>
  (after, range, { literalAt = 0, keeps }) => {
    const found = literalInTree(parse(parser, after), after, range.start + literalAt, formOf);
    if (keeps === undefined && found?.node.parent?.name === 'ExpressionStatement') return undefined;
    return found && decodeWithin(after, range, found);
  };
