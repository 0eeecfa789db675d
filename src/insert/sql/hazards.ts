/** Checks SQL from outside before it is inserted. */
import { isCode, isLiteral, lexSql, type Token } from '../../shared/text/lexSql.ts';
import type { InsertWarning, WarningCode } from '../types.ts';

const HIDDEN: readonly (readonly [WarningCode, RegExp])[] = [
  ['bidirectionalCharacters', /\p{Bidi_Control}/gv],
  ['invisibleCharacters', /[\p{Default_Ignorable_Code_Point}--\p{Bidi_Control}]/gv],
  ['controlCharacters', /[[\p{Cc}\p{Cs}\u2028\u2029]--[\t\n\r]]/gv],
];

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** @returns a warning for each kind of invisible or misleading character, with the code points */
export function hiddenCharacters(sql: string): InsertWarning[] {
  // Emoji consist of several characters, some of them invisible.
  const visible = sql.replace(/\p{RGI_Emoji}/gv, '');
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
