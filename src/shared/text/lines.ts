/** The line that an offset lies on. */

export interface Line {
  start: number;
  /** Before the line end. */
  end: number;
  text: string;
}

/** @returns the line around the offset, without its line end */
export function lineAt(text: string, offset: number): Line {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const newline = text.indexOf('\n', offset);
  let end = newline < 0 ? text.length : newline;
  if (end > start && text[end - 1] === '\r') end--;
  return { start, end, text: text.slice(start, end) };
}

/** @returns the lines of the text in order; `\n` and `\r\n` end a line */
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

/** @returns white space at the start of the text */
export const leadingWhite = (text: string): string => /^[ \t]*/.exec(text)?.[0] ?? '';

export const isBlank = (text: string): boolean => text.trim() === '';

/** @returns a selection of whole lines without the break that ends it and the indentation that begins it: both stay */
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
