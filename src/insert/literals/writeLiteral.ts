/** Writes SQL into languages of which only the literals and comments are known. */
import { commentAbove } from '../code/frame.ts';
import { indentLines, indentRest } from '../indent.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { LANGUAGES, type Language } from './languages.ts';
import type { Form } from './literalForms.ts';
import { MARKUP } from '../markup/markup.ts';
import {
  openBracketAt,
  apart,
  commentLines,
  fitInLine,
  warn,
  type Decode,
  type WriteRequest,
  type Written,
} from '../place.ts';
import { decodeRange } from './decode.ts';
import { SHELLS } from './shellLanguages.ts';
import type { Span } from '../types.ts';
import { writeOther } from '../sql/writeSql.ts';

/** A literal or comment in a text. */
interface Found {
  form: Form;
  /** Start and end of its text, between the delimiters. */
  start: number;
  end: number;
  /** End including the closing delimiter. */
  next: number;
  isClosed: boolean;
  /** Ranges that can't be split, such as escapes. */
  joint: readonly Span[];
}

const escapedForPattern = (text: string): string => text.replace(/[^\w\s]/g, '\\$&');

function readForm(text: string, form: Form, start: number, tag: string): Found {
  const close = form.close.replace('TAG', escapedForPattern(tag));
  const marks = new RegExp(`(${form.skip ?? '(?!)'})|${close}${form.isOneLine ? '|(?=\\n)' : ''}`, 'gm');
  marks.lastIndex = start;
  const joint: Span[] = [];
  let mark = marks.exec(text);
  for (; mark?.[1] !== undefined; mark = marks.exec(text)) joint.push({ start: mark.index, end: marks.lastIndex });
  const end = mark?.index ?? text.length;
  return { form, start, end, next: end + (mark?.[0].length ?? 0), isClosed: mark !== null, joint };
}

/** @returns the literal or comment at the offset */
export function findAround(text: string, { forms }: Pick<Language, 'forms'>, offset: number): Found | undefined {
  const opens = new RegExp(forms.map(({ open }) => open).join('|'), 'gm');
  const openings = forms.map((form) => ({ form, own: new RegExp(form.open, 'ym') }));
  for (let at = 0; ;) {
    opens.lastIndex = at;
    const index = opens.exec(text)?.index ?? Infinity;
    if (index > offset) return undefined;
    at = index + 1;
    for (const { form, own } of openings) {
      own.lastIndex = index;
      const match = own.exec(text);
      if (match === null) continue;
      const found = readForm(text, form, own.lastIndex, match[1] ?? '');
      if (offset >= found.start && offset <= found.end && form.close !== '') return found;
      at = Math.max(found.next, at);
      if (found.next > index) break;
    }
  }
}

/** @returns a function that decodes the literal in a written range */
export const decodeLiteral =
  (language: Pick<Language, 'forms'>): Decode =>
  (text, range, { literalAt = 0 }) => {
    const found = findAround(text, language, range.start + literalAt);
    if (found === undefined) return undefined;
    const within = { start: Math.max(found.start, range.start), end: Math.min(found.end, range.end) };
    return decodeRange(text, found.start, within, found.form.decoder);
  };

function writeInside(language: Language, found: Found, request: WriteRequest): Written {
  const { text, selection, sql, note, options } = request;
  const { form, start, end } = found;
  const line = lineAt(text, selection.start);
  const lineEnd = lineAt(text, selection.end).end;
  const around = {
    before: text.slice(Math.max(line.start, start), selection.start),
    after: text.slice(selection.end, Math.max(selection.end, Math.min(lineEnd, end))),
  };
  const commented = options.asComment ? commentLines(sql, '--') : sql;
  const whole = fitInLine(apart(commented, around), note, around);
  const indent = leadingWhite(line.start >= start ? around.before : line.text);
  const fitted = form.isOneLine ? whole : indentLines(whole, indent, options);
  const written = form.isComment ? indentRest(form.write(whole), leadingWhite(line.text)) : form.write(fitted);
  const file = text.slice(0, selection.start) + written + text.slice(selection.end);
  const after = findAround(file, language, start);
  const isKept = found.isClosed && after?.form === form && file.length - after.end === text.length - end;
  const isCut = found.joint.some((span) =>
    [selection.start, selection.end].some((at) => span.start < at && at < span.end),
  );
  const isUnfit = form.unfit?.test(whole) || form.unfitBehind?.test(text.slice(0, selection.start));
  const warnings = !isKept || isCut || isUnfit || selection.end > end ? [warn('unfittedPlace')] : [];
  return { edits: [{ ...selection, text: written }], warnings: form.isComment ? [warn('insideComment')] : warnings };
}

