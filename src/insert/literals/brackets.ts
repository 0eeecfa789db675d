/** Determines what the brackets around the cursor contain: values, parameters, types or statements. */
import { isBlank } from '../../shared/text/lines.ts';
import { openBracketAt } from '../writing.ts';
import type { Language } from './languages.ts';
import { endOfHole } from './readLiteral.ts';

export interface CodePoint {
  /** Code on both sides, and the parts of it on the line, without comments. */
  before: string;
  after: string;
  lineBefore: string;
  lineAfter: string;
  /** Index in `before` of the innermost open bracket, and the code before the bracket. */
  open: number;
  head: string;
}

export const lastLine = (code: string): string => code.slice(code.lastIndexOf('\n') + 1);

/** Matches code that contains no values: type arguments, block parameters, directives, and attributes with names. */
const NO_VALUES =
  /\w<[^<>(){};=]{0,200}$|(?:\bdo|\{)[ \t]*\|[^|]*$|^[ \t]*#(?!!?\[(?!derive).*[=(,]\s*$|(?!if|elif)\w+\()/;
/** Matches a named item: a list in brackets or braces that has one accepts no unnamed item. */
const NAMED = /^:?(?:\w+[?!]?|""|'')[ \t]*(?::(?!:)|=>)/;
/** The same in languages without keywords for blocks; Lua accepts both kinds of items in a table. */
const ASSIGNED = /^\w+[ \t]*=(?![=>])/;
/** Matches brackets without others in them. */
const INNER = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g;
const PARAMETER =
  /^[{[]\s*(?:this|super|required)\b|^(?!(?:new|await|throw|out|ref|in)\b)(?:::|[\w<>?$]){1,80}(?: const)?(?: ?[&*]{1,2} ?| )[A-Za-z_$][\w$]{0,80} ?[,)=]/;
const isParameter = (code: string): boolean => PARAMETER.test(code);
/** Matches the function body after a list of parameters. */
const BODY = /^\s*(?:=>|\{|(?:async|sync)\b)/;

/** Matches the declaration before parameters, but not the arrow of a function of Elixir, behind which its body starts. */
const FUNCTIONS = /\b(?:fun|func|def|fn|function|class|struct|trait|record|interface|object)\s(?!.*->)/;
const CONDITIONS =
  /(?<!\.)\b(?:init[?!]?|subscript|constructor|function|param|catch|for|if|while|switch|constexpr|elsif|elif|when|typeof|sizeof|import)(?:<[\w\s,:.&]*>)?$/i;

export const clause = (code: string, marks: string): string => {
  let at = code.length;
  while (!marks.includes(code.charAt(at - 1))) at--;
  return code.slice(at);
};

function withoutBrackets(code: string): string {
  const outer = code.replace(INNER, '');
  return outer === code ? code : withoutBrackets(outer);
}

function isBeforeType(code: string): boolean {
  const declared = clause(code, '=;{}\n');
  return declared.endsWith('->') || (declared.endsWith(':') && /\b(?:var|let)\b/.test(declared));
}

/** Whether the bracket contains values rather than parameters, types or a condition. */
export function takesValues(point: CodePoint, language: Language): boolean {
  const { before, after, open, head, lineBefore } = point;
  const { typesFirst = false, hasTypeBrackets = false, around, blocks } = language;
  const bracket = before.charAt(open);
  const outside = before.slice(0, Math.max(0, open)).trimEnd();
  if (around !== undefined || NO_VALUES.test(lineBefore)) return false;
  const content = before.slice(open + 1).trimStart() || after;
  // Named parameters of Dart are in braces, possibly behind others.
  const isNamedList = outside.endsWith('(') || (outside.endsWith(',') && [content, `{${content}`].some(isParameter));
  if (typesFirst && bracket === '{' && isNamedList) return false;
  if (bracket === '[' && (hasTypeBrackets || isBeforeType(outside))) return false;
  // A bracket that starts a statement contains attributes, or the name of a table.
  const startsLine = isBlank(lastLine(before.slice(0, Math.max(0, open))));
  if (bracket === '[' && startsLine && !blocks && (outside === '' ? typesFirst : !/[,=([?:+&|]$/.test(outside)))
    return false;
  // An unnamed argument can be before named ones, and in languages without keywords for blocks also behind them.
  const isItem = before.endsWith(',') && (bracket !== '(' || blocks !== undefined) && isList(point, language);
  const isNamed = (item: string): boolean => NAMED.test(item) || (blocks === undefined && ASSIGNED.test(item));
  const items = isItem ? withoutBrackets(before.slice(open + 1)).split(',') : [];
  if (items.some((item) => isNamed(item.trimStart()))) return false;
  if (bracket === '{' && before.endsWith(',') && /\benum\b/.test(clause(outside, '{};\n'))) return false;
  if (bracket !== '(') return !/[[{,]$/.test(before) || !isNamed(after);
  if (before.endsWith('=')) return true;
  const own = clause(head, '()={},;');
  // Scala has several lists of parameters, also of types.
  const declared = /[)\]]$/.test(head) ? lastLine(withoutBrackets(outside.slice(-1000)).trimEnd()) : head;
  if (FUNCTIONS.test(clause(declared, '()={};')) || CONDITIONS.test(own)) return false;
  if (!typesFirst) return true;
  if (BODY.test(after.slice(endOfHole(after, 0) ?? after.length)) || isParameter(after)) return false;
  // The body of a lambda, or the call of a method.
  if (/^\s*[>.]/.test(own)) return true;
  // Within an expression, the bracket can only be that of a call.
  if (/[=(,&|?+]$|=>$/.test(outside.slice(0, outside.length - own.trimStart().length).trimEnd())) return true;
  // Also in a function, where a name after a type is a variable with the arguments of its constructor.
  const outer = openBracketAt(outside, '{');
  const owner = clause(before.slice(0, Math.max(0, outer)), '{};');
  return outer >= 0 && !/\b(?:class|mixin|extension|enum|struct|interface|namespace|extern)\b/.test(owner);
}

/** Whether the bracket at the index opens a block rather than a list of values. */
function opensBlock(before: string, open: number, opens: RegExp | undefined): boolean {
  if (opens !== undefined) return opens.test(before.slice(0, open + 1));
  if (before.charAt(open) !== '{') return false;
  const code = before.slice(0, open).trimEnd();
  const own = clause(code, '{};');
  const isHead =
    /[)\w|;}]$|[=-]>$|\bextern ""$|(?<![\w)\]])\[[^[\]]*\]$/.test(code) ||
    /^\s*(?:case\b[^]*|default):$/.test(own) ||
    (code.endsWith('>') && /\b(?:class|struct|record|interface)\b/.test(own));
  return isHead && !/(?<!\bfunction )\bnew\b|\b(?:return|yield)$/.test(withoutBrackets(own));
}

export function isList({ before, open }: CodePoint, { opens, around }: Language): boolean {
  // In a shell, only the brackets of an array contain values.
  if (around !== undefined) return /=[([{]$/.test(before.slice(0, open + 1));
  return open >= 0 && !opensBlock(before, open, opens);
}

/** Whether one more item can be in the bracket: it is a list or a call, not a cast, a group or an index. */
export function takesItems(point: CodePoint, language: Language): boolean {
  const { before, open, head } = point;
  const bracket = before.charAt(open);
  // An attribute contains names.
  if (!isList(point, language) || /^[ \t]*#/.test(point.lineBefore)) return false;
  return bracket === '(' ? /[\w)\]}>?!$@]$/.test(head) : bracket !== '[' || !/[\w)\]]/.test(before.charAt(open - 1));
}
