/** Converts the cells of a column to the values that charts need. */
import { infinityOf, type TypedColumn } from '../results/cells.ts';
import { timeReader } from './times.ts';

export interface ColumnUse {
  quantitative: boolean;
  temporal: boolean;
  /** Parse and format dates in UTC. */
  utc: boolean;
}

const plainNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Column types of lists and structures, which services send as JSON text. */
const nestedType = /^(array|list|struct|map|object)\b/;
/**
 * @param cells cells of the column
 * @returns a function that converts a cell of this column to the type that charts need; other cells are returned
 * unchanged, but null for those of a column of times
 */
export function cellReader(
  { name, kind, type, timeZone }: TypedColumn,
  cells: readonly unknown[],
  usage: ColumnUse,
): (cell: unknown) => unknown {
  if (usage.temporal) return timeReader(cells, { name, utc: usage.utc, zone: timeZone });
  if (kind === 'boolean') return readBoolean;
  if (kind === 'number') return usage.quantitative ? readMeasure : readSafeNumber;
  if (kind === 'json' || nestedType.test(type)) return readJson;
  if (!usage.quantitative) return (cell) => cell;
  return cells.every(isNumberOrNothing) ? readMeasure : (cell) => (isNothing(cell) ? null : cell);
}

/** Whether a measure has no value that a scale can show: Vega counts the empty string as zero, and infinities in bins. */
const isNothing = (cell: unknown): boolean =>
  cell === null || cell === '' || (typeof cell === 'string' && infinityOf(cell.trim()) !== undefined);

const isNumberOrNothing = (cell: unknown): boolean => isNothing(cell) || typeof readNumber(cell) === 'number';

const readMeasure = (cell: unknown): unknown => (isNothing(cell) ? null : readNumber(cell));

function readNumber(cell: unknown): unknown {
  return typeof cell === 'string' && plainNumber.test(cell.trim()) ? Number(cell) : cell;
}

/** Names and ids must keep their digits, so numbers beyond the precision of a double stay text. */
function readSafeNumber(cell: unknown): unknown {
  const number = readNumber(cell);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? cell : number;
}

function readBoolean(cell: unknown): unknown {
  if (cell === 'true' || cell === 't') return true;
  if (cell === 'false' || cell === 'f') return false;
  return cell;
}

function readJson(cell: unknown): unknown {
  if (typeof cell !== 'string' || !/^\s*[[{]/.test(cell)) return numbersWithin(cell);
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

function numbersWithin(cell: unknown): unknown {
  return Array.isArray(cell) ? cell.map((entry) => readNumber(numbersWithin(entry))) : cell;
}

/** @returns the first moment of a day, month or year written as a date alone, without a zone and so in local time */
export function calendarDate(text: string): string | undefined {
  return /^\d{4}(-\d{2}(-\d{2})?)?$/.test(text) ? `${text}-01-01`.slice(0, 10) + 'T00:00:00' : undefined;
}
