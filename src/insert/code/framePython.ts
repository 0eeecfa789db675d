/** The code around a literal in Python, in the order of preference: a name, a comma, its own line. */
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import type { Span } from '../types.ts';
import { onEmptyLine, type Frame } from './frame.ts';
import type { Opening } from './verifyPython.ts';

export interface PythonFrame extends Frame {
  opening: Opening;
}

/** As a value or item in brackets, with the separators before and after it. */
function* frameItems(text: string, selection: Span, step: string): Generator<PythonFrame> {
  const { start, end } = selection;
  const isOwnLine = isBlank(text.slice(lineAt(text, start).start, start));
  const space = text.charAt(start - 1) === ',' ? ' ' : '';
  const comma = /\s/.test(text.charAt(end)) ? ',' : ', ';
  const before = text.slice(0, start).trimEnd();
  const openings = isOwnLine || /[,([{]$/.test(before.slice(-1)) ? (['', 'sql=', '"sql": '] as const) : ([''] as const);
  for (const opening of openings)
    for (const close of ['', comma])
      yield { ...onEmptyLine({ open: space + opening, close }, text, selection, step), opening };
  if (!isOwnLine) return;
  for (const opening of openings)
    yield { ...onEmptyLine({ open: opening, close: '' }, text, selection, step), commaAt: before.length, opening };
}

/** Possible indentations of a statement here: the nearest that is not deeper, then deeper ones. */
function indentsAt(text: string, lineStart: number, end: number, own: string, step: string): string[] {
  const indents = new Set([own]);
  const [, below] = /^([ \t]*)[^\s#]/m.exec(text.slice(end, end + 2000)) ?? [];
  if (below !== undefined) indents.add(below);
  let outer = Infinity;
  for (let at = lineStart; at > 0 && outer > 0;) {
    const line = lineAt(text, at - 1);
    const white = leadingWhite(line.text);
    if (white.length < outer && !isBlank(line.text)) {
      if (outer === Infinity) indents.add(white + step);
      outer = white.length;
      indents.add(white);
    }
    at = line.start;
  }
  const [fitting, deeper] = [true, false].map((isFitting) =>
    [...indents].filter(({ length }) => length <= own.length === isFitting),
  );
  const byLength = (a: string, b: string): number => a.length - b.length;
  return [...(fitting ?? []).sort(byLength).reverse(), ...(deeper ?? []).sort(byLength)];
}

/** On its own line: below the statement before the cursor, or in place of the selection. */
function* frameStatements(text: string, { start, end }: Span, step: string): Generator<PythonFrame> {
  const line = lineAt(text, start);
  const before = text.slice(line.start, start);
  const rest = text.slice(end, lineAt(text, end).end);
  const isAtStart = isBlank(before);
  const isAtEnd = /^\s*(?:#|$)/.test(rest);
  if (!isAtStart && !isAtEnd) return;
  const own = isAtStart ? before + leadingWhite(rest) : leadingWhite(before);
  const opening = 'sql = ';
  for (const indent of indentsAt(
    text,
    isAtStart ? line.start : start,
    isAtStart && !isBlank(rest) ? line.start : end,
    own,
    step,
  ))
    yield isAtStart
      ? { open: indent + opening, close: isBlank(rest) ? '' : `\n${before}`, lineStart: line.start, opening }
      : { open: `\n${indent}${opening}`, close: '', opening };
}

export function* pythonFrames(text: string, selection: Span, step: string): Generator<PythonFrame> {
  yield* frameItems(text, selection, step);
  yield* frameStatements(text, selection, step);
}
