/** The parts of Vue, Svelte, Astro and HTML files that are programs. */
import type { Written } from '../place.ts';

/** Opening tags of scripts that hold JavaScript or TypeScript, and what Astro has above its page. */
const SCRIPT = /<script\b((?:"[^"]*"|'[^']*'|[^>"'])*)>|(?<![\s\S])---(?=\r?\n)/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TYPE = /(?<!\S)type\s*=\s*["']?([^\s"'>]*)/i;
const PROGRAM = /^(?:module|(?:text|application)\/(?:java|ecma|type)script|text\/(?:babel|jsx))?$/i;

const blank = (text: string): string => text.replace(/[^\r\n]/g, ' ');

/**
 * @returns the text with all but the script around the offset blank, so that offsets stay what they are; nothing where
 * there is none
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
      // A script that shares its lines with its tags begins and ends with them.
      const [before, after] = [blank(text.slice(0, start - 1)), blank(text.slice(end + 1))];
      return `${before}\n${text.slice(start, end)}${end < text.length ? '\n' : ''}${after}`;
    }
    SCRIPT.lastIndex = Math.max(start, end);
  }
  return undefined;
}

/** @returns the edits of a script, in which nothing reads like its end */
export const withinScript = ({ edits, warnings }: Written): Written => ({
  edits: edits.map((edit) => ({ ...edit, text: edit.text.replace(/<\/(?=script)/gi, '<\\/') })),
  warnings,
});
