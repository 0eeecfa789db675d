/** Splits text into lines, finds the line at an offset, and trims text. */

export interface Line {
  start: number;
  /** Offset of the end of the line, without its line break. */
  end: number;
  text: string;
}

/** @returns the line at the offset, without its line break */
export function lineAt(text: string, offset: number): Line {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const newline = text.indexOf('\n', offset);
  let end = newline < 0 ? text.length : newline;
  if (text[end - 1] === '\r') end--;
  return { start, end, text: text.slice(start, end) };
}

/** @returns the lines of the text in order; line breaks are `\n` and `\r\n` */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at <= text.length;) {
    const line = lineAt(text, at);
    lines.push(line);
    const newline = text.indexOf('\n', at);
    if (newline < 0) break;
    at = newline + 1;
  }
  return lines;
}

/** @returns the spaces and tabs at the start of the text */
export const leadingWhite = (text: string): string => /^[ \t]*/.exec(text)?.[0] ?? '';

/** @returns the text on one line, with single spaces */
export const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

export const isBlank = (text: string): boolean => text.trim() === '';

/** @returns the range without the indentation at its start and the line break at its end */
export function withoutLineEdges(
  text: string,
  { start, end }: { start: number; end: number },
): { start: number; end: number } {
  if (start === end) return { start, end };
  const stop = lineAt(text, end).start === end ? Math.max(start, lineAt(text, end - 1).end) : end;
  const line = lineAt(text, start);
  const indent = line.start === start ? leadingWhite(line.text).length : 0;
  return { start: Math.min(start + indent, stop), end: stop };
}

/**
 * Takes linear time; a regular expression such as `/0+$/` retries at each character of a run.
 * @returns the text without trailing characters of the given set
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
