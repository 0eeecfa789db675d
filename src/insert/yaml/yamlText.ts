/** Text as a YAML value, and back. */
import { CST } from 'yaml';
import { indentAll } from '../indent.ts';
import { isBlank, leadingWhite, linesOf } from '../../shared/text/lines.ts';
import { rawForJinja } from '../sql/jinja.ts';

/** Characters that YAML allows in no scalar but a double-quoted one, where they are escaped. */
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff\ufffe\uffff]|\p{Cs}/u;

/** Escapes text for the data model, which reads values as templates: braces are references, a backslash escapes. */
export const escapeTemplate = (text: string): string => text.replace(/[\\{}]/g, '\\$&');

/** The text as it stands between double quotes, on one line. */
const betweenQuotes = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(
      /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

/** @returns the value in double quotes; Jinja finds no mark in its new text, and those that the user wrote */
export const doubleQuoted = ({ before, text, after }: ValueParts): string =>
  `"${betweenQuotes(before)}${betweenQuotes(text).replace(/\{(?=[{%#])/g, '\\u007b')}${betweenQuotes(after)}"`;

export interface BlockLayout {
  /** Spaces of the block's lines, and how many of them are beyond the key's own column. */
  indent: number;
  step: number;
  /** Whether an empty line follows in the file: then trailing line breaks cannot be counted. */
  blankFollows: boolean;
}

/** @returns whether the block header must name its indentation, which its first line would not show */
export const needsIndentDigit = (text: string): boolean => /^\n*[ \t]/.test(text);

/** @returns whether a block scalar can hold the text exactly; parsers differ over a last line of nothing but spaces */
const fitsBlock = (text: string): boolean => /\S/.test(text) && !/\n[ \t]+$/.test(text) && !UNPRINTABLE.test(text);

/** A value in three parts: new text amid what the user wrote. */
export interface ValueParts {
  before: string;
  text: string;
  after: string;
}

/**
 * @param parts what a parser shall read, with `\n` only
 * @param throughJinja whether Jinja runs over the file first
 * @returns what to write after `key: `, a block scalar wherever one can hold the text
 */
export function yamlValue(
  { before, text, after }: ValueParts,
  throughJinja: boolean,
  { indent, step, blankFollows }: BlockLayout,
): { header: string; body: string } {
  const whole = before + text + after;
  const trailing = /\n*$/.exec(whole)?.[0].length ?? 0;
  if (!fitsBlock(whole) || (trailing > 1 && blankFollows))
    return { header: doubleQuoted({ before, text, after }), body: '' };
  const digit = needsIndentDigit(whole) ? String(step) : '';
  const chomping = trailing === 0 ? '-' : trailing === 1 ? '' : '+';
  const written = before + (throughJinja ? rawForJinja(text) : text) + after;
  const content = trailing === 0 ? written : written.slice(0, -1);
  return { header: `|${digit}${chomping}`, body: indentAll(content, ' '.repeat(indent)) };
}

const TYPES = { plain: 'scalar', single: 'single-quoted-scalar', double: 'double-quoted-scalar' } as const;

/**
 * @param raw a value, or the part of it before or after the cursor, without its outer quotes
 * @returns the text that it stands for
 */
export function scalarText(raw: string, style: keyof typeof TYPES): string {
  const quote = { plain: '', single: "'", double: '"' }[style];
  const token = { type: TYPES[style], offset: 0, indent: 0, source: `${quote}x${raw}x${quote}` } as const;
  // White space at the ends of a part is inside the value.
  return CST.resolveAsScalar(token, false).value.slice(1, -1);
}

/** @returns the columns per level of a file, from its first indented line; nothing where it has none */
export function yamlStep(text: string): number | undefined {
  let previous = '';
  for (const { text: line } of linesOf(text)) {
    if (isBlank(line) || /^\s*#/.test(line)) continue;
    // Measured from the key: the dashes before it are levels of their own.
    const step = leadingWhite(line).length - (/^ *(?:- +)*/.exec(previous)?.[0].length ?? 0);
    if (step > 0 && step < 10 && /:(?:$|\s*[|>])/.test(previous)) return step;
    previous = line.trimEnd();
  }
  return undefined;
}
