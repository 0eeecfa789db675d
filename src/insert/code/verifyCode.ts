/** Compares a program before and after an insertion by parsing both with the grammar of its language. */
import type { ProgramParser } from './grammars.ts';
import { TreeFragment, type Tree } from '@lezer/common';
import { isBlank } from '../../shared/text/lines.ts';
import type { Span, TextEdit } from '../types.ts';

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

/** Names of strings in all grammars, and of containers and headings in Markdown. */
const OPAQUE = /String|Heading|^ListItem$|^Blockquote$/;

/** Blocks of Markdown that can't interrupt a paragraph, but follow a block that was inserted into it. */
const BLOCK = /^(?:CodeBlock|BulletList|OrderedList) /;

/** The nodes around the edits, at their positions before the edits. */
interface Around {
  /** Nodes completely outside the edits, each with its parent. */
  nodes: string[];
  /** The `nodes` that don't touch the edits, without Markdown code blocks, whose lines are a single node. */
  distant: string[];
  /** Strings and containers around the edits. */
  opaque: string[];
  isInParagraph: boolean;
  /** Errors that are not next to the edits. */
  farErrors: string[];
  nearErrors: number;
  joined: number;
}

/** @param by the number of characters that the edits have added, which ended at `to` */
function around(tree: Tree, text: string, { start: from, end: to }: Span, by: number): Around {
  const [first, last] = [Math.max(0, from - AROUND), Math.min(text.length, to + AROUND)];
  const found: Around = {
    ...{ nodes: [], distant: [], opaque: [], farErrors: [] },
    ...{ isInParagraph: false, nearErrors: 0, joined: 0 },
  };
  const parents: string[] = [];
  const isBefore = (end: number): boolean => end <= from && isBlank(text.slice(end, from));
  // The error of a missing value may be on the same line behind the code that is parsed in its place.
  const isNear = (start: number, end: number): boolean =>
    end <= from ? isBefore(end) : !text.slice(to, Math.max(to, start)).trimStart().includes('\n');
  tree.iterate({
    from: first,
    to: last,
    enter: (at) => {
      const { type, name, from: start, to: end } = at;
      const parent = parents.at(-1) ?? '';
      const moved = end <= from ? 0 : by;
      const range = `${start - moved} ${end - moved}`;
      parents.push(type.isError ? parent : name);
      if (start <= from && end >= to && name === 'Paragraph') found.isInParagraph = true;
      if (type.isError) {
        if (isNear(start, end)) found.nearErrors += 1;
        else found.farErrors.push(range);
      } else if (end > from && start < to) {
        if (JOINED.test(name)) found.joined += 1;
        if (start < from && end > to && OPAQUE.test(name)) found.opaque.push(`${name} ${start} ${end - by}`);
      } else if (!type.isTop && start !== end && start >= first && end <= last) {
        // Edits may split text between tags, or continue a statement or list that ends right before them.
        if (name === 'JSXText' || (isBefore(end) && at.node.firstChild !== null)) return;
        const outside = `${name} ${/Comment|QuoteMark/.test(name) ? '' : parent} ${range}`;
        found.nodes.push(outside);
        if ((end < from || start > to) && name !== 'CodeText') found.distant.push(outside);
      }
    },
    leave: () => void parents.pop(),
  });
  return found;
}

function hasAll(all: readonly string[], some: readonly string[]): boolean {
  const known = new Set(all);
  return some.every((each) => known.has(each));
}

/** Whether a block that was inserted into a paragraph keeps the blocks around it. */
function keepsBlocks(was: Around, is: Around): boolean {
  const blocks = was.isInParagraph ? is.nodes.filter((node) => BLOCK.test(node)) : [];
  return hasAll(is.nodes, was.distant) && hasAll(was.nodes, blocks);
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
  const by = after.length - text.length;
  const start = Math.min(...edits.map((edit) => edit.start));
  const end = Math.max(...edits.map((edit) => edit.end));
  const was = around(tree, text, { start, end }, 0);
  const is = around(next, after, { start, end: end + by }, by);
  const isSame = was.nodes.length === is.nodes.length && hasAll(is.nodes, was.nodes);
  const isKept = isReparsed || is.nearErrors < was.nearErrors || (splits ? keepsBlocks(was, is) : isSame);
  // The errors before the edits may have been in the text that they replace.
  const replaces = edits.some((edit) => !isBlank(text.slice(edit.start, edit.end)));
  const isRead = is.nearErrors <= (addsCode || replaces ? 0 : was.nearErrors);
  return (
    isKept && isRead && is.joined <= was.joined && hasAll(was.farErrors, is.farErrors) && hasAll(is.opaque, was.opaque)
  );
}
