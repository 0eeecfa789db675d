/** Indentation and line ends. Text in this folder contains only `\n`; the file's own line ends are restored last. */
import { linesOf } from '../shared/text/lines.ts';
import { lexSql } from '../shared/text/lexSql.ts';
import type { Span } from './types.ts';

export const unifyLineEnds = (text: string): string => text.replace(/\r\n?/g, '\n');

export const toLineEnds = (text: string, eol: '\n' | '\r\n'): string =>
  eol === '\n' ? text : text.replaceAll('\n', eol);

const BYTE_ORDER_MARK = '\ufeff';

/** @returns the text of a file without a byte order mark and with only `\n`, and functions that convert its offsets */
export function unifiedText(file: string): { text: string; toText(span: Span): Span; toFile(span: Span): Span } {
  const first = file.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const returns = [...file.matchAll(/\r(?=\n)/g)].map(({ index }) => index);
  const textEnds = returns.map((at, index) => at - first - index);
  const countBefore = (sorted: readonly number[], offset: number): number =>
    sorted.findLastIndex((at) => at < offset) + 1;
  const inText = (offset: number): number => Math.max(0, offset - first - countBefore(returns, offset));
  const inFile = (offset: number): number => offset + first + countBefore(textEnds, offset);
  return {
    text: unifyLineEnds(file.slice(first)),
    toText: ({ start, end }) => ({ start: inText(start), end: inText(end) }),
    toFile: ({ start, end }) => ({ start: inFile(start), end: inFile(end) }),
  };
}

/** @returns the text with every non-empty line indented, for formats whose parser removes the indentation */
export const indentAll = (text: string, indent: string): string => text.replace(/(?<![^\n])(?=[^\n])/g, indent);

/** @returns the same, except for the first line, which continues a line of the file */
export const indentRest = (text: string, indent: string): string => text.replace(/(?<=\n)(?=[^\n])/g, indent);

/** Offsets of line starts inside literals and comments, where white space is content. */
function frozenLines(sql: string): Set<number> {
  const frozen = new Set<number>();
  for (const { kind, start, end } of lexSql(sql)) {
    if (kind === 'space') continue;
    for (let at = sql.indexOf('\n', start); at >= 0 && at < end; at = sql.indexOf('\n', at + 1)) frozen.add(at + 1);
  }
  return frozen;
}

/** Indents all lines but the first of the SQL in a literal. */
export const indentLines = (sql: string, indent: string, style: IndentStyle): string =>
  indent === '' || !sql.includes('\n') ? sql : indentSql(sql, indent, style);

export interface IndentStyle {
  tabSize: number;
  insertSpaces: boolean;
}

/** Leading white space of the same width, in the characters that the file uses. */
function inStyle(white: string, { tabSize, insertSpaces }: IndentStyle, step: number): string {
  if (insertSpaces) return white.replaceAll('\t', ' '.repeat(tabSize));
  const width = white.replaceAll('\t', ' '.repeat(step)).length;
  return '\t'.repeat(Math.floor(width / step)) + ' '.repeat(width % step);
}

/** Number of spaces per level in the SQL: the common divisor of its indentations, or the tab size. */
function stepOf(lines: readonly string[], tabSize: number): number {
  const widths = lines.map((line) => /^ +(?=\S)/.exec(line)?.[0].length ?? 0).filter((width) => width > 0);
  return [4, 2, 3].find((step) => widths.length > 0 && widths.every((width) => width % step === 0)) ?? tabSize;
}

/** Indents all lines but the first where white space stays in the text; literals and comments are unchanged. */
export function indentSql(sql: string, indent: string, style: IndentStyle): string {
  const frozen = frozenLines(sql);
  const lines = linesOf(sql);
  const free = lines.filter(({ start }) => !frozen.has(start));
  const step = stepOf(
    free.map(({ text }) => text),
    style.tabSize,
  );
  return lines
    .map(({ start, text: line }, index) => {
      if (frozen.has(start)) return line;
      const white = /^[ \t]*/.exec(line)?.[0] ?? '';
      if (white.length === line.length) return '';
      return (index === 0 ? '' : indent) + inStyle(white, style, step) + line.slice(white.length);
    })
    .join('\n');
}
