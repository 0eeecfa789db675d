/** Escapes text for Jinja: puts what looks like a tag into `{% raw %}…{% endraw %}`. */

const OPENING = /\\?\{(?=[{%#])/g;
const LAST_MARK = /[^\n]*(?:\{[{%#]|[}%#]\\?\})/y;
const END_OF_RAW = /\{%[-+]?\s*endraw/y;

/** End of the part of a line that must be raw: after its last delimiter, or before its own `endraw`. */
function endOfRaw(line: string, start: number, text: string, lineStart: number): number {
  LAST_MARK.lastIndex = start;
  LAST_MARK.test(line);
  const end = LAST_MARK.lastIndex;
  for (let at = line.indexOf('{%', start); at >= 0 && at < end; at = line.indexOf('{%', at + 1)) {
    END_OF_RAW.lastIndex = lineStart + at;
    if (END_OF_RAW.test(text)) return at + 2;
  }
  return end;
}

/** A brace right before the raw tag would form another delimiter with it, so include it. */
function startOfRaw(line: string, mark: number, from: number): number {
  let start = mark;
  while (start > from && line[start - 1] === '{') start -= line[start - 2] === '\\' && start - 2 >= from ? 2 : 1;
  return start;
}

/**
 * @param text text with only `\n`
 * @returns text that Jinja renders to exactly the input; the same text if it contains no opening delimiter
 */
export function rawForJinja(text: string): string {
  let lineStart = 0;
  const lines = text.split('\n').map((line) => {
    let written = '';
    let at = 0;
    OPENING.lastIndex = 0;
    for (let mark = OPENING.exec(line); mark !== null; mark = OPENING.exec(line)) {
      const start = startOfRaw(line, mark.index, at);
      const end = endOfRaw(line, mark.index, text, lineStart);
      written += `${line.slice(at, start)}{% raw %}${line.slice(start, end)}{% endraw %}`;
      at = end;
      OPENING.lastIndex = end;
    }
    lineStart += line.length + 1;
    return written + line.slice(at);
  });
  return lines.join('\n');
}

/** @returns whether the text contains Jinja syntax */
export const hasJinja = (text: string): boolean => /\{[{%#]/.test(text);

/** @returns whether the offset is in `{{`, `{%` or `{#`, or between it and its closing delimiter */
export function isInsideJinja(text: string, offset: number): boolean {
  const before = text.slice(0, offset);
  const open = Math.max(...['{', '%', '#'].map((mark) => text.slice(0, offset + 1).lastIndexOf(`{${mark}`)));
  if (open < 0) return false;
  const close = before.indexOf(text[open + 1] === '{' ? '}}' : `${text[open + 1]}}`, open + 2);
  return close < 0;
}

const RAW = /\{%[-+]?\s*(end)?raw\s*[-+]?%\}/g;

/** @returns whether the offset is in a `raw` block, where Jinja looks only for the end of the block */
export function isInsideRaw(text: string, offset: number): boolean {
  const last = [...text.matchAll(RAW)].findLast(({ index }) => index < offset);
  return last !== undefined && last[1] === undefined && last.index + last[0].length <= offset;
}

const OPEN = /\{(?=[{%#])/g;
const CLOSE: Readonly<Record<string, string>> = { '{': '}}', '%': '%}', '#': '#}' };
const BEGIN_RAW = /^\{%[-+]?\s*raw\s*-?%\}$/;
const END_RAW = /\{%-?\s*endraw\s*[-+]?%\}/g;

/** @returns the ranges of the tags, in linear time; text in a `raw` block has none */
export function jinjaTags(text: string): { start: number; end: number }[] {
  const tags: { start: number; end: number }[] = [];
  const missing = new Set<string>();
  let at = 0;
  for (const { index: start } of text.matchAll(OPEN)) {
    const close = CLOSE[text.charAt(start + 1)] ?? '';
    if (start < at || missing.has(close)) continue;
    const found = text.indexOf(close, start + 2);
    if (found < 0) missing.add(close);
    else tags.push({ start, end: (at = found + 2) });
    if (found < 0 || !BEGIN_RAW.test(text.slice(start, at))) continue;
    END_RAW.lastIndex = at;
    const end = missing.has('endraw') ? null : END_RAW.exec(text);
    if (end === null) missing.add('endraw');
    else tags.push({ start: end.index, end: (at = end.index + end[0].length) });
  }
  return tags;
}

/** @returns text of the same length without tags: an expression becomes a word, everything else blank */
export function maskJinja(text: string): string {
  let masked = '';
  for (const { start, end } of jinjaTags(text)) {
    const by = text[start + 1] === '{' ? '_' : ' ';
    masked += text.slice(masked.length, start) + text.slice(start, end).replace(/[^\r\n]/g, by);
  }
  return masked + text.slice(masked.length);
}
