/** The code of a fenced block of Markdown as a document of its own, without the quote and list markers around it. */
import { isBlank, lineAt, linesOf } from '../../shared/text/lines.ts';
import type { Span, TextEdit } from '../types.ts';

export interface Fence {
  open: Span;
  close?: Span;
  /** Quote markers and white space before each line of the block. */
  prefix: string;
}

/** Prefixes every line but the first with the quote and list markers around it. */
export const within = (code: string, prefix: string): string =>
  code.replace(/\n(?=(\n)?)/g, (_, isEmpty?: string) => `\n${isEmpty ? prefix.trimEnd() : prefix}`);

/** Matches the language of a block: of Markdown, `python`, of R Markdown and Quarto, `{python, echo=FALSE}`. */
const INFO = /^(?:`+|~+)[ \t]*(?:\{[ \t]*\.?)?([\w-]*)/;

export interface FencedCode {
  /** Lower-case language of the block; empty if there is none. */
  language: string;
  /** The lines of the block, below an empty one that stands for the end of the opening line. */
  text: string;
  /** @returns an offset of the file as an offset of `text` */
  toCode(offset: number): number;
  /** @returns an edit of `text` as an edit of the file */
  toFile(edit: TextEdit): TextEdit;
}

export function fencedCode(file: string, { open, close, prefix }: Fence): FencedCode {
  const opening = lineAt(file, open.start);
  const language = INFO.exec(file.slice(open.start, opening.end))?.[1]?.toLowerCase() ?? '';
  const stop = close ? lineAt(file, close.start).start : file.length;
  let length = 0;
  const lines = linesOf(file.slice(opening.end, stop)).map(({ start, text }, index, { length: count }) => {
    const isLast = close !== undefined && index === count - 1;
    const marks = /^[ \t>]*/.exec(text.slice(0, prefix.length))?.[0].length ?? 0;
    const code = text.slice(marks);
    const line = { code, at: length, inFile: isLast ? close.start : opening.end + start + marks, isLast, marks };
    length += code.length + 1;
    return line;
  });
  const lineOf = (offset: number) => lines.findLast((line) => line.at <= offset) ?? lines[0];
  const inFile = (offset: number): number => {
    const line = lineOf(offset);
    return line ? line.inFile + offset - line.at : offset;
  };
  return {
    language,
    text: lines.map(({ code }) => code).join('\n'),
    toCode: (offset) => {
      const line = lines.findLast((each) => each.inFile <= offset) ?? lines[0];
      return line ? line.at + Math.max(0, Math.min(offset - line.inFile, line.code.length)) : 0;
    },
    toFile: ({ start, end, text }) => {
      const first = lineOf(start);
      const isMissing = first !== undefined && !first.isLast && isBlank(first.code);
      const lead = start === 0 ? `\n${prefix}` : isMissing ? prefix.slice(first.marks) : '';
      const tail = lineOf(end)?.isLast ? `\n${prefix}` : '';
      return { start: inFile(start), end: inFile(end), text: lead + within(text, prefix) + tail };
    },
  };
}
