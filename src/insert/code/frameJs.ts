/** What has to stand around a literal in JavaScript and TypeScript: a name, a comma, a declaration. */
import { bare, onEmptyLine, unfitted, type Frame } from './frame.ts';
import { bracketAround, endsExpression, isInTag, type Around } from './jsBrackets.ts';
import { jsPlace, type JsPlace } from './jsScan.ts';
import { isBlank, leadingWhite, lineAt } from '../../shared/text/lines.ts';
import type { Span } from '../types.ts';

/** The code on both sides of the place, without white space and comments, and how the place lies in its line. */
interface Site {
  before: string;
  after: string;
  codeEnd: number;
  lineStart: number;
  /** What stands before the place on its line. */
  head: string;
  startsLine: boolean;
  /** Whether nothing but a comment follows on its line. */
  endsLine: boolean;
  /** What ends the literal among items. */
  comma: string;
  indent: string;
  /** Beginning of a line below, one level further in behind an opening brace. */
  below: string;
}

/** Operators that are words, unless they are names. */
const WORD_OPERATOR = /^(?:in|of|as|instanceof|satisfies)\b(?!\(|\s*[.,)\]};:=])/;

/** Whether another item, property or statement begins here, and the expression before it does not go on. */
const isNext = (after: string): boolean =>
  /^(?:\.\.\.|--|\+\+|["'`\w$[({@#!~/]|<[\w>])/.test(after) && !/^!=/.test(after) && !WORD_OPERATOR.test(after);

function siteOf(text: string, { codeEnd }: JsPlace, { start, end }: Span, step: string): Site {
  const line = lineAt(text, start);
  const before = text.slice(Math.max(0, codeEnd - 300), codeEnd);
  const head = text.slice(line.start, start);
  const indent = leadingWhite(line.text);
  const after = text.slice(end).replace(/^(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/)+/, '');
  return {
    before,
    after,
    comma: !isNext(after) ? '' : /\s/.test(text.charAt(end)) ? ',' : ', ',
    codeEnd,
    lineStart: line.start,
    head,
    startsLine: isBlank(head),
    endsLine: /^\s*(?:\/\/.*)?$/.test(text.slice(end, lineAt(text, end).end)),
    indent,
    below: `\n${indent}${before.endsWith('{') ? step : ''}`,
  };
}

const property = 'sql: ';

function frameInObject(site: Site): Frame {
  const { before, after, startsLine, endsLine, head, indent, below } = site;
  const follows = isNext(after);
  if (after !== '' && !follows && !/^[,}]/.test(after)) return unfitted;
  const isItem = /[{,]$/.test(before);
  // Between a value and the end of its line there is room below.
  if (!isItem && !endsLine) return unfitted;
  const open = startsLine ? property : endsLine ? below + property : (head.endsWith(',') ? ' ' : '') + property;
  const close = after.startsWith(',') ? '' : endsLine ? ',' : !follows ? '' : startsLine ? `,\n${indent}` : ', ';
  return isItem ? { open, close } : { open, close, commaAt: site.codeEnd };
}

/** Heads of statements, decorators and the like, between which and the next line nothing can stand. */
const UNFINISHED =
  /(?<![.\w$])(?:if|for|while|with)(?:\s+await)?\s*\((?:[^()]|\([^()]*\))*\)$|(?:^|\n)\s*@[^\n]*$|(?<![.\w$])export$/;
const CLAUSE = /^(?:else|catch|finally)\b/;
/** What goes on with the expression of the line above. */
const GOES_ON = /^(?:[.?&|=*,:)%<>\]^/]|[+-](?![+-])|!=)/;
const goesOn = (after: string): boolean => GOES_ON.test(after) || WORD_OPERATOR.test(after);
/** What a literal on the line above would go on with. */
const TAKES_LITERAL = /^[([`+*/.,?-]/;

const MODIFIERS = String.raw`(?:(?:export|default|declare|abstract|async|public|private|protected|static|override|get|set)\s+)*`;
const SIGNATURE = new RegExp(
  String.raw`(?:^|[;{}\n])\s*${MODIFIERS}((?:function\s+)?)([\w$#]+)\s*\((?:[^;{}]|\{[^{}]*\})*\)(?:\s*:(?:[^;{}]|\{[^{}]*\})*)?;?$`,
);

/** Whether a declaration without a body is above, and what it belongs to is below. */
function isAmidOverloads(before: string, after: string, isClass: boolean): boolean {
  const [, keyword = '', name = ''] = SIGNATURE.exec(before) ?? [];
  const next = new RegExp(String.raw`^${MODIFIERS}(function\s+)?([\w$#]+)\s*[<(]`).exec(after);
  return name !== '' && next?.[2] === name && (isClass || (keyword !== '' && next[1] !== undefined));
}

/** Among statements and members of a class: a declaration; a bare literal will do on a line that nothing stands before. */
function frameInBody({ before, after, startsLine, endsLine, ...site }: Site, isClass: boolean): Frame {
  const declaration = isClass ? 'sql = ' : 'const sql = ';
  const follows = endsExpression(before);
  if (UNFINISHED.test(before) || CLAUSE.test(after) || (follows && goesOn(after))) return unfitted;
  // Behind a comma a list of declarations or expressions goes on.
  if (before.endsWith(',')) return unfitted;
  if (isAmidOverloads(before, after, isClass)) return unfitted;
  if (!startsLine && !endsLine) {
    if (follows || !after.startsWith('}')) return unfitted;
    return isClass ? { open: declaration, close: ';' } : bare;
  }
  if (!startsLine) return { open: site.below + declaration, close: ';' };
  if (!endsLine) {
    if (goesOn(after)) return bare;
    return { open: site.indent + declaration, close: `;\n${site.head}`, lineStart: site.lineStart };
  }
  if (follows || isClass) return { open: declaration, close: ';' };
  return { open: '', close: TAKES_LITERAL.test(after) ? ';' : '' };
}

/** A property, or the next member of an enumeration or class: surely no value. */
const NEXT_NAME = /^(?:\.\.\.|(?:[\w$]+|"[^"\n]*"|'[^'\n]*'|\[[^\]\n]*\])\s*(?::|=(?![=>])))/;
const NEXT_STATEMENT =
  /^(?:const|let|var|function(?!\s*\()|class|return|if|for|while|switch|try|throw|export|import|type|interface|enum|break)\b/;

/** Behind what wants a value: unless something else begins on the next line, what follows is that value. */
function frameOfValue(around: Around, { before, after, endsLine }: Site): Frame {
  // In a class and among names a colon begins a type.
  if ((around === 'class' && before.endsWith(':')) || (around === 'names' && !before.endsWith('='))) return unfitted;
  if (!isNext(after)) return /^(?:=>|as\b.*\bfrom\b)/.test(after) ? unfitted : bare;
  if (!endsLine) return unfitted;
  const isBody = around === 'block' || around === 'switch';
  if (isBody || around === 'class') return (isBody ? NEXT_STATEMENT : NEXT_NAME).test(after) ? bare : unfitted;
  return (around === 'object' || around === 'names') && NEXT_NAME.test(after) ? { open: '', close: ',' } : unfitted;
}

function frameIn(around: Around, site: Site, isOpened: boolean): Frame {
  const { before, after, head, comma } = site;
  if (before !== '' && !/[[({,;]$/.test(before) && !endsExpression(before))
    return /[\w$]$/.test(head) ? unfitted : frameOfValue(around, site);
  switch (around) {
    case 'object':
      return frameInObject(site);
    case 'list':
      if (!endsExpression(before)) return { open: head.endsWith(',') ? ' ' : '', close: comma };
      return site.startsLine && /^[)\]]/.test(after) ? { ...bare, commaAt: site.codeEnd } : unfitted;
    case 'single':
      return endsExpression(before) || isNext(after) ? unfitted : bare;
    case 'names':
      return unfitted;
    case 'switch':
      return isOpened ? unfitted : frameInBody(site, false);
    default:
      return frameInBody(site, around === 'class');
  }
}

/** @returns whether the bracket around the place has the name already, outside what is overwritten */
function isTaken(text: string, { brackets }: JsPlace, { start, end }: Span, name: RegExp): boolean {
  const around = brackets.at(-1)?.at;
  const named = new Set<number>();
  for (const { index } of text.matchAll(name))
    if (index >= (around ?? 0) && (index < start || index >= end)) named.add(index);
  let taken = false;
  const passes = (at: number, open: JsPlace['brackets']): void => {
    taken ||= named.has(at) && open.length === brackets.length && open.at(-1)?.at === around;
  };
  if (named.size > 0) jsPlace(text, text.length, passes);
  return taken;
}

const PROPERTY = /(?<=[{,]\s*)(?:sql|"sql"|'sql')(?=\s*:)/g;
/** Excludes SQL of a cube. */
const TABLE = /(?<=[{,]\s*)["']?sql_?table["']?(?=\s*:)/gi;
const DECLARATION = /\b(?:const|let|var|function|class)\s+sql\b/g;

/** Whether the place lies in the arguments of such a call. */
const isInCall = (text: string, { brackets }: JsPlace, name: string): boolean =>
  brackets.some(
    ({ at, character }) =>
      character === '(' && new RegExp(`(?<![\\w$.])${name}\\s*$`).test(text.slice(Math.max(0, at - 20), at)),
  );

/** Whether the place lies inside `=>` and the like, or behind the dot of a member. */
const isAmidOperator = (left: string, right: string): boolean =>
  (/[=!<>?&|*+/.-]$/.test(left) && /^[=>?&|*+.-]/.test(right)) || /(?<!\.)\.$/.test(left);

/** @param step white space of one level more */
export function jsFrame(text: string, place: JsPlace, selection: Span, step: string): Frame {
  const bracket = place.brackets.at(-1);
  const last = selection.end > selection.start ? jsPlace(text, selection.end) : place;
  if (
    place.isRegex ||
    isAmidOperator(text.slice(Math.max(0, selection.start - 2), selection.start), text.slice(selection.end))
  )
    return unfitted;
  if (last.kind !== 'jsCode' || last.brackets.at(-1)?.at !== bracket?.at) return unfitted;
  const site = siteOf(text, place, selection, step);
  if (isInTag(site.before)) return unfitted;
  const isOpened = bracket !== undefined && bracket.at + bracket.character.length === place.codeEnd;
  const frame = onEmptyLine(frameIn(bracketAround(text, place, site.after), site, isOpened), text, selection, step);
  const name = frame.open.endsWith(property) ? PROPERTY : frame.open.endsWith('const sql = ') ? DECLARATION : undefined;
  const isTable = name === PROPERTY && isInCall(text, place, 'cube') && isTaken(text, place, selection, TABLE);
  const isInView = name === PROPERTY && isInCall(text, place, 'view');
  return {
    ...frame,
    isDuplicate: name !== undefined && isTaken(text, place, selection, name),
    ...(isTable || isInView ? { conflict: isTable ? 'table' : 'view' } : {}),
  };
}
