/** Short tables for grading: `table('month:time revenue:number', ['2024-01-01', 12.5])`. */
import { parseExact } from '../../../src/shared/wire/exactJson.ts';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';

/** @param schema columns as `name:type`, separated by spaces; without a type, the kind is inferred */
export function table(schema: string, ...rows: (readonly unknown[])[]): ResultTable {
  const columns = schema
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', type = ''] = part.split(':');
      return { name, type };
    });
  return { columns, rows, totalRows: rows.length };
}

/** Rows as the service sends them, with every digit. */
export const rowsOf = (json: string): unknown[][] => parseExact(json) as unknown[][];
