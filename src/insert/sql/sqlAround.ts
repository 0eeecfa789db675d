/** Finds the literal or comment at an offset of a SQL file, whatever its database. */
import { maskJinja } from './jinja.ts';
import { BACKSLASHES, isCode, isLiteral, lexSql, POSTGRES, type Dialect, type Token } from './lex.ts';
import { lineAt } from '../../shared/text/lines.ts';

/** The line of a notebook cell that declares the language of the lines below. */
const MAGIC = /^(\s*)(%[^\r\n]*)/;

/** Literals and comments; undefined if one is not closed, which means that quotes have another meaning here. */
function marksIn(text: string, dialect: Dialect, from = 0): Token[] | undefined {
  const tokens = lexSql(text, dialect);
  if (!tokens.every(({ closed }) => closed)) return undefined;
  return tokens.flatMap((token) => {
    const { kind, start, end } = token;
    if (kind === 'dollar') {
      const tag = text.indexOf('$', start + 1) + 1 - start;
      return marksIn(text.slice(start + tag, end - tag), dialect, from + start + tag) ?? [];
    }
    return isLiteral(token) || !isCode(token) ? [{ ...token, start: from + start, end: from + end }] : [];
  });
}

const isAround =
  (offset: number) =>
  ({ kind, start, end }: Token): boolean =>
    kind !== 'space' && start < offset && (offset < end || (kind === 'lineComment' && offset === end));

/**
 * Finds the literal or comment at an offset that every dialect able to read the text agrees on; if no dialect can, a
 * comment on the line.
 */
export function sqlReader(text: string): (offset: number) => Token | undefined {
  const plain = maskJinja(text).replace(MAGIC, (_, white: string, magic: string) => white + '-'.repeat(magic.length));
  const readings = [POSTGRES, BACKSLASHES].flatMap((dialect) => {
    const marks = marksIn(plain, dialect);
    return marks === undefined ? [] : [marks];
  });
  return (offset) => {
    const line = lineAt(plain, offset);
    const found =
      readings.length > 0
        ? readings.map((marks) => marks.find(isAround(offset)))
        : [lexSql(line.text).find((token) => token.kind === 'lineComment' && isAround(offset - line.start)(token))];
    const comment = found.find((token) => token?.kind === 'lineComment');
    return comment ?? (found.every((token) => token !== undefined) ? found[0] : undefined);
  };
}
