/** Finds literals and comments of JavaScript, TypeScript and Python in the syntax tree. */
import type { ProgramParser } from './grammars.ts';
import type { SyntaxNode, Tree } from '@lezer/common';
import { lineAt } from '../../shared/text/lines.ts';
import { BACKSLASHES, special, type Escape } from '../literals/decode.ts';
import { BRACES, COMMENTS, quoted, raw, tripled, type Form } from '../literals/literalForms.ts';
import { decodeWithin, type Found } from '../literals/readLiteral.ts';
import type { Decode } from '../writing.ts';
import { parse } from './verifyCode.ts';

const OPAQUE = /^(?:(?:Format|Template)?String|JSXAttributeValue|(?:Line|Block)?Comment)$/;

/** Escapes of Python, which keeps the backslash of an unknown escape. */
const PYTHON: Escape = [
  String.raw`\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[\s\S])`,
  (match) =>
    /^\\[\dN]/.test(match) ? undefined : /^\\[^abfnrtvxuU\n\\'"]/.test(match) ? match : BACKSLASHES[1](match),
];
/** An attribute of JSX, which has no escapes. */
const attribute = (quote: string): Form => raw(quote, quote, undefined, [special('[&\\n]')]);
export const TEMPLATE_LITERAL = quoted('`', { marks: /\$(?=\{)/, isOneLine: false });
const RAW_TEMPLATE = raw('`', '`', undefined, [special('\\\\`'), special('\\$(?=\\{)')]);
/** Replaces characters at which JavaScript ends lines too. */
const unicodeLines = (text: string): string => text.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');

/** Characters that the expressions of a formatted string can't contain before Python 3.12. */
const IN_FORMATTED = special(String.raw`[\\"'#\n]`);

function pythonForm(prefix: string, quote: string, isInFormatted: boolean): Form {
  const form = quote.length === 3 ? tripled(quote.charAt(0)) : quoted(quote);
  const isFormatted = /[ft]/i.test(prefix);
  const braced = isFormatted ? BRACES.write : (text: string) => text;
  return {
    ...form,
    write: /r/i.test(prefix) ? braced : (text, ...beside) => form.write(braced(text), ...beside),
    decoder: [
      ...(isInFormatted ? [IN_FORMATTED] : []),
      ...(/b/i.test(prefix) ? [special('[^\\x00-\\x7f]')] : []),
      ...(/r/i.test(prefix) ? [] : [PYTHON]),
      ...(isFormatted ? BRACES.decoder : []),
    ],
  };
}

/** Chooses the form of a literal by its node and the start of its text. */
type FormOf = (text: string, node: SyntaxNode, prefix: string, quote: string) => Form;

export const formInPython: FormOf = (_text, node, prefix, quote) =>
  pythonForm(
    prefix,
    quote,
    hasAncestor(node, ({ name }) => name === 'FormatReplacement'),
  );

export const formInJs: FormOf = (text, { name, parent }, _prefix, quote) => {
  if (name === 'JSXAttributeValue') return attribute(quote);
  if (name === 'String') {
    const form = quoted(quote);
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
  const joint = childrenOf(node).map(({ from, to }) => ({ start: from, end: to }));
  const end = next - (isClosed ? quote.length : 0);
  return offset < start || offset > end ? undefined : { form, node, open, start, end, next, isClosed, joint };
}

/** @returns start of the nearest line at or above the offset that begins outside of literals, comments and JSX */
export function codeLineOf(tree: Tree, text: string, offset: number): number {
  const { start } = lineAt(text, offset);
  const at = tree.resolveInner(start);
  const isInElement = /^JSX(?!Escape)/.test(at.name) && at.from < start;
  const around = nodeAround(tree, start) ?? (isInElement ? at : undefined);
  if (around) return codeLineOf(tree, text, around.from);
  return text.startsWith('\\\n', start - 2) ? codeLineOf(tree, text, start - 1) : start;
}

export const decodeProgram =
  (parser: ProgramParser, formOf: FormOf): Decode =>
  (after, range, { literalAt = 0, isStatement, keeps }) => {
    const found = literalInTree(parse(parser, after), after, range.start + literalAt, formOf);
    const isPart = keeps === undefined && !isStatement;
    if (isPart && found?.node.parent?.name === 'ExpressionStatement') return undefined;
    return found && decodeWithin(after, range, found);
  };
