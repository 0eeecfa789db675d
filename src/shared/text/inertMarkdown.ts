/** Markdown from outside, made so that a viewer loads and runs nothing of it. */

/** An image, and whatever may begin HTML, with the backslashes before it; links in angle brackets stay. */
const LIVE = /(?<!\\)(\\*)(!(?=\[)|<(?=[a-z/!?])(?!https?:|mailto:))/gi;
/** Not backslashes: the autolinks of GitHub's Markdown (`http://a\<img …>`) swallow those, and the tag is live again. */
const ENTITY: Record<string, string> = { '<': '&lt;', '!': '&#33;' };
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
    fence = /^(?:(`{3,})[^`]*$|(~{3,}))/.exec(line)?.slice(1).find(Boolean);
    if (fence !== undefined) return line;
    if (line.trim() === '') paragraph = at + 1;
    let isCode: ReturnType<typeof codeIn> | undefined;
    return line.replace(LIVE, (all: string, { length }: string, mark: string, offset: number) => {
      isCode ??= codeIn(lines.slice(Math.max(paragraph, at - MOST_LINES), at + 1));
      return isCode(offset + length) ? all : all.slice(0, length - (length % 2)) + ENTITY[mark];
    });
  });
  return [...written, ...(fence === undefined ? [] : [fence])].join('\n');
}

/** @returns text that a viewer shows as it is, in one line; `<` is an entity, as in `harmless` */
export const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#~&!]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`));

function closes(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return mark?.startsWith(fence) === true;
}

/**
 * @param lines the paragraph up to the line in question
 * @returns tells whether a place of that line is in a code span, whichever of the lines a block of its own begins with
 */
function codeIn(lines: readonly string[]): (offset: number) => boolean {
  const line = lines.at(-1) ?? '';
  if (lines.length > MOST_LINES || !line.includes('`')) return () => false;
  const readings = lines.map((_, from) => {
    const before = lines.slice(from, -1).reduce((length, each) => length + each.length + 1, 0);
    return spansOf(lines.slice(from).join('\n'), -before);
  });
  let cell = 0;
  // It may be the row of a table, whose cells end spans too.
  const ofCells = line.split('|').flatMap((text) => {
    const spans = spansOf(text, cell);
    cell += text.length + 1;
    return spans;
  });
  const times = new Uint8Array(line.length);
  for (const [start, end] of [...readings.flat(), ...ofCells])
    for (let at = Math.max(0, start); at < end; at += 1) times[at] = (times[at] ?? 0) + 1;
  return (offset) => times[offset] === readings.length + 1;
}

/**
 * @param shift what is added to each place
 * @returns what is between two equal runs of backticks, with them; one that is escaped, or in a link, is none
 */
function spansOf(text: string, shift: number): [start: number, end: number][] {
  const spans: [number, number][] = [];
  const runs = /\\[^]|<[a-z][a-z0-9+.-]*:[^\s<>]*>|`+/gi;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    if (!run[0].startsWith('`')) continue;
    const end = endOfSpan(text, runs.lastIndex, run[0].length);
    if (end === undefined) continue;
    spans.push([run.index + shift, end + shift]);
    runs.lastIndex = end;
  }
  return spans;
}

/** @returns where a run of so many backticks ends, within which nothing is escaped */
function endOfSpan(text: string, from: number, length: number): number | undefined {
  for (const { 0: run, index } of text.slice(from).matchAll(/`+/g))
    if (run.length === length) return from + index + length;
  return undefined;
}