/** What can precede and follow a value. */
const AROUND_VALUE = { before: /(?:[=(,[:?+]|<-|\breturn)\s*$/, after: /^\s*(?:[;,)\]}]|$)/ };
/** The same on its own line, for the code above and below. */
const ABOVE_VALUE = /(?:[^=!<>]=|[^<>]:=|[([,:?+]|<-|\breturn)$/;
const BELOW_VALUE = /^(?:[;,)\]}.+:]|$)/;
/** Start of another item. */
const ITEM = /^["'`\w$@[({<&*:-]/;
/** A named item, next to which an unnamed one is not possible. */
const NAMED = /^["']?\w+["']?\s*(?::(?!:)|=>)/;
/** Operators that continue an expression on the next line. */
const GOES_ON = /^(?:[.?&|=*/,:)\]%<>+^]|-(?![\w("'])|(?:and|or|else|elsif|catch|finally|with|extends|implements)\b)/;

/** Number of characters of code to inspect before a position. */
const FAR = 200_000;

/** The code before and after the position, without white space and comments. */
function codeAround(text: string, { start, end }: Span, { mark }: Language): { before: string; after: string } {
  const comment = new RegExp(`^[ \\t]*${escapedForPattern(mark)}[^\\n]*$`, 'gm');
  const code = (part: string): string => (mark === '' ? part : part.replace(comment, '')).trim();
  return { before: code(text.slice(Math.max(0, start - FAR), start)), after: code(text.slice(end, end + 500)) };
}

/** Heads of types whose members are not declared like variables. */
const TYPES = /\b(?:enum|interface|struct|trait|protocol|annotation)\b[^{};\n]*$/;
/** Heads of blocks that can't start with a statement. */
const NO_BLOCK = /\b(?:switch|match|when|select|import|annotation)\b[^{};\n]*\{$/;

/** Matches code that ends with the brace of a block. */
const BLOCK = /(?:[)\w>]|=>|\|)\s*\{$/;

/** Whether a statement can start after this code. */
function endsStatement(before: string, { endsWithLine = false, notIn = TYPES, opens = BLOCK }: Language): boolean {
  const open = openBracketAt(before, '([{');
  if (/[([]/.test(before.charAt(open)) || notIn.test(before.slice(Math.max(0, open - 500), Math.max(0, open))))
    return false;
  if (before === '' || /(?:[;}]|<\?php)$/.test(before)) return true;
  if (before.endsWith('{')) return opens.test(before) && !NO_BLOCK.test(before);
  return (
    endsWithLine &&
    (/\|[\w\s,*&]*\|$/.test(before) || !/(?:[,([=+*/&|?:.\\<-]|^\s*case\b[^\n]*)$/.test(before)) &&
    !/^\s*@[^\n]*$/.test(before.split('\n').at(-1) ?? '')
  );
}

/** On its own line: a value, an item or a declaration, depending on the code above and below. */
function onOwnLine(
  language: Language,
  request: WriteRequest,
  write: (open: string, close: string) => Written,
): (() => Written)[] {
  const { before, after } = codeAround(request.text, request.selection, language);
  const isItem = /[([,]$/.test(before);
  const candidates: (() => Written)[] = [];
  if (ABOVE_VALUE.test(before) && BELOW_VALUE.test(after)) candidates.push(() => write('', ''));
  const isList = isItem || (before.endsWith('{') && !(language.opens ?? BLOCK).test(before));
  if (isList && ITEM.test(after) && !NAMED.test(after)) candidates.push(() => write('', ','));
  if (endsStatement(before, language) && (/[;{]$/.test(before) || !GOES_ON.test(after)))
    candidates.unshift(
      ...(language.declare ?? []).map(
        ([open, close]) =>
          () =>
            write(open, close),
      ),
    );
  return candidates;
}

function writeCode(language: Language, request: WriteRequest): (() => Written)[] {
  const { text, selection, sql, note, options } = request;
  const line = lineAt(text, selection.start);
  const above = (about: string) => commentAbove(text, line.start, about, language.mark);
  if (options.asComment) return [() => ({ edits: [above(sql)], warnings: [] })];
  const before = text.slice(line.start, selection.start);
  const after = text.slice(selection.end, lineAt(text, selection.end).end);
  const inLines = language.value(sql).includes('\n');
  const first = language.value(inLines ? indentLines(sql, leadingWhite(line.text), options) : sql);
  const writing =
    (value: string) =>
    (open: string, close: string): Written => {
      const edit = { ...selection, text: open + value + close };
      const literalAt = open.length + Math.floor(value.length / 2);
      return { edits: note === undefined ? [edit] : [above(note), edit], warnings: [], literalAt };
    };
  const around = language.around ?? AROUND_VALUE;
  const isValue = around.before.test(before) && around.after.test(after) && !isBlank(before);
  const isOwnLine = isBlank(before) && isBlank(after) && language.around === undefined;
  const candidates = [first, ...(language.fallback && inLines ? [language.fallback(sql)] : [])]
    .map(writing)
    .flatMap((write) => (isValue ? [() => write('', '')] : isOwnLine ? onOwnLine(language, request, write) : []));
  return [...candidates, () => ({ ...writeOther(request), warnings: [warn('unfittedPlace')] })];
}

/** @returns the language of a file, if its literals are known */
export function languageNamed(languageId: string, fileName: string): Language | undefined {
  const extension = /\.(\w+)$/.exec(fileName)?.[1] ?? '';
  return [...LANGUAGES, ...SHELLS, ...MARKUP].find(
    ([names]) => names.test(languageId.toLowerCase()) || names.test(extension.toLowerCase()),
  )?.[1];
}

/** @returns ways to write the SQL into a file of this language, best first */
export function writeLiteral(language: Language, request: WriteRequest): (() => Written)[] {
  const found = findAround(request.text, language, request.selection.start);
  return found === undefined ? writeCode(language, request) : [() => writeInside(language, found, request)];
}
