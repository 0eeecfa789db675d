/** Messages for the warnings of an insertion, and the dialog that confirms serious ones. */
import { t } from '../../shared/text/l10n.ts';
import type { InsertWarning, WarningCode } from '../../insert/types.ts';
import { askWithWarning, showInformationMessage } from '../host/notify.ts';

type WarningChoice = 'insert' | 'comment' | 'open' | 'cancel';

/** Warnings that don't affect what runs; shown after the insertion. */
const HARMLESS: ReadonlySet<WarningCode> = new Set(['foldedScalar', 'lineEndsInLiteral', 'overlappingCursors']);

function wordsOf({ code, detail }: InsertWarning): string {
  switch (code) {
    case 'semanticSql':
      return t(
        'This is semantic SQL: MEASURE() and view names exist in the data model, not in the warehouse. Only warehouse SQL can run at the cursor, so the query will fail there.',
      );
    case 'bidirectionalCharacters':
      return t(
        'The SQL contains characters that reorder displayed text ({0}). What runs may differ from what you see.',
        detail,
      );
    case 'invisibleCharacters':
      return t('The SQL contains invisible characters ({0}).', detail);
    case 'controlCharacters':
      return t('The SQL contains control characters ({0}).', detail);
    case 'multipleStatements':
      return t('The SQL has more than one statement, but only one can run here.');
    case 'lineEndsInLiteral':
      return t('A line break in a string literal was changed to the line ending of this file.');
    case 'insideComment':
      return t('The cursor is inside a comment, where nothing runs.');
    case 'insideLiteral':
      return t('The cursor is inside a string literal of another query.');
    case 'insideJinja':
      return t('The cursor is inside a Jinja tag.');
    case 'duplicateKey':
      return detail === 'sql_table'
        ? t('This cube has a “sql_table” key. A cube can’t have both “sql_table” and “sql”.')
        : t('There is already a “sql” key here. A second one is an error.');
    case 'rootKey':
      if (detail === 'views') return t('A view can’t have its own SQL. Put the cursor in a cube.');
      return t('A “sql” key has no meaning at the top level of a data model. Put the cursor in a cube or a measure.');
    case 'foldedScalar':
      return t('The folded block (>) was changed to a literal block (|), which keeps line breaks.');
    case 'overlappingCursors':
      return t('Two cursors had the same insertion point, so the SQL was inserted there once.');
    case 'unfittedPlace':
      if (detail === 'sql_table') return t('“sql_table” takes a table name, not a query.');
      return t('The SQL can’t be adapted to this position and is inserted unchanged.');
  }
}

/** Shows a dialog if a warning is serious. @returns the choice; `insert` without serious warnings */
export async function askAbout(warnings: readonly InsertWarning[]): Promise<WarningChoice> {
  const serious = warnings.filter(({ code }) => !HARMLESS.has(code));
  if (serious.length === 0) return 'insert';
  const insert = t('Insert anyway');
  const comment = t('Insert as a comment');
  const open = t('Open beside');
  // The first button is the default one: as a comment, SQL can't fail; where it isn't adapted, a comment isn't either.
  const fails = serious.some(({ code }) => code === 'semanticSql' || code === 'multipleStatements');
  const buttons = fails ? [comment, open, insert] : [open, comment, insert];
  const choice = await askWithWarning(serious.map(wordsOf).join('\n\n'), '', ...buttons);
  if (choice === insert) return 'insert';
  if (choice === comment) return 'comment';
  return choice === open ? 'open' : 'cancel';
}

/** Shows the harmless warnings in a notification. */
export function notifyAbout(warnings: readonly InsertWarning[]): void {
  const messages = warnings.filter(({ code }) => HARMLESS.has(code)).map(wordsOf);
  if (messages.length > 0) void showInformationMessage(messages.join(' '));
}
