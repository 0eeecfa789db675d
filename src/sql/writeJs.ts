/** SQL into JavaScript and TypeScript: evaluated, a literal gives it back as it was. */
import { commentLines, fitInLine, warn, type WriteRequest, type Written } from './place.ts';
import type { JsPlace } from './jsScan.ts';
import { indentRest, indentSql } from './indent.ts';
import { isBlank, leadingWhite, lineAt } from './lines.ts';

/** @returns the text between backticks */
export const templateText = (sql: string): string => sql.replace(/[\\`]|\$(?=\{)/g, '\\$&');

const stringText = (sql: string, quote: string): string =>
  sql
    .replace(/[\\\u2028\u2029]/g, (character) =>
      character === '\\' ? '\\\\' : `\\u${character.charCodeAt(0).toString(16)}`,
    )
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n');

/** Name of the property or variable that the code right before the offset gives a value to. */
export function jsKeyBefore(text: string, offset: number): string | undefined {
  const before = text.slice(Math.max(0, offset - 200), offset);
  return /(?:^|[\s{,(])["']?([\w$]+)["']?\s*[:=]\s*(?:\(\)\s*=>\s*)?$/.exec(before)?.[1];
}

interface Frame {
  open: string;
  close: string;
}

/** What must stand around a template literal so that the code stays code: nothing, a property, or a declaration. */
function frameFor(text: string, place: JsPlace, span: { start: number; end: number }): Frame {
  const line = lineAt(text, span.start);
  const before = text.slice(0, place.codeEnd);
  const last = before.at(-1) ?? '';
  const next = /^\s*(\S?)/.exec(text.slice(span.end))?.[1] ?? '';
  const isAlone =
    isBlank(line.text.slice(0, span.start - line.start)) && isBlank(text.slice(span.end, lineAt(text, span.end).end));
  const bracket = place.brackets.at(-1);
  const isObject = bracket?.character === '{' && /[(,:=[?]$|\breturn$/.test(text.slice(0, bracket.at).trimEnd());
  const needsComma = isObject && /["'`\w$[]/.test(next);
  if (isObject && isAlone && /[{,]/.test(last)) return { open: 'sql: ', close: ',' };
  if (isObject && last === ':') return { open: '', close: needsComma ? ',' : '' };
  // After the end of an expression a literal would be taken for a tagged template.
  if (isAlone && /[\w$)\]}`'"]/.test(last) && !/\breturn$/.test(before)) return { open: 'const sql = ', close: ';' };
  return { open: '', close: '' };
}

function writeCode(place: JsPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  const line = lineAt(text, selection.start);
  const indent = leadingWhite(line.text);
  const above = (comment: string): Written['edits'] => [
    { start: line.start, end: line.start, text: `${indent}${indentRest(commentLines(comment, '//'), indent)}\n` },
  ];
  if (options.asComment) return { edits: above(sql), warnings: [] };
  const { open, close } = frameFor(text, place, selection);
  const literal = { ...selection, text: `${open}\`${templateText(sql)}\`${close}` };
  return { edits: note === undefined ? [literal] : [...above(note), literal], warnings: [] };
}

/**
 * A literal that holds nothing but the SQL gets it unchanged. On an indented line of a literal that spans lines, the
 * SQL is indented like it; its own literals are not.
 */
function writeTemplate(place: JsPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  const line = lineAt(text, selection.start);
  const around = {
    before: text.slice(Math.max(line.start, place.start + 1), selection.start),
    after: text.slice(selection.end, lineAt(text, selection.end).end),
  };
  const sits = line.start > place.start && isBlank(around.before) && around.before !== '';
  const indent = sits ? around.before : '';
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const after = around.after.trimStart().startsWith('`') ? '' : around.after;
  const fitted = fitInLine(commented, note, { before: around.before, after });
  return {
    edits: [{ ...selection, text: templateText(sits ? indentSql(fitted, indent, options) : fitted) }],
    warnings: [],
  };
}

function writeString(place: JsPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const before = text.slice(place.start + 1, selection.start);
  const after = text.startsWith(place.quote, selection.end) ? '' : lineAt(text, selection.end).text;
  const whole = fitInLine(commented, note, { before, after });
  return { edits: [{ ...selection, text: stringText(whole, place.quote) }], warnings: [] };
}

function writeComment(place: JsPlace, { text, selection, sql, note }: WriteRequest): Written {
  const indent = leadingWhite(lineAt(text, selection.start).text);
  const whole = note === undefined ? sql : `${note}\n${sql}`;
  const written =
    place.quote === '//'
      ? indentRest(whole, `${indent}// `).replace(/\n(?=\n|$)/g, `\n${indent}//`)
      : indentRest(whole.replaceAll('*/', '*\\/'), `${indent} * `);
  return { edits: [{ ...selection, text: written }], warnings: [warn('insideComment')] };
}

/** @returns the edits that bring the SQL to this place of a JavaScript or TypeScript file */
export function writeJs(place: JsPlace, request: WriteRequest): Written {
  switch (place.kind) {
    case 'jsTemplate':
      return writeTemplate(place, request);
    case 'jsString':
      return writeString(place, request);
    case 'jsComment':
      return writeComment(place, request);
    case 'jsCode':
      return writeCode(place, request);
  }
}
