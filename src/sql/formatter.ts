/** The formatter itself, 70 KB: a bundle of its own, or a module that is loaded when the first SQL is formatted. */
import { formatDialect, postgresql, type DialectOptions } from 'sql-formatter';
import type { SqlFormatter } from './formatSql.ts';

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
export const formatPostgres: SqlFormatter = (sql, { tabSize, insertSpaces }) =>
  formatDialect(sql, { dialect, tabWidth: tabSize, useTabs: !insertSpaces });
