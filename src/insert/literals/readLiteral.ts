/** Finds literals and comments in the text of a language, by the forms in its table row. */
import type { Decode } from '../writing.ts';
import type { Span } from '../types.ts';
import { decodeRange } from './decode.ts';
import type { Language } from './languages.ts';
import type { Form } from './literalForms.ts';

export interface Found {
  form: Form;
  open: number;
  /** Start and end of its text, between the delimiters. */
  start: number;
  end: number;
  /** Offset after the closing delimiter. */
  next: number;
  isClosed: boolean;
  /** Matches characters that can't be split, such as escapes. */
  joint: readonly Span[];
  /** The characters of adjacent literals that continue the text before and after it. */
  beside?: readonly [before: string, after: string];
}

type Forms = Pick<Language, 'forms'>;

/** @returns the pattern of what matters in a literal: escapes, interpolations and its end */
export const closingSource = ({ skip = '(?!)', hole = '(?!)', close, isOneLine }: Form): string =>
  `(${hole})|(${skip})|${close}${isOneLine ? '|(?=\\n)' : ''}`;

const marksOf = (form: Form) => ({
  form,
  opening: new RegExp(form.open, 'ym'),
  closing: new RegExp(closingSource(form), 'gm'),
});
type Marks = ReturnType<typeof marksOf>;

/** Maximum characters of an interpolation; the end of a longer one is not found. */
const LONGEST_HOLE = 2000;

/** @returns the end of the interpolation that begins before the offset; undefined if it isn't closed */
export function endOfHole(text: string, start: number): number | undefined {
  const end = Math.min(text.length, start + LONGEST_HOLE);
  let quote = '';
  let depth = 1;
  for (let at = start; at < end; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (/["'`]/.test(character)) quote = character;
    else if (/[([{]/.test(character)) depth++;
    else if (/[)\]}]/.test(character) && --depth === 0) return at + 1;
  }
  return undefined;
}

function readForm(text: string, { form, closing }: Marks, open: number, start: number): Found {
  closing.lastIndex = start;
  const joint: Span[] = [];
  for (let mark = closing.exec(text); mark !== null; mark = closing.exec(text)) {
    const [whole, hole, skipped] = mark;
    if (hole !== undefined) closing.lastIndex = endOfHole(text, closing.lastIndex) ?? closing.lastIndex;
    if (skipped !== undefined || hole !== undefined) joint.push({ start: mark.index, end: closing.lastIndex });
    else {
      const next = mark.index + whole.length;
      return { form, open, start, end: mark.index, next, isClosed: true, joint };
    }
  }
  return { form, open, start, end: text.length, next: text.length, isClosed: false, joint };
}

/** The literals and comments that start before the offset, in order. */
function* literalsOf(text: string, { forms }: Forms, offset: number): Generator<Found> {
  const any = new RegExp(forms.map(({ open }) => open).join('|'), 'gm');
  const all = forms.map(marksOf);
  for (let at = 0; ;) {
    any.lastIndex = at;
    const index = any.exec(text)?.index ?? Infinity;
    if (index > offset) return;
    at = index + 1;
    for (const marks of all) {
      const { opening } = marks;
      opening.lastIndex = index;
      if (!opening.test(text)) continue;
      const found = readForm(text, marks, index, opening.lastIndex);
      yield found;
      at = Math.max(found.next, at);
      if (found.next > index) break;
    }
  }
}

export function findAround(text: string, language: Forms, offset: number): Found | undefined {
  for (const found of literalsOf(text, language, offset))
    if (offset >= found.start && offset <= found.end) return found;
  return undefined;
}

/** @returns the code before the offset, without comments and the contents of literals */
export function codeBefore(text: string, language: Forms, offset: number): string {
  let code = '';
  let at = 0;
  for (const { form, open, start, end, next } of literalsOf(text, language, offset)) {
    if (open >= offset) break;
    const delimiters = text.slice(open, start) + text.slice(end, next);
    code += text.slice(at, open) + (form.isComment ? ' ' : delimiters);
    at = next;
  }
  return code + text.slice(Math.min(at, offset), offset);
}

/** @returns the decoded part of a literal in the range; undefined if it contains more than text */
export function decodeWithin(text: string, range: Span, { form, start, end, joint }: Found): string | undefined {
  const from = joint.findLast((span) => span.end <= range.start)?.end ?? start;
  const within = { start: Math.max(start, range.start), end: Math.min(end, range.end) };
  return decodeRange(text, from, within, form.decoder);
}

export const decodeLiteral =
  (language: Forms): Decode =>
  (text, range, { literalAt = 0, keeps }) => {
    const found = findAround(text, language, range.start + literalAt);
    if (found === undefined || (keeps !== undefined && text.length - found.end !== keeps)) return undefined;
    return decodeWithin(text, range, found);
  };
