/** Indentation and line ends. Text inside this folder has `\n` only; the file's own line end comes back at the very end. */
import { lexSql } from './sql/lex.ts';

/** @returns the text with `\n` for every line end, as an editor reads it */
export const unifyLineEnds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** @returns the text with the file's line ends; it must have `\n` only */
export const toLineEnds = (text: string, eol: '\n' | '\r\n'): string =>
  eol === '\n' ? text : text.replaceAll('\n', eol);

/** @returns every line with something in it indented, whatever it is: right where a parser takes the indentation off again */
export const indentAll = (text: string, indent: string): string => text.replace(/(?<![^\n])(?=[^\n])/g, indent);

/** @returns the same, but the first line continues a line of the file */
export const indentRest = (text: string, indent: string): string => text.replace(/(?<=\n)(?=[^\n])/g, indent);

/** Offsets of line starts that lie inside a literal or a comment: their white space is content. */
function frozenLines(sql: string): Set<number> {
  const frozen = new Set<number>();
  for (const { kind, start, end } of lexSql(sql)) {
    if (kind === 'space' || kind === 'symbol' || kind === 'word' || kind === 'number') continue;
    for (let at = sql.indexOf('\n', start); at >= 0 && at < end; at = sql.indexOf('\n', at + 1)) frozen.add(at + 1);
  }
  return frozen;
}

/** Indents SQL below the first line of an inline literal, which may stand at the beginning of its line. */
export const indentLines = (sql: string, indent: string, style: IndentStyle): string =>
  indent === '' || !sql.includes('\n') ? sql : indentSql(sql, indent, style);

export interface IndentStyle {
  tabSize: number;
  insertSpaces: boolean;
}

/** Leading white space in the file's own characters, of the same width. */
function inStyle(white: string, { tabSize, insertSpaces }: IndentStyle, step: number): string {
  if (insertSpaces) return white.replaceAll('\t', ' '.repeat(tabSize));
  const width = white.replaceAll('\t', ' '.repeat(step)).length;
  return '\t'.repeat(Math.floor(width / step)) + ' '.repeat(width % step);
}

/** Spaces that the SQL itself uses for one level: what all its indentations are multiples of, or the tab size. */
function stepOf(lines: readonly string[], tabSize: number): number {
  const widths = lines.map((line) => /^ +(?=\S)/.exec(line)?.[0].length ?? 0).filter((width) => width > 0);
  return [4, 2, 3].find((step) => widths.length > 0 && widths.every((width) => width % step === 0)) ?? tabSize;
}

/**
 * Indents SQL for a place where white space stays in the text: literals and comments keep their own, blank lines get
 * none, and the SQL's own indentation is written with the file's tabs or spaces.
 * @param sql text with `\n` only
 * @param indent white space for every line but the first
 */
export function indentSql(sql: string, indent: string, style: IndentStyle): string {
  const frozen = frozenLines(sql);
  const lines = sql.split('\n');
  let offset = 0;
  const starts = lines.map((line) => {
    const start = offset;
    offset += line.length + 1;
    return start;
  });
  const step = stepOf(
    lines.filter((_, index) => !frozen.has(starts[index] ?? 0)),
    style.tabSize,
  );
  return lines
    .map((line, index) => {
      if (frozen.has(starts[index] ?? 0)) return line;
      const white = /^[ \t]*/.exec(line)?.[0] ?? '';
      if (white.length === line.length) return '';
      return (index === 0 ? '' : indent) + inStyle(white, style, step) + line.slice(white.length);
    })
    .join('\n');
}
