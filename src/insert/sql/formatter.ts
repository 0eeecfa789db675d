/** The formatter and its dialect (70 KB), in the lazy chunk of insertion. */
import { formatDialect, postgresql, type DialectOptions } from 'sql-formatter';
import type { IndentStyle } from '../indent.ts';

const { tokenizerOptions } = postgresql;

/** PostgreSQL with the function of semantic SQL, so that no space is added before its parenthesis. */
const dialect: DialectOptions = {
  ...postgresql,
  name: 'semantic',
  tokenizerOptions: {
    ...tokenizerOptions,
    reservedFunctionNames: [...tokenizerOptions.reservedFunctionNames, 'MEASURE'],
  },
};

/** Formats SQL and keeps the case of keywords. Throws if the SQL can't be parsed. */
export const formatPostgres = (sql: string, { tabSize, insertSpaces }: IndentStyle): string =>
  formatDialect(sql, { dialect, tabWidth: tabSize, useTabs: !insertSpaces });
