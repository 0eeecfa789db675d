/** Reads and escapes Jinja: puts what looks like a tag into `{% raw %}…{% endraw %}`. */

/** A range of a text; `start === end` is a bare cursor. */
export interface Span {
  start: number;
  end: number;
}

export const hasJinja = (text: string): boolean => /\{[{%#]/.test(text);

const BRACES = /(?:\\?\{)+[%#]?/g;
const UP_TO_LAST_MARK = /^[^]*(?:\{[{%#]|[}%#]\\?\})/;

/** The raw text includes the braces before its first delimiter, which would form another one with the tag. */
function rawPart(part: string): string {
  const start = [...part.matchAll(BRACES)].find(([braces]) => hasJinja(braces))?.index;
  if (start === undefined) return part;
  const end = UP_TO_LAST_MARK.exec(part)?.[0].length ?? start;
  return `${part.slice(0, start)}{% raw %}${part.slice(start, end)}{% endraw %}${part.slice(end)}`;
}

/** @returns text that Jinja renders to exactly the input */
export const rawForJinja = (text: string): string =>
  // Split into lines, and lines at each `endraw` tag, which would end the raw block.
  text
    .split(/(?<=\n)|(?<=\{%)(?=[-+]?\s*endraw)/)
    .map(rawPart)
    .join('');

const OPEN = /\{(?=[{%#])/g;
const CLOSE: Readonly<Record<string, string>> = { '{': '}}', '%': '%}', '#': '#}' };
const BEGIN_RAW = /^\{%[-+]?\s*raw\s*-?%\}$/;
const END_RAW = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;

/** What tells the end of a tag: it has no meaning in strings and inside brackets. */
const STRING_OR_MARK = /'[^'\\]*(?:\\[^][^'\\]*)*\\?'?|"[^"\\]*(?:\\[^][^"\\]*)*\\?"?|[%{}()[\]]/g;

/** @returns the ranges of the tags, in linear time; text in a `raw` block has none */
export function jinjaTags(text: string): Span[] {
  const tags: Span[] = [];
  const missing = new Set<string>();
  let at = 0;
  for (const { index: start } of text.matchAll(OPEN)) {
    const close = CLOSE[text.charAt(start + 1)] ?? '';
    if (start < at || missing.has(close)) continue;
    const end = endOfTag(text, start + 2, close, missing);
    if (end === undefined) missing.add(close);
    else tags.push({ start, end: (at = end) });
    if (end === undefined || !BEGIN_RAW.test(text.slice(start, at))) continue;
    END_RAW.lastIndex = at;
    const endRaw = missing.has('endraw') ? null : END_RAW.exec(text);
    if (endRaw === null) missing.add('endraw');
    else tags.push({ start: endRaw.index, end: (at = endRaw.index + endRaw[0].length) });
  }
  return tags;
}

/** A tag with an unclosed string or bracket ends at the first delimiter; from then on, both are ignored, to stay linear. */
function endOfTag(text: string, from: number, close: string, missing: Set<string>): number | undefined {
  if (close !== '#}' && !missing.has('string')) {
    STRING_OR_MARK.lastIndex = from;
    let depth = 0;
    for (let found = STRING_OR_MARK.exec(text); found !== null; found = STRING_OR_MARK.exec(text)) {
      if (depth === 0 && text.startsWith(close, found.index)) return found.index + close.length;
      if ('{(['.includes(found[0])) depth += 1;
      else if ('})]'.includes(found[0])) depth = Math.max(0, depth - 1);
    }
    missing.add('string');
  }
  const index = text.indexOf(close, from);
  return index < 0 ? undefined : index + close.length;
}

/** @returns the offset of the first expression or statement without an end; undefined if there is none */
export function unclosedTag(text: string): number | undefined {
  let [at, isRaw] = [0, false];
  for (const { start, end } of [...jinjaTags(text), { start: text.length, end: text.length }]) {
    const open = isRaw ? -1 : text.slice(at, start).search(/\{[{%]/);
    if (open >= 0) return at + open;
    isRaw = BEGIN_RAW.test(text.slice(start, end));
    at = end;
  }
  return undefined;
}

/** @returns whether the offset is in a tag, which may lack its end, or in a `raw` block; otherwise undefined */
export function jinjaAt(text: string, offset: number): 'tag' | 'raw' | undefined {
  const last = jinjaTags(text).findLast(({ start }) => start < offset);
  if (last && offset < last.end) return 'tag';
  if (last && BEGIN_RAW.test(text.slice(last.start, last.end))) return 'raw';
  return hasJinja(text.slice(last?.end, offset + 1)) ? 'tag' : undefined;
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
