/** Writes SQL into an existing literal or comment. */
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { indentLines } from '../indent.ts';
import { fitInLiteral } from '../sql/fitSql.ts';
import { warn, type WriteRequest, type Written } from '../writing.ts';
import type { Found } from './readLiteral.ts';

/** Matches the start of a line of a comment, up to its text. */
const MARKED = /^[ \t]*(?:\/\/+|#+(?: MAGIC\b)?|\*(?!\/))[ \t]*/;

function writeComment({ form: { write, prefix = '' } }: Found, { text, selection, sql, note }: WriteRequest): Written {
  const line = lineAt(text, selection.start);
  const own = MARKED.exec(text.slice(line.start, selection.start))?.[0];
  const start = `\n${own ?? leadingWhite(line.text) + prefix}`;
  const lines = write(note === undefined ? sql : `${note}\n${sql}`).replaceAll('\n', start);
  return {
    edits: [{ ...selection, text: lines.replace(/(?<![ \t])[ \t]+$/gm, '') }],
    warnings: [warn('insideComment')],
    isComment: true,
  };
}

/** Writes SQL into the literal. On an indented line of a literal, the SQL is indented too, except its own literals. */
export function writeInside(found: Found, request: WriteRequest): Written {
  const { form, start, end, joint, beside } = found;
  if (form.isComment) return writeComment(found, request);
  const { text, selection, options } = request;
  const line = lineAt(text, selection.start);
  const before = text.slice(Math.max(line.start, start), selection.start);
  const content = { start: selection.start - start, end: selection.end - start };
  const fitted = fitInLiteral(request, text.slice(start, end), content, beside);
  const { ending = '' } = form;
  const isEnded = text.startsWith(ending, end);
  const lead = ending !== '' && selection.start === start ? ' ' : '';
  const whole = lead + fitted + (isEnded ? '' : ` ${ending}`);
  const indent = leadingWhite(line.start >= start ? before : line.text);
  const lines = form.isOneLine ? whole : indentLines(whole, indent, options);
  const written = form.write(lines, before.slice(-1), text.charAt(selection.end));
  const isCut = joint.some((span) => [selection.start, selection.end].some((at) => span.start < at && at < span.end));
  const isOpen = isEnded ? !found.isClosed : !isBlank(text.slice(selection.end, end));
  const isLost = isCut || isOpen || selection.end > end;
  return {
    edits: [{ ...selection, text: written }],
    warnings: isLost ? [warn('unfittedPlace')] : [],
    keeps: text.length - end + (isEnded ? 0 : ending.length),
  };
}
