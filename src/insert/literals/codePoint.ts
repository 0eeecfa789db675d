/** Determines what can be written at the cursor in code: a value, an item, or a declaration on its own line. */
import { isBlank, leadingWhite, lineAt, type Line } from '../../shared/text/lines.ts';
import { newLine, noWrapper, onEmptyLine, type Wrapper } from '../code/wrapper.ts';
import { clause, isList, lastLine, takesItems, takesValues, type CodePoint } from './brackets.ts';
import { openBracketAt, type WriteRequest } from '../writing.ts';
import type { Span } from '../types.ts';
import type { Language } from './languages.ts';
import { codeBefore, codeBehind, findAround } from './readLiteral.ts';

const countOf = (code: string, word: RegExp): number => code.split(word).length - 1;

const isInBlock = (code: string, { blocks }: Language): boolean =>
  blocks !== undefined && countOf(code, blocks) > countOf(code, /\bend\b/);

function codePointAt(text: string, { start, end }: Span, language: Language): CodePoint {
  const before = codeBefore(text, language, start);
  const after = codeBehind(text, language, end);
  const bracket = openBracketAt(before, '([{');
  // A function within a bracket contains statements.
  const open = isInBlock(before.slice(bracket + 1), language) ? -1 : bracket;
  return {
    before: before.trimEnd(),
    after: after.trimStart(),
    lineBefore: lastLine(before),
    lineAfter: lineAt(after, 0).text,
    open,
    head: lastLine(before.slice(0, Math.max(0, open)).trimEnd()),
  };
}

const WANTS_VALUE =
  /(?:[=(,[:]|(?<!\w\+)\+|(?<!\w)\?|<-|=>|&&|\|\||<<|\b(?:return|yield|await|echo|print|raise|throw|case|when|in|and|or))$/;
const GOES_ON =
  /^(?:$|[;,)\]}+.?]|[:%](?![\w:@{])|[!=]=|=>|->|&&|\|\||<<(?=\s)|<>|(?:do|if|unless|in|and|or|else|then|as)\b(?!:))/;
