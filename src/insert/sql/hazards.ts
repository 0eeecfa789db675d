/** Checks SQL from outside before it is inserted. */
import { isCode, isLiteral, lexSql, type Token } from './lex.ts';
import type { InsertWarning, WarningCode } from '../types.ts';

const HIDDEN: readonly (readonly [WarningCode, RegExp])[] = [
  ['bidirectionalCharacters', /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu],
  [
    'invisibleCharacters',
    /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu,
  ],
  ['controlCharacters', /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\p{Cs}]/gu],
];

/** Emoji with their joiners, variation selectors and tags, including keycaps and three flags. */
const EMOJI =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*|[#*\d]\ufe0f\u20e3/gu;

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** @returns a warning for each kind of invisible or misleading character, with the code points */
export function hiddenCharacters(sql: string): InsertWarning[] {
  const visible = sql.replace(EMOJI, '');
  return HIDDEN.flatMap(([code, pattern]) => {
    const found = new Set(visible.match(pattern));
    return found.size === 0 ? [] : [{ code, detail: [...found].map(codePoint).join(', ') }];
  });
}

export function literalLineEnds(sql: string, eol: '\n' | '\r\n'): InsertWarning[] {
  const other = eol === '\n' ? /\r/ : /\r(?!\n)|(?<!\r)\n/;
  const differs = lexSql(sql).some((token) => isLiteral(token) && other.test(token.text));
  return differs ? [{ code: 'lineEndsInLiteral', detail: '' }] : [];
}

const isSemicolon = ({ text }: Token): boolean => text === ';';

/** @returns the SQL without its trailing `;`; comments after it stay */
export function withoutFinalSemicolon(sql: string): string {
  const tokens = lexSql(sql);
  const last = tokens.findLastIndex((token) => isCode(token) && !isSemicolon(token));
  return tokens
    .filter((token, index) => index <= last || !isSemicolon(token))
    .map(({ text }) => text)
    .join('');
}

export const hasSeveralStatements = (sql: string): boolean => lexSql(withoutFinalSemicolon(sql)).some(isSemicolon);
