/** Encodes rows as a GitHub Flavored Markdown table with all Markdown syntax in cells escaped. */
import { cellText, isNull, type Row, type TypedColumn } from './cells.ts';
import type { EncodeOptions, RowEncoder } from './encoder.ts';

/**
 * Characters with a meaning in Markdown; an underscore inside a word has none. `<` is encoded as an entity, because
 * autolinks include a backslash before it.
 */
const ACTIVE = /[\\`*[\]<>|~&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

function escaped(text: string): string {
  return text
    .replace(ACTIVE, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`))
    .replace(/\r\n|[\r\n]/g, '<br>')
    .replaceAll('\t', ' ');
}

/**
 * Null is written as `NULL`, the empty string as an empty cell. Without headers the header row is blank, since Markdown
 * requires one.
 */
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
