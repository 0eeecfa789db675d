/** Messages for the warnings of an insertion, and the dialog that confirms serious ones. */
import { t } from '../../shared/text/l10n.ts';
import type { InsertWarning, WarningCode } from '../../insert/types.ts';
import { askWithWarning, showInformationMessage } from '../host/notify.ts';

export type WarningChoice = 'insert' | 'comment' | 'open' | 'cancel';

/** Warnings that don't affect what runs; shown after the insertion. */
const HARMLESS: ReadonlySet<WarningCode> = new Set(['foldedScalar', 'lineEndsInLiteral', 'overlappingCursors']);

function wordsOf({ code, detail }: InsertWarning): string {
  switch (code) {
    case 'semanticSql':
      return t(
        'This is semantic SQL: MEASURE() and view names exist in the data model, not in the warehouse. Where the cursor is, only warehouse SQL runs, so it will fail there.',
      );
    case 'bidirectionalCharacters':
      return t('The SQL has characters that reorder what you see ({0}); it may not read as it runs.', detail);
    case 'invisibleCharacters':
      return t('The SQL has characters that cannot be seen ({0}).', detail);
    case 'controlCharacters':
      return t('The SQL has control characters ({0}).', detail);
    case 'multipleStatements':
      return t('The SQL has more than one statement; here only one can run.');
    case 'lineEndsInLiteral':
      return t('A line break inside a text literal was written with the line ends of this file.');
    case 'insideComment':
      return t('The cursor is inside a comment, where nothing runs.');
    case 'insideLiteral':
      return t('The cursor is inside a text literal of another query.');
    case 'insideJinja':
      return t('The cursor is inside a Jinja tag.');
    case 'duplicateKey':
      return detail === 'sql_table'
        ? t('This cube has a “sql_table” key. A cube has either a table or SQL.')
        : t('There is a “sql” key here already; a second one is an error.');
    case 'rootKey':
      if (detail === 'views') return t('A view has no SQL of its own. Put the cursor into a cube.');
      return t(
        'At the top level of a data model a “sql” key belongs to nothing; put the cursor into a cube, a view or a measure.',
      );
    case 'foldedScalar':
      return t('The folded text (>) was made a literal one (|), which keeps line breaks.');
    case 'overlappingCursors':
      return t('Two cursors wanted the same place; one was left out.');
    case 'unfittedPlace':
      if (detail === 'sql_table') return t('“sql_table” takes the name of a table, not a query.');
      return t('The SQL could not be fitted to this place and is written as it is.');
  }
}

/** Shows a dialog if a warning is serious. @returns the choice; `insert` without serious warnings */
export async function askAbout(warnings: readonly InsertWarning[]): Promise<WarningChoice> {
  const serious = warnings.filter(({ code }) => !HARMLESS.has(code));
  if (serious.length === 0) return 'insert';
  const insert = t('Insert anyway');
  const comment = t('Insert as a comment');
  const open = t('Open beside');
  const choice = await askWithWarning(serious.map(wordsOf).join('\n\n'), '', insert, comment, open);
  if (choice === insert) return 'insert';
  if (choice === comment) return 'comment';
  return choice === open ? 'open' : 'cancel';
}

/** Shows the harmless warnings in a notification. */
export function tellOf(warnings: readonly InsertWarning[]): void {
  const told = warnings.filter(({ code }) => HARMLESS.has(code)).map(wordsOf);
  if (told.length > 0) void showInformationMessage(told.join(' '));
}
