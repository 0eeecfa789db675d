/** Encodes text as YAML values. */
import { indentAll } from '../indent.ts';
import { rawForJinja } from '../../shared/text/jinja.ts';

/** Characters that YAML allows only as escapes, and empty lines at the end or alone, which a block scalar leaves out. */
const QUOTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff\ufffe\uffff]|\p{Cs}|\n[ \t]+$|\n\n$|^\s*$/u;

/** Escapes text for the data model, which parses values as templates: braces are references, a backslash escapes. */
export const escapeTemplate = (text: string): string => text.replace(/[\\{}]/g, '\\$&');

/** @returns the SQL that the platform reads from a template */
export const unescapeTemplate = (text: string): string => text.replace(/\\([^])/g, '$1');

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

/** Whether the header must state the indentation, because it can't be inferred from the first line. */
export const needsIndentDigit = (text: string): boolean => /^\n*[ \t]/.test(text);

/** A value in three parts: new text between two parts that the user wrote. */
export interface ValueParts {
  before: string;
  text: string;
  after: string;
}

/** The text after `key: `, and its value as parsed from a file before Jinja renders it. */
export interface YamlText {
  text: string;
  value: string;
}

export interface YamlPlace {
  /** Column of the key. */
  column: number;
  step: number;
  isDataModel: boolean;
  inFlow: boolean;
  /** Whether no line follows, so that the line end of the value must be written. */
  isLast: boolean;
}

/** @returns the value as a block scalar, then in double quotes: lines below can't become part of a quoted value */
export function* yamlTexts(
  { before, text, after }: ValueParts,
  { column, step, isDataModel, inFlow, isLast }: YamlPlace,
  comment = '',
): Generator<YamlText> {
  const value = before + (isDataModel ? rawForJinja(text) : text) + after;
  const digit = needsIndentDigit(value) ? String(step) : '';
  const header = `|${digit}${value.endsWith('\n') ? '' : '-'}${comment}`;
  const lines = indentAll(value.replace(/\n$/, ''), ' '.repeat(column + step));
  if (!inFlow && !QUOTED.test(value))
    yield { text: `${header}\n${lines}${isLast && value.endsWith('\n') ? '\n' : ''}`, value };
  yield { text: doubleQuoted({ before, text, after }) + comment, value: before + text + after };
}
