/** What has to stand around a literal in Python code: a name, a comma, a line of its own. */
import { bare, onEmptyLine, unfitted, type Frame } from './frame.ts';
import { isBlank, leadingWhite } from '../../shared/text/lines.ts';
import { ownCode, pythonPlace, type PythonPlace } from './python.ts';
import type { Span } from '../types.ts';

/** What a value may follow. */
const BEFORE_VALUE =
  /(?:[=(,[{:+%<>]|\b(?:return|yield|await|in|is|and|or|not|if|elif|else|while|assert|raise|from|case))$/;
/** What may follow a value. */
const AFTER_VALUE = /^(?:$|[)\]},:;.+%<>]|[!=]=|(?:if|else|for|in|is|and|or|as|async|not\s+in)\b)/;
/** What begins another item. */
const ITEM = /^["'\w([{*]/;

/** Words that a bracket may follow without being its own. */
const NO_NAME = /\b(?:return|yield|await|in|is|and|or|not|if|elif|else|while|assert|raise|del|case|for|print|lambda)$/;

const opensBlock = (code: string): boolean =>
  /^(?:async|class|def|elif|else|except|finally|for|if|match|try|while|with|case)\b.*:$/s.test(code.trim());

/** What has to stand before an item of the bracket; `undefined` where that is not clear. */
function nameOf(bracket: string, head: string, before: string, after: string): string | undefined {
  if (bracket === '(') {
    if (/\b(?:def|class)\s+\w+$|\bimport$/.test(head)) return undefined;
    // Behind a keyword argument there is none without.
    return /(?:^|,)\s*(?:\w+\s*=(?!=)|\*\*)/.test(before) ? 'sql=' : '';
  }
  if (bracket === '[') return '';
  const items = before + after;
  if (after.startsWith(':')) return '';
  if (/\*\*|:/.test(items.replace(/\blambda\b[^:]*:/g, ''))) return '"sql": ';
  return isBlank(items) ? undefined : '';
}

function frameInBrackets(text: string, at: number, { start, end }: Span): Frame {
  const head = text.slice(Math.max(0, at - 100), at).replace(/[ \t]+$/, '');
  const before = ownCode(text, at + 1, start, false).trim();
  const after = ownCode(text, end, text.length, false).trim();
  const endsLine = /^[ \t]*(?:#.*)?\r?\n/.test(text.slice(end));
  const isNext = ITEM.test(after) && !AFTER_VALUE.test(after);
  const comma: Frame = { open: '', close: /\s/.test(text.charAt(end)) ? ',' : ', ' };
  const bracket = text.charAt(at);
  if (before !== '' && !before.endsWith(',')) {
    if (!BEFORE_VALUE.test(before)) return unfitted;
    // The value of a keyword or key is on its line; what begins on the next one is another item.
    const namesNext = before.endsWith(':') ? /^[^,]*:/ : before.endsWith('=') ? /^(?:\w+\s*=(?!=)|\*)/ : /(?!)/;
    if (isNext) return namesNext.test(after) && endsLine ? comma : unfitted;
    return AFTER_VALUE.test(after) ? bare : unfitted;
  }
  const name = nameOf(bracket, head, before, after);
  const isOwned = /[\w)\]]$/.test(head) && !NO_NAME.test(head);
  // In parentheses of no call, and in an index, a comma would make a tuple of what is there.
  const isList = bracket === '(' ? isOwned || before !== '' : bracket === '{' || !isOwned;
  // What names are given values in brackets takes no literal.
  const isTarget = !isOwned && /^[([][)\]](?:\s*,[^=:]*)?\s*=(?!=)/.test(ownCode(text, at, text.length, true));
  if (isTarget || [head, before].some((code) => /\bfor\b[\w\s,]*$/.test(code))) return unfitted;
  if (name === undefined || (isNext && (!isList || /\bfor\b/.test(after)))) return unfitted;
  if (!isNext && !AFTER_VALUE.test(after)) return unfitted;
  const isDuplicate = name === 'sql=' && /(?:^|,)\s*sql\s*=(?!=)/m.test(`${before}\n${after}`);
  const open = (text.charAt(start - 1) === ',' ? ' ' : '') + name;
  return { open, close: isNext ? comma.close : '', isDuplicate };
}

