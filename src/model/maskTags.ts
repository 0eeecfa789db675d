/**
 * Replaces Jinja tags by text of the same length that YAML can parse: an expression in a value by a word, everything
 * else by blanks, or by a comment on lines of its own.
 */
import { jinjaTags } from '../shared/text/jinja.ts';
import { linesOf } from '../shared/text/lines.ts';
import type { CodePart } from './modelNode.ts';

/** Replaces the characters of a Jinja expression: printable, and not used in models. */
const WORD = '\ue000';

/** @param parts all tags, and blocks of which the text is replaced too */
export function maskTags(text: string, parts: readonly CodePart[]): string {
  const comments = jinjaTags(text).filter(({ start }) => text[start + 1] === '#');
  if (parts.length + comments.length === 0) return text;
  let inline = '';
  let at = 0;
  for (const { start, end } of [...parts, ...comments].sort((left, right) => left.start - right.start)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    const by = text.startsWith('{{', start) ? WORD : ' ';
    // Lines below the first of a tag are blank: a word on them could end the value that the tag is in.
    const [first = ''] = text.slice(from, end).split(/\r?\n/, 1);
    inline +=
      text.slice(at, from) + by.repeat(first.length) + text.slice(from + first.length, end).replace(/[^\r\n]/g, ' ');
    at = end;
  }
  inline += text.slice(at);
  return withComments(text, inline);
}

/** A line that determines the meaning of deeper ones. */
interface Parent {
  indent: number;
  text: string;
  line: number;
}

const INDENT_AND_DASHES = /^\s*(?:-\s+)*(?:-$)?/;

/** Comments out tags on lines of their own: between the entries of a list or map, a word would be a syntax error. */
function withComments(text: string, inline: string): string {
  const parents: Parent[] = [];
  const lines = linesOf(inline);
  const below = columnsBelow(lines);
  const ends = text.match(/\r?\n/g) ?? [];
  let last = -1;
  const masked = lines.map(({ start, end, text: line }, index) => {
    const source = text.slice(start, end);
    const indent = INDENT_AND_DASHES.exec(source)![0].length;
    const isOwn = source !== line && line.slice(indent).replaceAll(WORD, '').trim() === '';
    if (!isOwn) {
      if (line.trim() === '' || line.trimStart().startsWith('#')) return line;
      const column = line.length - line.trimStart().length;
      while (parents.length > 0 && parents.at(-1)!.indent >= column) parents.pop();
      parents.push({ indent: column, text: line, line: index });
      last = index;
      return line;
    }
    const dashes = source.slice(0, indent);
    if (dashes.includes('-') && !hasDeeperLine(lines, index, dashes.lastIndexOf('-'))) return line;
    // Tags may be indented less than the value that they are in.
    const column = Math.max(indent, below[index]!);
    while (parents.length > 0 && parents.at(-1)!.indent >= column) parents.pop();
    const kind = kindOfValue(parents.at(-1), column);
    if (kind === 'plain') return line;
    if (kind === 'block' && last !== parents.at(-1)!.line) return ' '.repeat(line.length);
    const at = kind === 'block' ? Math.min(column, line.length - 1) : indent;
    return `${dashes.padEnd(at)}#${' '.repeat(line.length - at - 1)}`;
  });
  return masked.map((line, index) => line + (ends[index] ?? '')).join('');
}

/** @returns for each line, the indentation of the next one with text; 0 if there is none */
function columnsBelow(lines: readonly { text: string }[]): number[] {
  let below = 0;
  const columns = lines.toReversed().map(({ text }) => {
    const column = below;
    if (text.replaceAll(WORD, '').trim() !== '') below = text.search(/\S/);
    return column;
  });
  return columns.reverse();
}

/** Whether the next line with text continues a list item whose first line has only a tag. */
function hasDeeperLine(lines: readonly { text: string }[], from: number, dash: number): boolean {
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = lines[at]!.text;
    if (line.trim() !== '') return line.length - line.trimStart().length > dash;
  }
  return false;
}

/** @returns whether a line at this indentation continues a plain scalar or a block scalar of its parent */
function kindOfValue(parent: Parent | undefined, indent: number): 'plain' | 'block' | undefined {
  if (parent === undefined) return undefined;
  const prefix = INDENT_AND_DASHES.exec(parent.text)![0].length;
  const content = parent.text.slice(prefix);
  const colon = content.search(/:(?:\s|$)/);
  if (prefix >= indent) return undefined;
  const value = content.slice(colon + 1).trim();
  if (/^[|>]/.test(value)) return 'block';
  return /^(?:$|["'[{&*!#])/.test(value) ? undefined : 'plain';
}
