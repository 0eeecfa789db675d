/** Writes SQL into an existing literal or comment. */
import { leadingWhite, lineAt } from '../../shared/text/lines.ts';
import { indentLines } from '../indent.ts';
import { betweenText, warn, type WriteRequest, type Written } from '../writing.ts';
import type { Found } from './readLiteral.ts';

function writeComment({ form: { write, prefix = '' } }: Found, { text, selection, sql, note }: WriteRequest): Written {
  const start = `\n${leadingWhite(lineAt(text, selection.start).text)}${prefix}`;
  const lines = write(note === undefined ? sql : `${note}\n${sql}`).replaceAll('\n', start);
  return {
    edits: [{ ...selection, text: lines.replace(/(?<![ \t])[ \t]+$/gm, '') }],
    warnings: [warn('insideComment')],
    isComment: true,
  };
}

/** Writes SQL into the literal. On an indented line of a literal, the SQL is indented too, except its own literals. */
export function writeInside(found: Found, request: WriteRequest): Written {
  const { form, start, end, joint } = found;
  if (form.isComment) return writeComment(found, request);
  const { text, selection, options } = request;
  const line = lineAt(text, selection.start);
  const before = text.slice(Math.max(line.start, start), selection.start);
  const rest = text.slice(selection.end, lineAt(text, selection.end).end);
  const after = rest.slice(0, Math.max(0, end - selection.end));
  const whole = betweenText(request, { before, after });
  const indent = leadingWhite(line.start >= start ? before : line.text);
  const lines = form.isOneLine ? whole : indentLines(whole, indent, options);
  const written = form.write(lines, before.slice(-1), text.charAt(selection.end));
  const isCut = joint.some((span) => [selection.start, selection.end].some((at) => span.start < at && at < span.end));
  const isLost = isCut || !found.isClosed || selection.end > end;
  return {
    edits: [{ ...selection, text: written }],
    warnings: isLost ? [warn('unfittedPlace')] : [],
    keeps: text.length - end,
  };
}
