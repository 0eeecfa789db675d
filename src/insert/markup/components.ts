/** The programs in Vue, Svelte, Astro and HTML files. */
import type { Written } from '../place.ts';

/** Opening tags of JavaScript and TypeScript, and the front matter of Astro. */
const SCRIPT = /<script\b((?:"[^"]*"|'[^']*'|[^>"'])*)>|(?<![\s\S])---(?=\r?\n)/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TYPE = /(?<!\S)type\s*=\s*["']?([^\s"'>]*)/i;
const PROGRAM = /^(?:module|(?:text|application)\/(?:java|ecma|type)script|text\/(?:babel|jsx))?$/i;

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

/**
 * @returns the text with everything but the script at the offset blanked, which keeps the offsets; undefined if there
 * is none
 */
export function scriptAround(text: string, offset: number): string | undefined {
  const page = text.replace(COMMENT, blank);
  SCRIPT.lastIndex = 0;
  for (let tag = SCRIPT.exec(page); tag !== null && tag.index < offset; tag = SCRIPT.exec(page)) {
    const start = SCRIPT.lastIndex;
    const close = tag[1] === undefined ? /(?<=\n)---/g : /<\/script\b/gi;
    close.lastIndex = start;
    const end = close.exec(text)?.index ?? text.length;
    if (start <= offset && offset <= end && PROGRAM.test(TYPE.exec(tag[1] ?? '')?.[1] ?? '')) {
      // A script that shares lines with its tags starts and ends at them.
      const [before, after] = [blank(text.slice(0, start - 1)), blank(text.slice(end + 1))];
      return `${before}\n${text.slice(start, end)}${end < text.length ? '\n' : ''}${after}`;
    }
    SCRIPT.lastIndex = Math.max(start, end);
  }
  return undefined;
}

/** @returns the edits of a script, escaped so that they contain no closing tag */
export const withinScript = ({ edits, warnings }: Written): Written => ({
  edits: edits.map((edit) => ({ ...edit, text: edit.text.replace(/<\/(?=script)/gi, '<\\/') })),
  warnings,
});
