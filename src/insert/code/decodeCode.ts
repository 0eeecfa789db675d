/** Decodes literals of JavaScript, TypeScript and Python according to their grammars. */
import type { Parser, SyntaxNode } from '@lezer/common';
import { BACKSLASHES, decodeRange, special, type Decoder, type Escape } from '../literals/decode.ts';
import { BRACES } from '../literals/literalForms.ts';
import type { Written } from '../place.ts';
import type { Span } from '../types.ts';
import { parse } from './verifyCode.ts';

const LITERAL = /^(?:String|TemplateString|FormatString|JSXAttributeValue)$/;
const INTERPOLATION = /^(?:Interpolation|FormatReplacement)$/;

/** Python keeps the backslash of an escape that it doesn't know. */
const PYTHON: Escape = [
  String.raw`\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[\s\S])`,
  (match) =>
    /^\\[\dN]/.test(match) ? undefined : /^\\[^abfnrtvxuU\n\\'"]/.test(match) ? match : BACKSLASHES[1](match),
];

/** @param prefix letters before the quote in Python; `undefined` in JavaScript */
function decoderOf(text: string, { name, parent }: SyntaxNode, prefix: string | undefined): Decoder {
  switch (name) {
    case 'JSXAttributeValue':
      return [special('&#?\\w+;')];
    case 'TemplateString': {
      const isRaw = parent?.name === 'TaggedTemplateExpression' && text.startsWith('String.raw', parent.from);
      return [...(isRaw ? [special('\\\\`')] : [BACKSLASHES]), special(String.raw`\$\{`)];
    }
    default: {
      if (prefix === undefined) return [BACKSLASHES];
      return [...(/r/i.test(prefix) ? [] : [PYTHON]), ...(/[ft]/i.test(prefix) ? BRACES : [])];
    }
  }
}

/**
 * The longest literal in the range, or else the innermost one around it. In some positions its name is in the range
 * too.
 */
function literalAt(parser: Parser, text: string, { start, end }: Span): SyntaxNode | undefined {
  let around: SyntaxNode | undefined;
  let within: SyntaxNode | undefined;
  parse(parser, text).iterate({
    from: start,
    to: end,
    enter: (node) => {
      if (!LITERAL.test(node.name)) return;
      if (node.from < start && node.to > end) around = node.node;
      else if (node.from >= start && node.to <= end && node.to - node.from > (within ? within.to - within.from : 0))
        within = node.node;
    },
  });
  return within ?? around;
}

/** @returns the decoded text of the literal, or of the part of a literal, in this range of a program */
export function decodeProgram(
  parser: Parser,
  text: string,
  range: Span,
  { isPython, role }: { isPython: boolean } & Pick<Written, 'role'>,
): string | undefined {
  const literal = literalAt(parser, text, range);
  if (literal === undefined || (role === 'value' && literal.parent?.name === 'ExpressionStatement')) return undefined;
  const [opening = '', prefix = '', quote = ''] =
    /^([a-z]*)("""|'''|["'`])/i.exec(text.slice(literal.from, literal.from + 8)) ?? [];
  const [start, end] = [literal.from + opening.length, literal.to - (isPython ? quote.length : 1)];
  let from = start;
  for (let child = literal.firstChild; child !== null; child = child.nextSibling)
    if (INTERPOLATION.test(child.name) && child.to <= range.start) from = child.to;
  const within = { start: Math.max(start, range.start), end: Math.min(end, range.end) };
  return decodeRange(text, from, within, decoderOf(text, literal, isPython ? prefix : undefined));
}
