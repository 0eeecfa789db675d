/** The formatter and its dialect, 70 KB: in the part that is loaded when SQL goes into a file. */
import { formatDialect, postgresql, type DialectOptions } from 'sql-formatter';
import type { IndentStyle } from '../indent.ts';

const { tokenizerOptions } = postgresql;

/** PostgreSQL that knows semantic SQL's own function, and so writes no space before its bracket. */
const dialect: DialectOptions = {
  ...postgresql,
  name: 'semantic',
  tokenizerOptions: {
    ...tokenizerOptions,
    reservedFunctionNames: [...tokenizerOptions.reservedFunctionNames, 'MEASURE'],
  },
};

/** Formats SQL; keywords keep their case. Throws on SQL that it cannot read. */
export const formatPostgres = (sql: string, { tabSize, insertSpaces }: IndentStyle): string =>
  formatDialect(sql, { dialect, tabWidth: tabSize, useTabs: !insertSpaces });
