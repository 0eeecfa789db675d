/** Writes a hint into a data model in JavaScript. */
import type { SyntaxNode } from '@lezer/common';
import type { ProgramParser } from '../code/grammars.ts';
import { decodeProgram, formInJs, literalInTree, TEMPLATE_LITERAL, type TreeLiteral } from '../code/treeLiteral.ts';
import { parse } from '../code/verifyCode.ts';
import { indentUnit } from '../code/wrapper.ts';
import type { WriteRequest, Written } from '../writing.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import type { TextEdit } from '../types.ts';
import { firstFitting, inOrder, verifier, verifyWith } from '../verify.ts';
import type { HintWriting } from './hint.ts';

export function writeJsHint(parser: ProgramParser, writing: HintWriting): TextEdit[] | undefined {
  const { document, hint: sql, options } = writing;
  const { text } = document;
  const tree = parse(parser, text);
  const found = descend(objectOf(tree.resolveInner(writing.at, 1)), writing.path, text);
  if (found === undefined) return undefined;
  const { value } = found;
  const selection = value ? { start: value.from + 1, end: value.to - 1 } : cursorIn(found.object, text);
  const request = { text, selection, sql, options };
  const literal = value && literalInTree(tree, text, selection.start, formInJs);
  const ways = literal ? [writeLiteral(literal, request)] : [writeProperty(found, request)];
  const verify = verifier(request, verifyWith(parser), decodeProgram(parser, formInJs));
  const written = firstFitting(ways, verify);
  return written.warnings.length === 0 ? inOrder(written.edits) : undefined;
}

const writeLiteral = ({ form, end }: TreeLiteral, { text, selection, sql }: WriteRequest): Written => ({
  edits: [{ ...selection, text: form.write(sql) }],
  warnings: [],
  keeps: text.length - end,
});

/** Adds a property with the missing keys, above or before the first property. */
function writeProperty({ object, missing }: Found, { text, selection, sql, options }: WriteRequest): Written {
  const [key, ...inner] = missing;
  const open = [`${key}: `, ...inner.map((each) => `{ ${each}: `)].join('');
  const property = `${open}\`${TEMPLATE_LITERAL.write(sql)}\`${' }'.repeat(inner.length)}`;
  const line = lineAt(text, selection.start);
  const indent = leadingWhite(line.text);
  const isAtStart = isBlank(text.slice(line.start, selection.start));
  const [before, after] = isBlank(text.slice(selection.end, line.end))
    ? [`\n${indent}${indentUnit(options)}`, ',']
    : ['', object.getChild('Property') === null ? '' : isAtStart ? `,\n${indent}` : ', '];
  const edits = [{ ...selection, text: before + property + after }];
  return { edits, warnings: [], literalAt: before.length + open.length + 1 };
}

/** @param brace the first token of the object */
function objectOf({ from, parent }: SyntaxNode): SyntaxNode | undefined {
  return parent?.name === 'ObjectExpression' && parent.from === from ? parent : undefined;
}

interface Found {
  object: SyntaxNode;
  /** The literal with the previous hint. */
  value?: SyntaxNode;
  missing: readonly string[];
}

/** @returns undefined if a value on the path is code */
function descend(object: SyntaxNode | undefined, path: readonly string[], text: string): Found | undefined {
  const [key, ...rest] = path;
  if (object === undefined || key === undefined) return undefined;
  const property = object.getChildren('Property').find((each) => keyOf(each, text) === key);
  if (property === undefined) return { object, missing: path };
  const value = property.lastChild;
  if (value?.name === 'ObjectExpression') return descend(value, rest, text);
  const isPlain = value?.name === 'String' || (value?.name === 'TemplateString' && !value.getChild('Interpolation'));
  return isPlain && rest.length === 0 ? { object, value, missing: [] } : undefined;
}

const keyOf = ({ firstChild: key }: SyntaxNode, text: string): string =>
  key ? text.slice(key.from, key.to).replace(/^["']|["']$/g, '') : '';

/** The insertion point in an object: after its brace, or before a first property on the same line. */
function cursorIn(object: SyntaxNode, text: string): { start: number; end: number } {
  const after = object.from + 1;
  const rest = text.slice(after, lineAt(text, after).end).trim();
  const first = object.getChild('Property');
  const start = first && rest !== '' ? first.from : after;
  return { start, end: start };
}
