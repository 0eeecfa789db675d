/** SQL into JavaScript and TypeScript: evaluated, a literal gives it back as it was. */
import { apart, commentLines, fitInLine, warn, type WriteRequest, type Written } from './place.ts';
import { jsPlace, type JsPlace } from './jsScan.ts';
import { indentRest, indentSql } from './indent.ts';
import { isBlank, leadingWhite, lineAt } from './lines.ts';
import type { Span, TextEdit } from './types.ts';

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

/** What must stand around a template literal so that the code stays code. */
interface Frame {
  open: string;
  close: string;
  /** Whether the property before it has to be ended first. */
  comma?: boolean;
  unfitted?: boolean;
}

const bare: Frame = { open: '', close: '' };

/** In an object: a value where one is wanted, else a property `sql` on a line of its own. */
function frameInObject(text: string, { start, end }: Span, before: string, step: string): Frame {
  const line = lineAt(text, start);
  const last = before.at(-1) ?? '';
  const next = /^\s*(\S?)/.exec(text.slice(end))?.[1] ?? '';
  if (last === ':') return { open: '', close: /["'`\w$[]/.test(next) ? ',' : '' };
  const [isFirst, isLast] = [isBlank(text.slice(line.start, start)), isBlank(text.slice(end, lineAt(text, end).end))];
  const indent = leadingWhite(line.text);
  if (/[{,]/.test(last)) {
    const open = isFirst ? 'sql: ' : isLast ? `\n${indent}${last === '{' ? step : ''}sql: ` : ' sql: ';
    return { open, close: isLast ? ',' : isFirst ? `,\n${indent}` : ', ' };
  }
  // The value of another property ends here.
  if (endsExpression(before) && isLast)
    return { open: isFirst ? 'sql: ' : `\n${indent}sql: `, close: ',', comma: true };
  return { ...bare, unfitted: true };
}

/** After the end of an expression a literal would be taken for a tagged template. */
const endsExpression = (before: string): boolean => /[\w$)\]}`'"]$/.test(before) && !/\b(?:return|case)$/.test(before);

/** Among statements: a value where one is wanted, else a declaration on a line of its own. */
function frameInBlock(text: string, { start, end }: Span, before: string): Frame {
  const line = lineAt(text, start);
  const indent = leadingWhite(line.text);
  const isFirst = isBlank(text.slice(line.start, start));
  const after = text.slice(end, lineAt(text, end).end);
  if (isFirst && isBlank(after)) return endsExpression(before) ? { open: 'const sql = ', close: ';' } : bare;
  if (isFirst && /^\s*[\w$/]/.test(after)) return { open: 'const sql = ', close: `;\n${indent}` };
  const isOver = endsExpression(before) || before.endsWith(';');
  if (isOver && isBlank(after)) return { open: `\n${indent}const sql = `, close: ';' };
  return isOver && !/^\s*[)\],;}]/.test(after) ? { ...bare, unfitted: true } : bare;
}

function frameFor(text: string, place: JsPlace, span: Span, step: string): Frame {
  const before = text.slice(0, place.codeEnd);
  const bracket = place.brackets.at(-1);
  const isObject = bracket?.character === '{' && /[(,:=[?]$|\breturn$/.test(text.slice(0, bracket.at).trimEnd());
  if (isObject) return frameInObject(text, span, before, step);
  if (bracket === undefined || bracket.character === '{') return frameInBlock(text, span, before);
  return endsExpression(before) ? { ...bare, unfitted: true } : bare;
}

/** @returns whether the object around the place has a property `sql` already */
function hasSqlProperty(text: string, { brackets }: JsPlace): boolean {
  const around = brackets.at(-1)?.at ?? 0;
  return [...text.matchAll(/(?<=[{,]\s*["']?)sql(?=["']?\s*:)/g)].some(({ index }) => {
    if (index < around) return false;
    const found = jsPlace(text, /["']/.test(text.charAt(index - 1)) ? index - 1 : index);
    return found.kind === 'jsCode' && found.brackets.length === brackets.length && found.brackets.at(-1)?.at === around;
  });
}

function writeCode(place: JsPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  const line = lineAt(text, selection.start);
  const indent = leadingWhite(line.text);
  const comment = (about: string): string => `${indent}${indentRest(commentLines(about, '//'), indent)}\n`;
  const above = (about: string): TextEdit => ({ start: line.start, end: line.start, text: comment(about) });
  if (options.asComment) return { edits: [above(sql)], warnings: [] };
  const step = options.insertSpaces ? ' '.repeat(options.tabSize) : '\t';
  const { open, close, comma = false, unfitted = false } = frameFor(text, place, selection, step);
  const isBelow = open.startsWith('\n');
  const noted =
    note !== undefined && isBelow
      ? open.replace(/^\n\s*/, (white) => `${white}${commentLines(note, '//')}${white}`)
      : open;
  const literal = { ...selection, text: `${noted}\`${templateText(sql)}\`${close}` };
  const edits = [
    ...(comma ? [{ start: place.codeEnd, end: place.codeEnd, text: ',' }] : []),
    ...(note === undefined || isBelow ? [] : [above(note)]),
    literal,
  ];
  const warnings = [
    ...(unfitted ? [warn('unfittedPlace')] : []),
    ...(open.endsWith('sql: ') && hasSqlProperty(text, place) ? [warn('duplicateKey', 'sql')] : []),
  ];
  return { edits, warnings };
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
  const fitted = fitInLine(apart(commented, around), note, { before: around.before, after });
  const whole = sits ? indentSql(fitted, indent, options) : fitted;
  // In a raw literal nothing can be escaped, and nothing else has to be.
  const isRaw = /\bString\.raw\s*$/.test(text.slice(0, place.start));
  const isOpen = isRaw && /`|\$\{|\\$/.test(whole);
  return {
    edits: [{ ...selection, text: isRaw ? whole : templateText(whole) }],
    warnings: isOpen ? [warn('unfittedPlace')] : [],
  };
}

function writeString(place: JsPlace, { text, selection, sql, note, options }: WriteRequest): Written {
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const before = text.slice(place.start + 1, selection.start);
  const line = text.slice(selection.end, lineAt(text, selection.end).end);
  const after = line.startsWith(place.quote) ? '' : line;
  const whole = fitInLine(apart(commented, { before, after }), note, { before, after });
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
