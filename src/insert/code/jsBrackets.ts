/** What the brackets of JavaScript and TypeScript hold, as far as the code before them tells. */
import type { JsPlace } from './jsScan.ts';

/**
 * `names` are those of types, imports, parameters and the like, where no value stands but a default; `single` is one
 * expression, such as that of `if (…)`, an index or a JSX attribute.
 */
export type Around = 'object' | 'list' | 'single' | 'names' | 'switch' | 'class' | 'block';

/** How much of the code before a bracket is looked at. */
const FAR = 300;

/** What stands in braces, and braces in it; with them what quotes hold. */
const IN_BRACES = String.raw`\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}`;
const ATTRIBUTE_VALUE = `${IN_BRACES}|"[^"]*"|'[^']*'`;

/** Whether a brace opens the value of a JSX attribute or stands in JSX text. */
const JSX = new RegExp(
  String.raw`<[A-Za-z][\w.]*(?:<[^<>;]*>)?\s(?:[^;"'{}]|${ATTRIBUTE_VALUE})*[\w-]=$|(?:(?<![\w$])<|<\/)[A-Za-z]?(?:[^<>;]|=>)*>(?:[^<>(){}=;]|\{[^{}]*\})*$`,
);

/** The tag of an element up to a place among its attributes. */
const TAG = new RegExp(String.raw`(?:^|[(,=?:&|>{}[;]|\breturn)\s*<[A-Za-z][\w.]*\s(?:[^<>{}]|${IN_BRACES})*$`);

/** @returns whether a place behind this code is among the attributes of an element of JSX */
export const isInTag = (before: string): boolean => TAG.test(`${before} `);

const SWITCH = /\bswitch\s*\([^;{}]*\)$/;
/** Amid other keys than those of a `switch`, these are names like any. */
const LABEL = /\b(?:case\b[^;{}?]*|default\s*):$/;

/** A type parameter up to its default. */
const TYPE_PARAMETER = /<(?! )(?:[^<>;(){}]*,)?\s*(?:const\s+)?[\w$]+(?:\s+extends\s[^;{}]*)?\s*=$/;

/** The head of a type, in which nothing at all is a value. */
const TYPE = /\binterface\s[^;{}]*$|\btype\s+[\w$]+(?:<[^;{}]*>)?\s*=[^;{}()]*$/;

