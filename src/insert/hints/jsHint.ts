/** Writes a hint into a data model in JavaScript. */
import type { SyntaxNode } from '@lezer/common';
import type { ProgramParser } from '../code/grammars.ts';
import { jsPoint, type JsPoint } from '../code/jsPoint.ts';
import { decodeProgram } from '../code/treeLiteral.ts';
import { parse } from '../code/verifyCode.ts';
import { writeJs, writeJsProperty } from '../code/writeJs.ts';
import type { WriteRequest, Written } from '../place.ts';
import { lineAt } from '../../shared/text/lines.ts';
import type { TextEdit } from '../types.ts';
import { inOrder, verifier, verifyWith } from '../verify.ts';
import type { HintWriting } from './hint.ts';

export function writeJsHint(parser: ProgramParser, writing: HintWriting): TextEdit[] | undefined {
  const { document, hint: sql, options } = writing;
  const { text } = document;
  const found = descend(objectAt(parse(parser, text).resolveInner(writing.at, 1), writing.at), writing.path, text);
  if (found === undefined) return undefined;
  const { object, value, missing } = found;
  const selection = value ? { start: value.from + 1, end: value.to - 1 } : cursorIn(object, text);
  const point = jsPoint(parse(parser, text), text, selection);
  const request = { text, selection, sql, options };
  const verify = verifier(request, verifyWith(parser), decodeProgram(parser, false));
  for (const written of value ? writeJs(point, request) : writeProperty(missing, point, request)) {
    if (written.warnings.length === 0 && verify(written) === true) return inOrder(written.edits);
  }
  return undefined;
}

/** @param missing keys that do not exist, from the object to the hint */
function writeProperty([key, ...inner]: readonly string[], point: JsPoint, request: WriteRequest): Iterable<Written> {
  const label = [`${key}: `, ...inner.map((each) => `{ ${each}: `)].join('');
  return writeJsProperty(point, request, label, ' }'.repeat(inner.length));
}

function objectAt(node: SyntaxNode, at: number): SyntaxNode | undefined {
  for (let around: SyntaxNode | null = node; around !== null && around.from >= at; around = around.parent)
    if (around.name === 'ObjectExpression' && around.from === at) return around;
  return undefined;
}

interface Found {
  /** The innermost object that exists. */
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

/** After the opening brace, unless the first property or a comment is on its line. */
function cursorIn(object: SyntaxNode, text: string): { start: number; end: number } {
  const after = object.from + 1;
  const rest = text.slice(after, lineAt(text, after).end).trim();
  const first = object.getChild('Property');
  const start = first && rest !== '' ? first.from : after;
  return { start, end: start };
}
