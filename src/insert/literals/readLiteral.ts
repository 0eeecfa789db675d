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

/** @returns the pattern of what matters in a literal: escapes and its end */
export const closingSource = ({ skip = '(?!)', close, isOneLine }: Form): string =>
  `(${skip})|${close}${isOneLine ? '|(?=\\n)' : ''}`;

const marksOf = (form: Form) => ({
  form,
  opening: new RegExp(form.open, 'ym'),
  closing: new RegExp(closingSource(form), 'gm'),
});
type Marks = ReturnType<typeof marksOf>;

/** @returns the ranges that `fields` of a form matches in a part of the text */
export const templateFields = (text: string, { fields }: Form, start: number, end: number): Span[] =>
  [...(fields ? text.slice(start, end).matchAll(fields) : [])].map(({ index, 0: { length } }) => ({
    start: start + index,
    end: start + index + length,
  }));

function readForm(text: string, { form, closing }: Marks, open: number, start: number): Found {
  closing.lastIndex = start;
  const escapes: Span[] = [];
  const found = (end: number, next: number, isClosed: boolean): Found => {
    return { form, open, start, end, next, isClosed, joint: [...escapes, ...templateFields(text, form, start, end)] };
  };
  for (let mark = closing.exec(text); mark !== null; mark = closing.exec(text)) {
    if (mark[1] === undefined) return found(mark.index, mark.index + mark[0].length, true);
    escapes.push({ start: mark.index, end: closing.lastIndex });
  }
  return found(text.length, text.length, false);
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

/** @returns the decoded part of a literal in the range; undefined if it contains more than text */
export function decodeWithin(text: string, range: Span, { form, start, end, joint }: Found): string | undefined {
  const from = joint.reduce((last, span) => (span.end <= range.start ? Math.max(last, span.end) : last), start);
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
