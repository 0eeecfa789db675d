/** Rows as a table of GitHub-flavoured Markdown, in which every cell reads as the text it is. */
import { cellText, isNull, type Row, type TypedColumn } from './cells.ts';
import type { EncodeOptions, RowEncoder } from './encoder.ts';

/**
 * What Markdown would act upon; an underscore inside a word is plain text. `<` becomes an entity: autolinks swallow a
 * backslash before it.
 */
const ACTIVE = /[\\`*[\]<>|~&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

function escaped(text: string): string {
  return text
    .replace(ACTIVE, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`))
    .replace(/\r\n|[\r\n]/g, '<br>')
    .replaceAll('\t', ' ');
}

/** Null is `NULL`, the empty string an empty cell. Without headers the header row, which Markdown demands, is blank. */
export function markdownTable(columns: readonly TypedColumn[], { headers }: EncodeOptions): RowEncoder {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return {
    encodeHeader: () =>
      line(columns.map(({ name }) => (headers ? escaped(name) : ''))) +
      line(columns.map(({ kind }) => (kind === 'number' ? '---:' : '---'))),
    encodeRow: (row: Row) =>
      line(columns.map((_, index) => (isNull(row[index]) ? 'NULL' : escaped(cellText(row[index]))))),
    encodeEnd: () => '',
  };
}
