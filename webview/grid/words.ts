/** The translated strings of the grid. */
import { plural, t } from '../../src/shared/text/l10n.ts';
import type { FilterCondition } from '../../src/shared/results/filter.ts';

export type GridWords = ReturnType<typeof gridWords>;

/** @returns the strings in the current display language */
export function gridWords() {
  const conditions: Record<FilterCondition, string> = {
    contains: t('contains'),
    equals: t('equals'),
    differs: t('does not equal'),
    greater: t('is greater than'),
    atLeast: t('is at least'),
    less: t('is less than'),
    atMost: t('is at most'),
    between: t('is between'),
    empty: t('is empty'),
    notEmpty: t('is not empty'),
  };
  return {
    nullValue: 'NULL',
    rowNumber: t('Row'),
    menuOf: (column: string) => t('Actions for column {0}', column),
    cellMenu: t('Actions for the selection'),
    sortAscending: t('Sort Ascending'),
    sortDescending: t('Sort Descending'),
    sortNone: t('Remove Sort'),
    filter: t('Filter…'),
    filterClear: t('Remove Filter'),
    filterOf: (column: string) => t('Filter {0}', column),
    filterByValue: t('Filter by This Value'),
    condition: t('Condition'),
    conditions,
    value: t('Value'),
    upTo: t('Up to'),
    freeze: t('Freeze Column'),
    unfreeze: t('Unfreeze Column'),
    hide: t('Hide Column'),
    columns: t('Show and Hide Columns…'),
    moveLeft: t('Move Left'),
    moveRight: t('Move Right'),
    wider: t('Make Wider'),
    narrower: t('Make Narrower'),
    fit: t('Fit to Content'),
    selectColumn: t('Select Column'),
    selectAll: t('Select All'),
    copy: t('Copy'),
    copyWithHeaders: t('Copy with Headers'),
    copyAsCsv: t('Copy as CSV'),
    copyAsJson: t('Copy as JSON'),
    copyAsMarkdown: t('Copy as Markdown'),
    copyAsSqlIn: t('Copy as SQL IN List'),
    details: t('Show Value'),
    detailsOf: (column: string, row: string) => t('{0}, row {1}', column, row),
    copyValue: t('Copy value'),
    close: t('Close'),
    filtered: t('filtered'),
    rowsMatch: (count: number, shown: string, all: string) =>
      plural(count, '{0} of {1} rows matches|{0} of {1} rows match', shown, all),
    count: (count: string) => t('Count {0}', count),
    sum: (sum: string) => t('Sum {0}', sum),
    average: (average: string) => t('Average {0}', average),
    sorted: (column: string, descending: boolean) =>
      descending ? t('Sorted by {0}, descending', column) : t('Sorted by {0}, ascending', column),
    unsorted: t('Sort removed'),
    copied: (count: number, cells: string) => plural(count, '{0} cell copied|{0} cells copied', cells),
  };
}
