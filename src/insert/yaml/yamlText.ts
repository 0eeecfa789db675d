/** Encodes text as YAML values, and decodes them. */
import { CST } from 'yaml';
import { indentAll } from '../indent.ts';
import { isBlank, leadingWhite, linesOf } from '../../shared/text/lines.ts';
import { rawForJinja } from '../sql/jinja.ts';

/** Characters that YAML allows only in double-quoted scalars, as escapes. */
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff\ufffe\uffff]|\p{Cs}/u;

/** Escapes text for the data model, which parses values as templates: braces are references, a backslash escapes. */
export const escapeTemplate = (text: string): string => text.replace(/[\\{}]/g, '\\$&');

/** The text escaped for double quotes, on one line. */
const betweenQuotes = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(
      /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

/** @returns the value in double quotes; Jinja finds no delimiters in the new text, but those that the user wrote */
export const doubleQuoted = ({ before, text, after }: ValueParts): string =>
  `"${betweenQuotes(before)}${betweenQuotes(text).replace(/\{(?=[{%#])/g, '\\u007b')}${betweenQuotes(after)}"`;

export interface BlockLayout {
  /** Indentation of the block's lines, and how much of it is beyond the key's column. */
  indent: number;
  step: number;
  /** Whether an empty line follows in the file, so that trailing line breaks can't be counted. */
  blankFollows: boolean;
}

/**
 * @returns whether the block header needs an indentation indicator, because the first line would hide the indentation
 */
export const needsIndentDigit = (text: string): boolean => /^\n*[ \t]/.test(text);

/** @returns whether a block scalar can contain the text exactly; parsers differ on a last line of only spaces */
const fitsBlock = (text: string): boolean => /\S/.test(text) && !/\n[ \t]+$/.test(text) && !UNPRINTABLE.test(text);

/** A value in three parts: new text between two parts that the user wrote. */
export interface ValueParts {
  before: string;
  text: string;
  after: string;
}

/**
 * @param parts the text to encode, with only `\n`
 * @param throughJinja whether Jinja renders the file first
 * @returns the text to write after `key: `, a block scalar if possible
 */
export function yamlValue(
  { before, text, after }: ValueParts,
  throughJinja: boolean,
  { indent, step, blankFollows }: BlockLayout,
): { header: string; body: string } {
  const whole = before + text + after;
  let trailing = 0;
  while (whole.at(-1 - trailing) === '\n') trailing++;
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
 * @returns the decoded text
 */
export function scalarText(raw: string, style: keyof typeof TYPES): string {
  const quote = { plain: '', single: "'", double: '"' }[style];
  const token = { type: TYPES[style], offset: 0, indent: 0, source: `${quote}x${raw}x${quote}` } as const;
  // White space at the ends of a part is within the value.
  return CST.resolveAsScalar(token, false).value.slice(1, -1);
}

/** @returns the columns per level in a file, from its first indented line; undefined if it has none */
export function yamlStep(text: string): number | undefined {
  let previous = '';
  for (const { text: line } of linesOf(text)) {
    if (isBlank(line) || /^\s*#/.test(line)) continue;
    // Relative to the key: the dashes before it are separate levels.
    const step = leadingWhite(line).length - (/^ *(?:- +)*/.exec(previous)?.[0].length ?? 0);
    if (step > 0 && step < 10 && /:(?:$|\s*[|>])/.test(previous)) return step;
    previous = line.trimEnd();
  }
  return undefined;
}
