/**
 * Makes untrusted text safe for Markdown viewers, HTML and terminals, and for labels in which VS Code renders links and
 * icons.
 */

/**
 * For notifications, prompts and labels, where VS Code renders `[text](command:…)` as a link and `$(name)` as an icon.
 * @returns the text with a space inside such sequences, so that they are shown literally
 */
export const plainText = (text: string): string => text.replaceAll('](', '] (').replaceAll('$(', '$ (');

/**
 * For Markdown that shows only text. Uses character references, because backslashes do not prevent autolinks
 * (`https://…`, `www.…`, `name@host`).
 * @returns Markdown that renders as the text, with its line breaks and without links, images, HTML or formatting
 */
export const plainMarkdown = (text: string): string =>
  text
    .replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/^[ \t]+/gm, (indent) => '&nbsp;'.repeat(indent.length))
    .replace(/\r\n?|\n/g, '  \n');

/**
 * Control characters other than tabs and line feeds, and characters that reorder the text around them, hide text or end
 * a line.
 */
const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/**
 * For a terminal or a model, where escape sequences and invisible characters in an answer could change what is shown.
 * @returns the text without these characters, with line separators as spaces
 */
export const withoutControls = (text: string): string => text.replace(/[\u2028\u2029]/g, ' ').replace(UNSAFE, '');

/** @returns the text with the same characters as escapes of JSON: JSON stays the same value */
export const escapedControls = (text: string): string =>
  text.replace(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeOf(character.charCodeAt(at))).join(''),
  );

const escapeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** @returns a fence longer than any run of backticks in the code */
function fenceFor(code: string): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** @returns the code as a fenced block */
export function fenced(code: string, language: string): string {
  const fence = fenceFor(code);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** The start of an image or of HTML, with preceding backslashes; links in angle brackets are excluded. */
const LIVE = /(?<!\\)(\\*)(!(?=\[)|<(?=[a-z/!?])(?!https?:|mailto:))/gi;
/**
 * Entities, not backslashes: GitHub's autolinks (`http://a\<img …>`) include a backslash, which leaves the tag active.
 */
const ENTITY: Record<string, string> = { '<': '&lt;', '!': '&#33;' };
/** Maximum number of lines of a paragraph that are parsed; in a longer paragraph nothing counts as code. */
const MOST_LINES = 50;

/** @returns the Markdown with images and HTML as text; links and code are unchanged */
export function harmless(markdown: string): string {
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n');
  let fence: string | undefined;
  let paragraph = 0;
  const written = lines.map((line, at) => {
    if (fence !== undefined) {
      if (closes(line, fence)) [fence, paragraph] = [undefined, at + 1];
      return line;
    }
    fence = /^ {0,3}(?:(`{3,})[^`]*$|(~{3,}))/.exec(line)?.slice(1).find(Boolean);
    // At column 0, because an indented fence may belong to a list item and end with it.
    if (fence !== undefined) return line.trimStart();
    if (line.trim() === '') paragraph = at + 1;
    let isCode: ReturnType<typeof codeIn> | undefined;
    return line.replace(LIVE, (all: string, { length }: string, mark: string, offset: number) => {
      isCode ??= codeIn(lines.slice(Math.max(paragraph, at - MOST_LINES), at + 1));
      return isCode(offset + length) ? all : all.slice(0, length - (length % 2)) + ENTITY[mark];
    });
  });
  return [...written, ...(fence === undefined ? [] : [fence])].join('\n');
}

/** @returns Markdown that renders as this text, on one line, also in emphasis; `<` is an entity, as in `harmless` */
export const plain = (text: string): string =>
  text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#~&!]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`));

function closes(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return mark?.startsWith(fence) === true;
}

/**
 * @param lines the paragraph up to and including the line to check
 * @returns a predicate: whether an offset of that line is in a code span, no matter at which of the lines a block
 * begins
 */
function codeIn(lines: readonly string[]): (offset: number) => boolean {
  const line = lines.at(-1) ?? '';
  if (lines.length > MOST_LINES || !line.includes('`')) return () => false;
  const readings = lines.map((_, from) => {
    const before = lines.slice(from, -1).reduce((length, each) => length + each.length + 1, 0);
    return spansOf(lines.slice(from).join('\n'), -before);
  });
  let cell = 0;
  // The line may be a table row, in which code spans end at the end of a cell.
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
 * @param shift added to each offset
 * @returns the ranges of code spans, backticks included; escaped backticks and those inside links are ignored. Empty if
 * viewers disagree on what is code
 */
function spansOf(text: string, shift: number): [start: number, end: number][] {
  const spans: [number, number][] = [];
  const runs = /\\[^]|<[a-z][a-z0-9+.-]*:[^\s<>]*>|(?::\/\/|www\.)\S*|\]\((?:[^\s()<>"'`\\]*\))?|`+/gi;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    // Some viewers make a link of the address, up to the next space once `<` is escaped; others begin code in it.
    if (/^[:w].*`/i.test(run[0])) return [];
    // The address or the title of a link can contain a backtick too.
    if (run[0] === '](') return [];
    if (!run[0].startsWith('`')) continue;
    const end = endOfSpan(text, runs.lastIndex, run[0].length);
    if (end === undefined) continue;
    spans.push([run.index + shift, end + shift]);
    runs.lastIndex = end;
  }
  return spans;
}

/** @returns the end of the next run of exactly `length` backticks; inside a code span nothing is escaped */
function endOfSpan(text: string, from: number, length: number): number | undefined {
  for (const { 0: run, index } of text.slice(from).matchAll(/`+/g))
    if (run.length === length) return from + index + length;
  return undefined;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** @returns `text` escaped for HTML content and double-quoted attribute values */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

/** @returns text without the characters that XML 1.0 can't contain: most control characters, and lone surrogates */
export const legalXml = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');

const schemes = new Set(['http:', 'https:', 'mailto:']);

/**
 * Restricts the links of answers, because their addresses are the output of a model.
 * @param address as written in the Markdown
 * @returns the normalized address to open and to show, with the host name in ASCII; `undefined` unless it is an
 *   absolute `http`, `https` or `mailto` address
 */
export function allowedAddress(address: string): string | undefined {
  try {
    const url = new URL(address);
    return schemes.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
