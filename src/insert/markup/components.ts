/** The scripts of Vue, Svelte, Astro and HTML files. */
import type { Written } from '../place.ts';

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const ATTRIBUTES = /(?:"[^"]*"|'[^']*'|[^>"'])*>/y;
const TYPE = /\stype\s*=\s*["']?([^\s"'>]*)/i;
/** Types of scripts that are JavaScript or TypeScript. */
const PROGRAM = /^(?:module|(?:text|application)\/(?:java|ecma|type)script|text\/(?:babel|jsx))?$/i;
const FRONTMATTER = /^---\r?\n/;

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

interface Script {
  start: number;
  end: number;
  attributes: string;
}

/** @returns the index of the next match of a global pattern; the length of the text if there is none */
function indexFrom(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function* scriptsOf(text: string): Generator<Script> {
  const page = text.replace(COMMENT, blank);
  let at = 0;
  if (FRONTMATTER.test(page)) {
    at = indexFrom(page, /^---/gm, 3);
    yield { start: 3, end: at, attributes: '' };
  }
  while ((at = indexFrom(page, /<script(?=[\s/>])/gi, at)) < text.length) {
    at = ATTRIBUTES.lastIndex = at + '<script'.length;
    const attributes = ATTRIBUTES.exec(page)?.[0];
    if (attributes === undefined) return;
    const start = at + attributes.length;
    at = indexFrom(text, /<\/script/gi, start);
    yield { start, end: at, attributes };
  }
}

/** @returns the text with everything but the script at the offset blanked, which keeps the offsets */
export function scriptAround(text: string, offset: number): string | undefined {
  for (const { start, end, attributes } of scriptsOf(text)) {
    if (offset < start || offset > end) continue;
    if (!PROGRAM.test(TYPE.exec(attributes)?.[1] ?? '')) return undefined;
    // A script that shares lines with its tags starts and ends at them.
    const [before, after] = [blank(text.slice(0, start - 1)), blank(text.slice(end + 1))];
    return `${before}\n${text.slice(start, end)}${end < text.length ? '\n' : ''}${after}`;
  }
  return undefined;
}

/** @returns the edits of a script, escaped so that they contain no closing tag */
export const withinScript = ({ edits, warnings }: Written): Written => ({
  edits: edits.map((edit) => ({ ...edit, text: edit.text.replace(/<\/(?=script)/gi, '<\\/') })),
  warnings,
});
