/** Markdown from outside, made so that a viewer loads and runs nothing of it. */

/** An image, and whatever may begin HTML; links in angle brackets stay. */
const LIVE = /!(?=\[)|<(?=[a-z/!?])(?!https?:|mailto:)/gi;
/** Lines of one paragraph that are looked at; in a longer one everything counts as text. */
const MOST_LINES = 50;

/** @returns the Markdown with its images and HTML as text; links stay, code stays as it was */
export function harmless(markdown: string): string {
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n');
  let fence: string | undefined;
  let paragraph = 0;
  const written = lines.map((line, at) => {
    if (fence !== undefined) {
      if (closes(line, fence)) [fence, paragraph] = [undefined, at + 1];
      return line;
    }
    // Only at the very beginning of a line: an indented one may be in a list item, and end with it.
    fence = /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line)?.slice(1).find(Boolean);
    if (fence !== undefined) return line;
    if (line.trim() === '') paragraph = at + 1;
    return line.replace(LIVE, (mark, offset: number) =>
      isCode(lines.slice(paragraph, at + 1), offset) ? mark : `\\${mark}`,
    );
  });
  return [...written, ...(fence === undefined ? [] : [fence])].join('\n');
}

/** @returns text that a viewer shows as it is, in one line */
export const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#~&!]/g, '\\$&');

function closes(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return mark?.startsWith(fence) === true;
}

/**
 * @param lines the paragraph up to the line in question
 * @param offset in the last of them
 * @returns whether it is in a code span, whichever of the lines a block of its own begins with
 */
function isCode(lines: readonly string[], offset: number): boolean {
  const line = lines.at(-1) ?? '';
  // It may be the row of a table, whose cells end spans too.
  const cell = line.slice(0, offset).lastIndexOf('|') + 1;
  if (lines.length > MOST_LINES || !isInSpan(line.slice(cell).split('|', 1)[0] ?? '', offset - cell)) return false;
  return lines.every((_, from) => {
    const before = lines.slice(from, -1).reduce((length, line) => length + line.length + 1, 0);
    return isInSpan(lines.slice(from).join('\n'), before + offset);
  });
}

/** @returns whether the offset is between two equal runs of backticks; one that is escaped, or in a link, is none */
function isInSpan(text: string, offset: number): boolean {
  const runs = /\\[^]|<[a-z][a-z0-9+.-]*:[^\s<>]*>|`+/gi;
  for (let run = runs.exec(text); run !== null && run.index < offset; run = runs.exec(text)) {
    if (!run[0].startsWith('`')) continue;
    const end = endOfSpan(text, runs.lastIndex, run[0].length);
    if (end === undefined) continue;
    if (offset < end) return true;
    runs.lastIndex = end;
  }
  return false;
}

/** @returns where a run of so many backticks ends, within which nothing is escaped */
function endOfSpan(text: string, from: number, length: number): number | undefined {
  for (const { 0: run, index } of text.slice(from).matchAll(/`+/g))
    if (run.length === length) return from + index + length;
  return undefined;
}
