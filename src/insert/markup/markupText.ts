/** Finds the text around a cursor in XML, HTML and components by the syntax tree. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { childrenOf } from '../code/treeLiteral.ts';
import { meaning, special, type Decoder } from '../literals/decode.ts';
import { raw, replacing, type Form } from '../literals/literalForms.ts';
import type { Found } from '../literals/readLiteral.ts';
import { hasJinja } from '../../shared/text/jinja.ts';
import { openBracketAt } from '../writing.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '{': '&#123;',
  '}': '&#125;',
};
const CHARACTERS = new Map(Object.entries(ENTITIES).map(([character, entity]) => [entity, character]));
const FROM_ENTITIES: Decoder = [
  [Object.values(ENTITIES).join('|'), (entity) => CHARACTERS.get(entity)],
  special('&#?\\w+;'),
];
const escaped = (characters: string): Form => {
  const escape = (character: string): string =>
    (characters.includes(character) ? ENTITIES[character] : undefined) ?? character;
  return raw('', '', (text) => text.replace(/[^\w ]/g, escape), FROM_ENTITIES);
};

interface Kind {
  /** The form, or the characters to escape. */
  form: Form | string;
  /**
   * Matches the names of the adjacent nodes that form one text. `open` and `close` are the lengths of its delimiters.
   */
  nodes: RegExp;
  open: number;
  close: number;
}
const TEXT: Kind = {
  form: '&<>',
  nodes: /^(?:Text|TextareaText|\w+Reference)$/,
  open: 0,
  close: 0,
};
const ATTRIBUTE = '&<>"\'\n';
const KINDS: readonly Kind[] = [
  TEXT,
  { form: ATTRIBUTE, nodes: /^AttributeValue$/, open: 1, close: 1 },
  { form: { ...raw(''), isComment: true }, nodes: /^Comment$/, open: 4, close: 3 },
  {
    form: raw('', '', replacing(/\]\]>/g, ']]]]><![CDATA[>'), [meaning(String.raw`\]\]><!\[CDATA\[`, '')]),
    nodes: /^Cdata$/,
    open: 9,
    close: 3,
  },
];

/**
 * Elements that browsers move text out of, and those of Vue that must contain a single element. Text after a
 * `HEAD_ELEMENT` would end the head of the page.
 */
const NO_TEXT = /^(?:html|head|table|thead|tbody|tfoot|tr|colgroup|script|style|transition|keep-?alive)$/i;
const HEAD_ELEMENT = /^(?:base|link|meta)$/i;

/** Elements that can't contain a comment: those with only text, and one of Vue that must contain a single node. */
const NO_COMMENT = /^(?:script|style|textarea|title|keep-?alive)$/i;

