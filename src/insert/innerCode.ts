/** Lines of a file as a document of their own, such as a fenced block of Markdown, without the marks before them. */
import { isBlank, linesOf } from '../shared/text/lines.ts';
import type { TextEdit } from './types.ts';

/** Prefixes every line but the first. */
export const within = (code: string, prefix: string): string =>
  code.replace(/\n(?=(\n)?)/g, (_, isEmpty?: string) => `\n${isEmpty ? prefix.trimEnd() : prefix}`);

export interface InnerLines {
  /** Offset of the end of the line above. */
  start: number;
  end: number;
  /** Offset of what follows the last line break and must stay on a line of its own. */
  close?: number | undefined;
  /** Written before each new line, such as quote markers. */
  prefix: string;
  /** @returns the number of characters before the code of a line */
  marksOf(line: string): number;
}

export interface InnerCode {
  /** The lines, below an empty one that stands for the end of the line above. */
  text: string;
  /** @returns an offset of the file as an offset of `text` */
  toCode(offset: number): number;
  /** @returns an edit of `text` as an edit of the file */
  toFile(edit: TextEdit): TextEdit;
}

export function innerCode(file: string, { start: from, end: to, close, prefix, marksOf }: InnerLines): InnerCode {
  let length = 0;
  const lines = linesOf(file.slice(from, to)).map(({ start, text }, index, { length: count }) => {
    const isLast = close !== undefined && index === count - 1;
    const marks = marksOf(text);
    const code = text.slice(marks);
    const line = { code, at: length, inFile: isLast ? close : from + start + marks, isLast, marks };
    length += code.length + 1;
    return line;
  });
  const lineOf = (offset: number) => lines.findLast((line) => line.at <= offset) ?? lines[0];
  const inFile = (offset: number): number => {
    const line = lineOf(offset);
    return line ? line.inFile + offset - line.at : offset;
  };
  return {
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