/** Matches the start of a value, not an option of a command. */
const ITEM = /^(?:["'`\w$@([{<&*:%!.]|-(?![A-Za-z]))/;

/** Whether the code is behind a value in its statement. On the line below, a condition or an item with a dot is a value. */
const goesOn = (before: string, rest: string, isBelow: boolean): boolean =>
  GOES_ON.test(rest) &&
  !(isBelow && (/^(?:if|unless)\b/.test(rest) || (/[([{,]$/.test(before) && rest.startsWith('.'))));
/** Matches a line that is complete: a statement, a block, a macro, a directive, an attribute of the file, or a label. */
const ENDED =
  /[;}]$|^[ \t]*[A-Z]+_[A-Z_\d]+(?:\(.*\))?$|^[ \t]*#(?:[ \t]*\w|!\[.*\]$)|^[ \t]*(?:public|private|protected|signals|Q_SIGNALS)(?: slots| Q_SLOTS)?[ \t]*:$/;
/** Matches the end of a line whose statement continues on the next line. */
const UNENDED = /(?:[,([=/&|:.\\<%`]|(?<!\+)\+|(?<!-)-|(?<!\w)\?|\|>|(?<!\.)\*)$/;
/** Matches text that continues the statement above it. */
const CONTINUES =
  /^(?:\.(?!\s)|\*(?!\w)|[?&|=/,)\]>+^]|%(?![\w{])|<(?!<\w)|:(?!\w)|-(?![\w("'])|(?:and|or|with|extends|implements)\b)/;
/** Matches what continues a statement, except in languages with blocks between keywords. */
const CLAUSE = /^(?:\{|(?:else|elsif|catch|finally)\b)/;
/** Matches what continues a statement that ends with a semicolon. */
const ELSE = /^else\b/;

/** Matches the accessors of a property, which contain nothing else. */
const ACCESSOR = /^(?:get|set|init)\b\s*(?:=>|[;{])/;
/** Matches the call of another constructor, which must come first. */
const IS_FIRST = /^(?:super|this)\(/;
/** Matches keywords of types whose members are not declared like variables. */
const TYPES = /\b(?:enum|interface|struct|trait|protocol|annotation)\b/;
/** Matches keywords of blocks that can't start with a statement. */
const NO_BLOCK = /\b(?:switch|match|when|select|import|annotation)\b/;
/** Matches the first case of a block that consists of cases, but no class of Scala. */
const CASE = /^case\b(?! (?:class|object)\b)/;
const IMPORTS = /^(?:import|export|part|library|using|package|namespace|use|declare)\b/m;

/** The declarations that are possible in the block: members of some types are not declared like variables. */
function declarationsIn(
  { before, open }: CodePoint,
  { declare = [], outside = declare, notIn = TYPES, members = [] }: Language,
): NonNullable<Language['declare']> {
  if (open < 0) return outside;
  const head = clause(before.slice(0, open).trimEnd(), '{};\n');
  return notIn.test(head) ? members : declare;
}

/** Whether the cursor is behind the brace of a block that can't start with a statement. */
const isAboveCases = ({ before, after, open }: CodePoint): boolean =>
  open === before.length - 1 && (CASE.test(after) || NO_BLOCK.test(clause(before.slice(0, -1).trimEnd(), '{};\n')));

function endsStatement(point: CodePoint, language: Language): boolean {
  const { before, after, open } = point;
  const { declare = [], first = IS_FIRST, last, unended = UNENDED, blocks } = language;
  if (isList(point, language) || first.test(after)) return false;
  if (ACCESSOR.test(before.slice(open + 1).trimStart() || after)) return false;
  if (last?.test(before)) return false;
  const line = lastLine(before);
  const isDirective = line.trimStart().startsWith('#');
  if (before.endsWith('\\') || (!blocks && !isDirective && /\belse$/.test(line))) return false;
  if (before === '' || ENDED.test(line) || /<\?php$/.test(before.slice(-5))) return true;
  if (open === before.length - 1) return !isAboveCases(point);
  if (declare[0]?.[1].startsWith(';') || /^\s*(?:@[\w.:]+(?:\(.*\))?$|case\b(?! class\b))/.test(line)) return false;
  return /\|[\w\s,*&]{0,100}\|$/.test(line.slice(-102)) || !unended.test(line);
}

/** Matches lines with the label of a block, after which statements follow. */
const LABEL = /^\s*(?:case|default|public|private|protected)\b/;
const OPERATOR = /[?:=<>&|+*/%!.-]/;

function wantsValue(point: CodePoint, lineAfter: string, language: Language): boolean {
  const code = point.before;
  // After these keywords, the equals sign is followed by a type.
  if (code.endsWith('=') && /\b(?:typealias|using|type)\s+\w/.test(clause(code.slice(0, -1), '=;{}\n'))) return false;
  if (code.endsWith(':') && (LABEL.test(lastLine(code)) || /^[^?]*\)\s*:$/.test(clause(code, ';{}')))) return false;
  if (/\belse$/.test(code)) return /\bif\b/.test(lastLine(code));
  if (code.endsWith('{')) return /^[,:]/.test(lineAfter) || (lineAfter.startsWith('}') && isList(point, language));
  return WANTS_VALUE.test(code);
}

/** Wrappers within a line: for a value, or for an item before another one. */
function* inLine(point: CodePoint, text: string, end: number, language: Language): Generator<Wrapper> {
  const { before, after, lineBefore } = point;
  const lineAfter = point.lineAfter.trimStart();
  const { around, commands, blocks } = language;
  if (around?.before.test(lineBefore) && around.after.test(point.lineAfter)) yield noWrapper;
  const isAmidOperator = OPERATOR.test(text.charAt(end - 1)) && OPERATOR.test(text.charAt(end));
  const isCommand = /\s$/.test(lineBefore) && commands?.test(lineBefore.trim());
  if (isAmidOperator || (!isCommand && !wantsValue(point, lineAfter, language)) || !takesValues(point, language))
    return;
  const isNext = /[([,]$/.test(before) && ITEM.test(after) && takesItems(point, language);
  const line = lineAt(text, end);
  const below = lineAt(text, Math.min(text.length, line.end + 1)).text;
  // The line below continues a list, or is the value if it is indented more, or if the type has a line of its own.
  const isIndented = leadingWhite(below).length > leadingWhite(line.text).length;
  const isContinued = !isBlank(below) && (isIndented || /^[ \t]*:/.test(line.text));
  const isItem = before.endsWith(',') || (isList(point, language) && !before.endsWith('='));
  const rest = isItem || isContinued ? after : lineAfter;
  // Without the value, a plus sign is part of a number, and the line below part of the statement.
  if (goesOn(before, rest, isBlank(lineAfter)) || (blocks && /^end\b/.test(rest)))
    yield { ...noWrapper, isReparsed: isBlank(lineAfter) || rest.startsWith('+') };
  else if (isNext) yield { open: '', close: /\s/.test(text.charAt(end)) ? ',' : ', ' };
}

/** Declarations on their own line. */
function* declarations(point: CodePoint, language: Language): Generator<Wrapper> {
  const isOver = /[;{]$/.test(point.before);
  const { continues = CONTINUES, blocks } = language;
  const isContinued = !isOver && continues.test(point.after);
  const isClause = !blocks && (isOver ? ELSE : CLAUSE).test(point.after);
  if (!endsStatement(point, language) || isContinued || isClause) return;
  for (const [open, close] of declarationsIn(point, language)) yield { open, close };
}

/** Values on their own line. */
function* values(point: CodePoint, language: Language): Generator<Wrapper> {
  const { before, after } = point;
  // Without commas between them, values are added as they are.
  if (language.around !== undefined && isList(point, language)) yield noWrapper;
  if (!takesValues(point, language)) return;
  if (WANTS_VALUE.test(before) && goesOn(before, after, true)) yield noWrapper;
  if (isList(point, language) && /[([{,]$/.test(before) && ITEM.test(after)) yield { open: '', close: ',' };
}

/** Matches the first line of a statement that is not an expression: a declaration, an assignment or a loop. */
const NO_EXPRESSION =
  /^\s*(?:@|(?:[a-z]+ )*(?:val|var|def|fun|class|object \w|trait|interface|type|import|return|throw|for|while|case)\b|[\w.]+(?:\[.*\])? *[-+*/]?=(?!=))/;
/** Matches a line that is not the first of a statement. */
const NOT_FIRST = /^\s*(?:[)\]}.?:&|*]|\/[/*])/;

/** @returns start of the expression above the cursor if it is the value of its block, which a declaration would change */
export function valueAbove(text: string, { start, end }: Span, language: Language): number | undefined {
  const { noValue } = language;
  const [closing] = /^\s*\}/.exec(text.slice(end)) ?? [];
  if (noValue === undefined || closing === undefined) return undefined;
  const before = codeBefore(text, language, start).trimEnd();
  const open = openBracketAt(before, '([{');
  const head = clause(before.slice(0, Math.max(0, open)).trimEnd(), '{};=\n');
  if (before.charAt(open) !== '{' || noValue.test(head) || !/[\w)\]}"'!?]$/.test(before)) return undefined;
  const outer = leadingWhite(lineAt(text, end + closing.length).text).length;
  const lineAbove = (offset: number): Line => lineAt(text, text.slice(0, offset).trimEnd().length);
  let line = lineAbove(start);
  // The first line of the expression is indented least.
  let least = Infinity;
  const isFirst = ({ start: at, text: own }: Line): boolean =>
    leadingWhite(own).length <= least &&
    !NOT_FIRST.test(own) &&
    !UNENDED.test(lineAbove(at).text) &&
    findAround(text, language, at) === undefined;
  while (line.start > 0 && !isFirst(line)) {
    least = Math.min(least, leadingWhite(line.text).length);
    line = lineAbove(line.start);
  }
  // A call with a block is rarely a value, and often long.
  const isCall = before.endsWith('}') && !/^\s*object\b/.test(line.text);
  const isInside = leadingWhite(line.text).length > outer;
  return isInside && !isCall && !NO_EXPRESSION.test(line.text) ? line.start : undefined;
}

/** Matches the start of the names between a constructor and its body. */
const INITIALIZERS = /\)\s*:(?!:)/;

/** @returns the code to write around the literal, best first; `comment` if only a comment is possible */
export function* wrappersAt(language: Language, request: WriteRequest): Generator<Wrapper | 'comment'> {
  const { text, selection } = request;
  const point = codePointAt(text, selection, language);
  const line = lineAt(text, selection.start);
  const head = text.slice(line.start, selection.start);
  const isAtStart = isBlank(head);
  const isAtEnd = isBlank(point.lineAfter);
  // Also above a comment, which would follow the declaration on its line.
  const isAbove = isAtStart && !isBlank(text.slice(selection.end, lineAt(text, selection.end).end));
  const isBlocked = language.importsFirst && IMPORTS.test(text.slice(selection.end));
  const own = isBlocked ? { ...language, outside: [] } : language;
  if (!isAtStart || !isAtEnd) yield* inLine(point, text, selection.end, own);
  if ((!isAtStart && !isAtEnd) || language.declare === undefined) return;
  const lead = isAtStart ? '' : newLine(request);
  for (const { open, close } of declarations(point, own))
    yield isAbove
      ? { open: leadingWhite(line.text) + open, close: `${close}\n${head}`, lineStart: line.start }
      : onEmptyLine({ open: lead + open, close }, request);
  if (isAtStart && isAtEnd) for (const wrapper of values(point, own)) yield onEmptyLine(wrapper, request);
  const { first = IS_FIRST, last } = own;
  const isAmongClauses = isAboveCases(point) || first.test(point.after) || last?.test(point.before) === true;
  // Offer a comment only where no declaration is possible, and among names; elsewhere users expect code.
  const isAmongNames = isList(point, own)
    ? own.around === undefined && !takesValues(point, own)
    : point.before.endsWith(',') && INITIALIZERS.test(clause(point.before, ';{}'));
  if (!isAmongNames && (isList(point, own) || (!isAmongClauses && declarationsIn(point, own).length > 0))) return;
  if (isAtStart ? !/(?:[\\=+*&|?:.-]|[=-]>)$/.test(point.before) : /(?:^\s*|[\w;,{}"'>()[\]])$/.test(point.lineBefore))
    yield 'comment';
}
