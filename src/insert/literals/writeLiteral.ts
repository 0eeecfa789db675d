/** Writes SQL into a language of which only literals and comments are known, and its grammar if one is loaded. */
import { commentAbove } from '../code/frame.ts';
import { indentLines, indentRest } from '../indent.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { MARKUP } from '../markup/markup.ts';
import { apart, commentLines, fitInLine, warn, withNote, type WriteRequest, type Written } from '../place.ts';
import { writeOther } from '../sql/writeSql.ts';
import { wrappersAt, type Wrapper } from './codePoint.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { findAround, type Found } from './readLiteral.ts';
import { SCRIPTS } from './scriptLanguages.ts';
import { SHELLS } from './shellLanguages.ts';

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

/** The literal in one form, or in two if the compiler would change the text of the first. */
function* literalsFor(
  { value, fallback }: Language,
  { sql, text, selection, options }: WriteRequest,
  { open, indent = '' }: Wrapper,
): Generator<string> {
  const hasLines = value(sql).includes('\n');
  const own = open.startsWith('\n') ? open.slice(1) : indent || lineAt(text, selection.start).text;
  yield value(hasLines ? indentLines(sql, leadingWhite(own), options) : sql);
  if (hasLines && fallback) yield fallback(sql);
}

function* writeCode(language: Language, request: WriteRequest): Generator<() => Written> {
  const { text, selection, sql, note, options } = request;
  const line = lineAt(text, selection.start);
  const above = (about: string) => commentAbove(text, line.start, about, language.mark);
  if (options.asComment) yield () => ({ edits: [above(sql)], warnings: [] });
  const write =
    ({ open, close, indent = '' }: Wrapper, value: string) =>
    (): Written => {
      const isBelow = open.startsWith('\n');
      const white = isBelow ? `\n${leadingWhite(open.slice(1))}` : indent;
      const isInText = note !== undefined && white !== '';
      const noted = isInText ? `${white}${commentLines(note, language.mark)}${isBelow ? '' : '\n'}` : '';
      const before = noted + indent + open;
      const edit = { ...selection, text: before + value + close };
      const literalAt = before.length + Math.floor(value.length / 2);
      return { edits: note === undefined || isInText ? [edit] : [above(note), edit], warnings: [], literalAt };
    };
  const comment = (): Written => {
    const before = text.slice(line.start, selection.start);
    const lines = indentRest(commentLines(withNote(sql, note), language.mark), leadingWhite(line.text));
    const opens = isBlank(before) ? '' : `\n${leadingWhite(line.text)}`;
    return { edits: [{ ...selection, text: opens + lines }], warnings: [], isComment: true };
  };
  const step = options.insertSpaces ? ' '.repeat(options.tabSize) : '\t';
  for (const wrapper of wrappersAt(text, selection, language, step))
    if (wrapper === 'comment') yield comment;
    else for (const value of literalsFor(language, request, wrapper)) yield write(wrapper, value);
  yield () => ({ ...writeOther(request), warnings: [warn('unfittedPlace')] });
}

/** @returns the language of a file, if its literals are known */
export function languageNamed(languageId: string, fileName: string): Language | undefined {
  const extension = /\.(\w+)$/.exec(fileName)?.[1] ?? '';
  return [...LANGUAGES, ...SCRIPTS, ...SHELLS, ...MARKUP].find(
    ([names]) => names.test(languageId.toLowerCase()) || names.test(extension.toLowerCase()),
  )?.[1];
}

/** @returns ways to write the SQL into a file of this language, best first */
export function writeLiteral(language: Language, request: WriteRequest): (() => Written)[] {
  const found = findAround(request.text, language, request.selection.start);
  return found === undefined ? [...writeCode(language, request)] : [() => writeInside(language, found, request)];
}