/** Matches a template of Vue in another language than HTML, such as Pug. */
const OTHER_TEMPLATE = /^<template\b[^>]*\slang\s*=\s*["']?(?!html)\w/i;

export interface MarkupRules {
  /** Whether a file has a single root, like XML. */
  hasRoot: boolean;
  /** Whether text outside of all elements is displayed. */
  hasFreeText: boolean;
  /** Whether there are expressions in braces, and in some attributes. */
  hasExpressions: boolean;
}
/** Matches attributes whose value is code, and names of slots, which can't contain a line break. */
const DIRECTIVE = /^(?:[:@#]|v-|(?:on|bind|use|in|out|transition|animate|let|class|style):|slot\b)/;

/** Matches an element of Vue that must directly follow another one, except for comments. */
const ELSE = /^(?:\s|<!--(?:[^-]|-(?!->))*-->)*<[^<>]*\sv-else/;
/** Matches the default slot of a component of Vue, which then contains no text. */
const DEFAULT_SLOT = /^<template\s[^<>]*(?:#default|v-slot(?::default)?)(?:[=\s]|>)/;

/** Matches an attribute with the language of a script, style or template. */
const LANGUAGE = /^<(?:script|style|template)\b[^]*\s(?:lang|type)\s*=\s*$/i;

export function tagName(element: SyntaxNode | null, text: string): string {
  const name = element?.firstChild?.getChild('TagName');
  return name ? text.slice(name.from, name.to) : '';
}

/** @returns the form of an attribute, or of text with other characters to escape */
export const escapedIn = ({ hasExpressions }: MarkupRules, characters = ATTRIBUTE): Form =>
  escaped(characters + (hasExpressions ? '{}' : ''));

function takesText(container: SyntaxNode, text: string, offset: number, rules: MarkupRules): boolean {
  if (rules.hasRoot) return container.name === 'Element';
  let before = container.childBefore(offset + 1);
  while (before && (TEXT.nodes.test(before.name) || before.from >= offset)) before = before.prevSibling;
  if (HEAD_ELEMENT.test(tagName(before, text)) || OTHER_TEMPLATE.test(text.slice(container.from, offset))) return false;
  if (ELSE.test(text.slice(offset))) return false;
  if (container.getChildren('Element').some(({ from, to }) => DEFAULT_SLOT.test(text.slice(from, to)))) return false;
  if (container.name === 'Element') return !NO_TEXT.test(tagName(container, text));
  const root = container.getChild('Element');
  // A template of Jinja is part of a page, and a component may start with a block in braces.
  const isPart = root !== null && (root.from < offset || hasJinja(text.slice(0, offset)));
  return rules.hasFreeText && isPart && !/^html$/i.test(tagName(root, text));
}

/** Whether a comment is possible at the offset: between elements, and not in braces. */
export function takesComment(tree: Tree, text: string, offset: number): boolean {
  const node = tree.resolveInner(offset);
  const isText = node.name === 'Text';
  const container = isText ? node.parent : node;
  if (!container || (isText && openBracketAt(text.slice(node.from, offset), '{') >= 0)) return false;
  if (OTHER_TEMPLATE.test(text.slice(container.from, offset))) return false;
  return container.type.isTop || (container.name === 'Element' && !NO_COMMENT.test(tagName(container, text)));
}

/** The adjacent nodes of a kind around the offset. */
function runAround(container: SyntaxNode, offset: number, { nodes }: Kind): SyntaxNode[] {
  let run: SyntaxNode[] = [];
  for (let child = container.firstChild; child !== null; child = child.nextSibling)
    if (nodes.test(child.name)) run.push(child);
    else if (child.from >= offset) break;
    else run = [];
  return run;
}

/** @returns the text, attribute, comment or section at the offset; undefined if SQL would not be text there */
export function textInMarkup(tree: Tree, text: string, offset: number, rules: MarkupRules): Found | undefined {
  let node = tree.resolveInner(offset);
  if (/Reference$/.test(node.name) && node.parent) node = node.parent;
  const kind = KINDS.find(({ nodes }) => nodes.test(node.name)) ?? TEXT;
  const container = kind.nodes.test(node.name) ? node.parent : node;
  if (container === null || (kind === TEXT && !takesText(container, text, offset, rules))) return undefined;
  const begin = kind === TEXT ? (container.getChild('OpenTag')?.to ?? 0) : node.from;
  const isSlot = text.startsWith('<slot', container.parent?.from);
  const isDirective = kind !== TEXT && (isSlot || DIRECTIVE.test(text.slice(container.from, node.from)));
  if (LANGUAGE.test(text.slice(container.parent?.from, node.from))) return undefined;
  if (rules.hasExpressions && (isDirective || openBracketAt(text.slice(begin, offset), '{') >= 0)) return undefined;
  const run = runAround(container, offset, kind);
  const [open, next] = [run[0]?.from ?? offset, run.at(-1)?.to ?? offset];
  const [start, end] = [open + kind.open, next - kind.close];
  if (offset < start || offset > end) return undefined;
  const form = typeof kind.form === 'string' ? escapedIn(rules, kind.form) : kind.form;
  const joint = [...run, ...run.flatMap(childrenOf)]
    .filter(({ name }) => name.endsWith('Reference'))
    .map(({ from, to }) => ({ start: from, end: to }));
  return { form, open, start, end, next, isClosed: true, joint };
}