interface Statement {
  indent: string;
  code: string;
}

/** The statements before the offset, last first. */
function* statementsBefore(text: string, lines: readonly number[], offset: number): Generator<Statement> {
  for (let index = lines.length - 1; index >= 0; index--) {
    const start = lines[index] ?? 0;
    const code = start < offset ? ownCode(text, start, offset, true) : '';
    if (!isBlank(code)) yield { indent: leadingWhite(code), code: code.trim() };
  }
}

/** The next line with code in it. */
function statementAfter(text: string, offset: number): Statement | undefined {
  const [, indent = '', code = ''] = /^([ \t]*)([^\s#].*)/m.exec(text.slice(offset)) ?? [];
  return code === '' ? undefined : { indent, code };
}

/** Whether the line goes on with the statement of the block above it. */
const isClause = (code: string): boolean => /^(?:else|elif|except|finally)\b|^case\b.*:/.test(code);

/**
 * Indentation of a new statement between those that are there: its own, where that is possible, else the outermost.
 * @returns `undefined` where no statement can stand
 */
function indentBetween(
  above: Iterable<Statement>,
  below: Statement | undefined,
  own: string,
  step: string,
): string | undefined {
  const levels: string[] = [];
  for (const { indent, code } of above) {
    if (levels.length === 0 && opensBlock(code)) {
      if (/^match\b/.test(code)) return undefined;
      if (below !== undefined && below.indent.length > indent.length) return below.indent;
      return own.length > indent.length ? own : indent + step;
    }
    if (levels.length === 0 && code.startsWith('@')) return undefined;
    if (indent.length < (levels[0]?.length ?? Infinity)) levels.unshift(indent);
    if (indent === '') break;
  }
  if (levels.length === 0) return own;
  const least = below === undefined ? 0 : below.indent.length + (isClause(below.code) ? 1 : 0);
  const open = levels.filter(({ length }) => length >= least);
  return open.findLast(({ length }) => length <= own.length) ?? open[0];
}

function frameInStatement(text: string, { lines }: PythonPlace, { start, end }: Span, step: string): Frame {
  const lineStart = lines.at(-1) ?? 0;
  const before = ownCode(text, lineStart, start, true);
  const after = ownCode(text, end, text.length, true).trim();
  const code = before.trim();
  if (code === 'else' || code === 'from') return unfitted;
  const isValue = BEFORE_VALUE.test(code) && (!code.endsWith(':') || /\blambda\b[^:]*:$/.test(code));
  if (isValue) return AFTER_VALUE.test(after) ? bare : unfitted;
  if (code !== '' && after !== '') return unfitted;
  const rest = text.slice(end);
  const own = code === '' ? before + leadingWhite(rest) : leadingWhite(before);
  const below = statementAfter(text, code === '' && after !== '' ? lineStart : end);
  const above = statementsBefore(text, lines, code === '' ? lineStart : start);
  const indent = indentBetween(above, below, own, step);
  if (indent === undefined) return unfitted;
  if (code !== '') return { open: `\n${indent}sql = `, close: '' };
  return { open: `${indent}sql = `, close: after === '' ? '' : `\n${before}`, lineStart };
}

/** @param step white space of one level more */
export function pythonFrame(text: string, place: PythonPlace, selection: Span, step: string): Frame {
  const bracket = place.brackets.at(-1);
  const last = selection.end > selection.start ? pythonPlace(text, selection.end) : place;
  if (last.kind !== 'pythonCode' || last.brackets.at(-1) !== bracket) return unfitted;
  // Behind the mark that the line goes on nothing can stand, nor amid an operator of two words.
  const isAmidWords = /\bnot\s+in\b/.test(text.slice(Math.max(0, selection.start - 4), selection.end + 4));
  if (text.charAt(selection.start - 1) === '\\' || isAmidWords) return unfitted;
  return bracket === undefined
    ? frameInStatement(text, place, selection, step)
    : onEmptyLine(frameInBrackets(text, bracket, selection), text, selection, step);
}
