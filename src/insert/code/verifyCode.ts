/** Compares a program before and after an insertion by parsing both with the grammar of its language. */
import type { ProgramParser } from './grammars.ts';
import { TreeFragment, type Tree } from '@lezer/common';
import { isBlank } from '../../shared/text/lines.ts';
import type { TextEdit } from '../types.ts';

/** Number of characters around the edits in which the program must be unchanged. */
const AROUND = 1000;

interface Parsed {
  parser: ProgramParser;
  text: string;
  tree: Tree;
}

/** The last parsed programs, so that candidates for the same file are parsed incrementally. */
let recent: readonly Parsed[] = [];
const KEPT = 4;

function keep(parsed: Parsed): Tree {
  recent = [parsed, ...recent.filter((other) => other !== parsed)].slice(0, KEPT);
  return parsed.tree;
}

/** @returns the syntax tree of the text, which is cached */
export function parse(parser: ProgramParser, text: string): Tree {
  const known = recent.find((each) => each.parser === parser && each.text === text);
  return keep(known ?? { parser, text, tree: parser.parse(text) });
}

interface Changes {
  from: number;
  to: number;
  delta: number;
}

function parseAfter(parser: ProgramParser, before: Tree, edits: readonly TextEdit[], text: string): Tree {
  let delta = 0;
  const changes = edits.map(({ start, end, text: { length } }) => {
    const [fromB, toB] = [start + delta, start + delta + length];
    delta += length - (end - start);
    return { fromA: start, toA: end, fromB, toB };
  });
  const fragments = TreeFragment.applyChanges(TreeFragment.addTree(before), changes);
  return keep({ parser, text, tree: parser.parse(text, fragments) });
}

/** Nodes by which a literal becomes a part of its neighbor: a tagged template, or a continued string. */
const JOINED = /^(?:TaggedTemplateExpression|ContinuedString)$/;

/** Names of literals and comments in all grammars, and of containers in Markdown. */
const OPAQUE = /String|Template|Literal|TextBlock|Heredoc|Comment|Heading|Table|^ListItem$|^Blockquote$/;

/** Blocks of Markdown that can't interrupt a paragraph, but follow a block that was inserted into it. */
const BLOCK = /^(?:CodeBlock|BulletList|OrderedList)$/;

interface Around {
  /** Nodes completely outside the edits, each with its parent. */
  nodes: string[];
  /** The `nodes` that don't touch the edits, without Markdown code blocks, whose lines are a single node. */
  distant: string[];
  /** Literals and comments that contain the edits. */
  opaque: string[];
  /** Names of all nodes that contain the edits. */
  outer: string[];
  /** Errors that are not next to the edits. */
  farErrors: string[];
  nearErrors: number;
  joined: number;
}

/** Collects the nodes around the edits, at their positions before the edits. */
function around(tree: Tree, text: string, { from, to, delta }: Changes, window: { from: number; to: number }): Around {
  const found: Around = { nodes: [], distant: [], opaque: [], outer: [], farErrors: [], nearErrors: 0, joined: 0 };
  const parents: string[] = [];
  // The error of a missing value may be on the same line behind the code that is parsed in its place.
  const isNear = (node: { from: number; to: number }): boolean =>
    node.to <= from
      ? isBlank(text.slice(node.to, from))
      : !text.slice(to, Math.max(to, node.from)).trimStart().includes('\n');
  tree.iterate({
    ...window,
    enter: (at) => {
      const { type, name, from: start, to: end } = at;
      const parent = parents.at(-1) ?? '';
      parents.push(type.isError ? parent : name);
      if (type.isError) {
        if (isNear({ from: start, to: end })) found.nearErrors += 1;
        else found.farErrors.push(end <= from ? `${start} ${end}` : `${start - delta} ${end - delta}`);
        return;
      }
      if (start <= from && end >= to) found.outer.push(name);
      if (end > from && start < to) {
        if (JOINED.test(name)) found.joined += 1;
        if (start < from && end > to && OPAQUE.test(name)) found.opaque.push(`${name} ${start} ${end - delta}`);
        return;
      }
      if (type.isTop || start === end || start < window.from || end > window.to) return;
      // Edits may split text between tags, or continue a statement or list that ends right before them.
      if (
        /^(?:JSX|Textarea)?Text$/.test(name) ||
        (end <= from && isBlank(text.slice(end, from)) && at.node.firstChild !== null)
      )
        return;
      const owner = /Comment|QuoteMark/.test(name) ? '' : parent;
      const by = end <= from ? 0 : delta;
      const outside = `${name} ${owner} ${start - by} ${end - by}`;
      found.nodes.push(outside);
      if ((end < from || start > to) && name !== 'CodeText') found.distant.push(outside);
    },
    leave: () => void parents.pop(),
  });
  return found;
}

const isSame = (before: readonly string[], after: readonly string[]): boolean =>
  before.length === after.length && before.every((node, at) => node === after[at]);

const hasAll = (after: readonly string[], before: readonly string[]): boolean => {
  const known = new Set(after);
  return before.every((node) => known.has(node));
};

/** Whether the rest of the paragraph that the edits split is another block now. */
function turnsIntoBlock(was: Around, is: Around): boolean {
  if (!was.outer.includes('Paragraph')) return false;
  const known = new Set(was.nodes);
  return is.nodes.some((node) => {
    const [name = ''] = node.split(' ');
    return BLOCK.test(name) && !known.has(node);
  });
}

/**
 * @param options `addsCode` unless only comments are added; `splits` if the edits may split what they are in, as a block does
 * @returns whether the program around the edits is parsed as before
 */
export function verifyCode(
  parser: ProgramParser,
  text: string,
  edits: readonly TextEdit[],
  after: string,
  { addsCode = true, isReparsed = false, splits = false },
): boolean {
  const tree = parse(parser, text);
  const next = parseAfter(parser, tree, edits, after);
  const delta = after.length - text.length;
  const from = Math.min(...edits.map(({ start }) => start));
  const to = Math.max(...edits.map(({ end }) => end));
  const window = { from: Math.max(0, from - AROUND), to: Math.min(text.length, to + AROUND) };
  const was = around(tree, text, { from, to, delta: 0 }, window);
  const is = around(next, after, { from, to: to + delta, delta }, { from: window.from, to: window.to + delta });
  if (is.joined > was.joined) return false;
  if (is.farErrors.some((error) => !was.farErrors.includes(error))) return false;
  const isKept =
    isReparsed ||
    is.nearErrors < was.nearErrors ||
    (splits ? hasAll(is.nodes, was.distant) && !turnsIntoBlock(was, is) : isSame(was.nodes, is.nodes));
  // The errors before the edits may have been in the text that they replace.
  const replaces = edits.some(({ start, end }) => !isBlank(text.slice(start, end)));
  const isRead = is.nearErrors <= (addsCode || replaces ? 0 : was.nearErrors);
  return isKept && isRead && was.opaque.every((node) => is.opaque.includes(node));
}
