/** Compares a program before and after an insertion, as the grammar of its language reads both. */
import { TreeFragment, type Tree } from '@lezer/common';
import type { LRParser } from '@lezer/lr';
import { isBlank } from '../../shared/text/lines.ts';
import type { TextEdit } from '../types.ts';

/** Characters around the edits in which the program must stay what it was. */
const AROUND = 3000;

interface Parsed {
  parser: LRParser;
  text: string;
  tree: Tree;
}

/** The file as it was parsed last, so that the next insertion only parses what has changed. */
let known: Parsed | undefined;

/** @returns the tree of the text, which is kept */
export function parse(parser: LRParser, text: string): Tree {
  if (known?.parser === parser && known.text === text) return known.tree;
  const tree = parser.parse(text);
  known = { parser, text, tree };
  return tree;
}

interface Changes {
  from: number;
  to: number;
  delta: number;
}

function parseAfter(parser: LRParser, before: Tree, edits: readonly TextEdit[], text: string): Tree {
  let delta = 0;
  const changes = edits.map(({ start, end, text: { length } }) => {
    const [fromB, toB] = [start + delta, start + delta + length];
    delta += length - (end - start);
    return { fromA: start, toA: end, fromB, toB };
  });
  const tree = parser.parse(text, TreeFragment.applyChanges(TreeFragment.addTree(before), changes));
  known = { parser, text, tree };
  return tree;
}

/** A literal that is no value of its own: one that a function is called with, or that goes on with the one before it. */
const JOINED = /^(?:TaggedTemplateExpression|ContinuedString)$/;

/** Literals and comments, by their names in all grammars. */
const OPAQUE = /String|Template|Literal|TextBlock|Heredoc|Comment/;

/** What a name belongs to may change with a value that was missing before it. */
const kindOf = (name: string): string => name.replace(/^.*(?:Name|Definition|Identifier)$/, 'name');

interface Around {
  /** Tokens that lie wholly outside the edits. */
  tokens: string[];
  /** Literals and comments that the edits lie in. */
  opaque: string[];
  errors: number;
  /** Errors that are not right beside the edits. */
  farErrors: number;
  joined: number;
}

/** What the tree has around the edits, at the positions that it had before them. */
function around(tree: Tree, text: string, { from, to, delta }: Changes, window: { from: number; to: number }): Around {
  const found: Around = { tokens: [], opaque: [], errors: 0, farErrors: 0, joined: 0 };
  let entered = -1;
  let count = 0;
  const opened: number[] = [];
  const isNear = (node: { from: number; to: number }): boolean =>
    node.to <= from ? isBlank(text.slice(node.to, from)) : node.from >= to ? isBlank(text.slice(to, node.from)) : true;
  tree.iterate({
    ...window,
    enter: (node) => {
      opened.push((entered = count++));
      if (node.type.isError) {
        found.errors += 1;
        if (!isNear(node)) found.farErrors += 1;
      } else if (JOINED.test(node.name)) found.joined += 1;
      if (node.from < from && node.to > to && OPAQUE.test(node.name))
        found.opaque.push(`${node.name} ${node.from} ${node.to - delta}`);
    },
    leave: (node) => {
      const isToken = opened.pop() === entered;
      if (!isToken || node.type.isError || node.type.isTop || node.from === node.to) return;
      if (node.from >= window.from && node.to <= from)
        found.tokens.push(`${kindOf(node.name)} ${node.from} ${node.to}`);
      else if (node.from >= to && node.to <= window.to)
        found.tokens.push(`${kindOf(node.name)} ${node.from - delta} ${node.to - delta}`);
    },
  });
  return found;
}

/**
 * @param edits in order
 * @param addsCode whether the edits add a value, not only comments
 * @returns whether the program around the edits is read as before, without an error; unknown where it had others
 */
export function verifyCode(
  parser: LRParser,
  text: string,
  edits: readonly TextEdit[],
  after: string,
  addsCode: boolean,
): boolean | undefined {
  const [first, last] = [edits[0], edits.at(-1)];
  if (first === undefined || last === undefined) return true;
  const tree = parse(parser, text);
  const next = parseAfter(parser, tree, edits, after);
  const delta = after.length - text.length;
  const [from, to] = [first.start, last.end];
  const window = { from: Math.max(0, from - AROUND), to: Math.min(text.length, to + AROUND) };
  const was = around(tree, text, { from, to, delta: 0 }, window);
  const is = around(next, after, { from, to: to + delta, delta }, { from: window.from, to: window.to + delta });
  if (was.farErrors > 0) return is.errors > was.errors ? false : undefined;
  if (is.errors > (addsCode ? 0 : was.errors) || is.joined > was.joined) return false;
  if (!was.opaque.every((node) => is.opaque.includes(node))) return false;
  return (
    was.errors > 0 ||
    (was.tokens.length === is.tokens.length && was.tokens.every((token, at) => token === is.tokens[at]))
  );
}