const BEFORE_BRACE: readonly (readonly [Around, RegExp])[] = [
  ['names', TYPE_PARAMETER],
  ['single', JSX],
  ['switch', SWITCH],
  ['names', /\bdeclare\s[^;{}]*$/],
  ['class', /\bclass(?:\s[^;{}()]*)?$/],
  ['names', /\benum\s[^;{}]*$|\b(?:import|export|const|let|var|type|as|satisfies|extends)$/],
  ['names', /\bimport\s[^;'"()]*$|\b(?:const|let|var)\s+[\w$]+\s*:$/],
  ['names', /\(\s*[\w$]+\??\s*:$/],
  ['object', /[(,:=[?|&]$|\.\.\.$|(?<![.\w$])(?:return|default|yield|await|in|of|typeof|throw)$/],
];

/** Words before parentheses of one expression. */
const CONTROL =
  /(?<![.\w$])(?:import|if|for|await|while|switch|catch|with|return|typeof|in|of|case|yield|do|else|void|delete|throw)$/;

/** @returns whether a value ends here: a literal behind it would be taken for a tagged template */
export const endsExpression = (code: string): boolean =>
  /(?:[\w$)\]}`'"/]|\+\+|--|[\w$)\]]!|[^=\s]>|\n>)$/.test(code) &&
  !/(?<![.\w$])(?:return|case|await|yield|typeof|in|of|throw|(?<!(?:\)\s*:|=>)\s*)void|delete|else|do|default|extends)$/.test(
    code,
  );

/** A parameter with its type. */
const PARAMETER = /^\s*(?:\w+\s+)?[\w$]+\??:/;

/** A method that may be missing, or surely is one; and what a colon behind parentheses belongs to, where it does not begin a type. */
const DECLARED = /[\w$\]]\?$|(?:^|[\s;{}])(?:constructor|[gs]et\s+[\w$#]+)$/;
const CHOICE = /(?:\bcase\b|\?(?!\.))[^;{}]*$/;

function aroundParenthesis(head: string, inside: string, after: string): Around {
  if (CONTROL.test(head) && !/^[^()]*\)\s*=>/.test(after)) return 'single';
  if (PARAMETER.test(inside + after) || PARAMETER.test(after)) return 'names';
  const isFunction = /\bfunction\b\s*\*?\s*[\w$]*$/.test(head) || /^[^()]*\)\s*(?::[^;{}=]*)?(?:=>|\{)/.test(after);
  if (isFunction) return 'names';
  if (DECLARED.test(head) || (/^\):/.test(after) && !CHOICE.test(head))) return 'names';
  return endsExpression(head) ? 'list' : 'single';
}

/** The end of a pattern that takes a value apart, among parameters or before `=`. */
const ENDS_PATTERN =
  /^(?:(?:[^()[\]{}]|\{[^{}]*\}|\[[^[\]]*\])*[}\]])+(?:\??:|\s*=(?!=)|[^()[\]{}]*\)\s*(?::[^;{}=]*)?(?:=>|\{))/;

/** Comments, the first of which may have begun before the text. */
const COMMENTS = /^(?:(?!\/\*)[\s\S])*?\*\/|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g;

/** Strings that are whole: what they hold is no code. */
const STRINGS = /(?<![\w$])(['"])(?:(?!\1)[^\\\n]|\\.)*\1/g;

/** The code before a bracket. */
const headOf = (text: string, at: number): string =>
  text
    .slice(Math.max(0, at - FAR), at)
    .replace(STRINGS, '$1$1')
    .replace(COMMENTS, '')
    .trimEnd();

/** A member of a type at the beginning of what a brace holds, or behind the place. */
const MEMBER = /^\s*(?:readonly\s+)?(?:[\w$]+|"[^"\n]*"|'[^'\n]*')\??\s*(?:\([^()]*\)\s*)?:[^{}();,]*;/;

/** @returns whether a brace or quote here belongs to JSX */
export const opensInJsx = (text: string, at: number): boolean => JSX.test(headOf(text, at));

function braceHolds(head: string, before: string, after: string): Around {
  const around = BEFORE_BRACE.find(([, pattern]) => pattern.test(head))?.[0] ?? 'block';
  const isType =
    (around === 'object' || around === 'block') && [before, after, before + after].some((code) => MEMBER.test(code));
  return isType ? 'names' : around;
}

/**
 * @param after the code behind the place
 * @returns what the innermost bracket around the place holds
 */
export function bracketAround(text: string, { brackets, codeEnd }: JsPlace, after: string): Around {
  const bracket = brackets.at(-1);
  if (bracket === undefined) return 'block';
  const head = headOf(text, bracket.at);
  if (brackets.some(({ at, character }) => character === '{' && TYPE.test(headOf(text, at)))) return 'names';
  if ('[{'.includes(bracket.character) && ENDS_PATTERN.test(after.slice(0, FAR))) return 'names';
  switch (bracket.character) {
    case '${':
      return 'single';
    case '[':
      if (/\b(?:const|let|var)$/.test(head)) return 'names';
      return endsExpression(head) ? 'single' : 'list';
    case '(':
      return aroundParenthesis(head, text.slice(bracket.at + 1, codeEnd), after);
    default:
      if (head.endsWith('{') && opensInJsx(text, brackets.at(-2)?.at ?? 0)) return 'object';
      if (LABEL.test(head) && SWITCH.test(headOf(text, brackets.at(-2)?.at ?? 0))) return 'block';
      return braceHolds(head, text.slice(bracket.at + 1, codeEnd).replace(COMMENTS, ''), after);
  }
}

/** @returns whether a line above the place would be text that a page shows, since its line begins in JSX */
export const isInJsx = (text: string, { brackets, codeLine }: JsPlace): boolean =>
  brackets.some((bracket) => bracket.at >= codeLine && bracket.character === '{' && opensInJsx(text, bracket.at));
