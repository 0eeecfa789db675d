/** Converts the cells of a column to the values that charts need. */
import { isNull, type TypedColumn } from '../results/cells.ts';

export interface Usage {
  quantitative: boolean;
  temporal: boolean;
  /** Parse and format dates in UTC. */
  utc: boolean;
}

const plainNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Column types of lists and structures, which services send as JSON text. */
const nestedType = /^(array|list|struct|map|object)\b/;
const isoTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(:\d{2}(\.\d+)?)?)$/;
const midnightUtc = /^(\d{4}-\d{2}-\d{2})[T ]00:00(:00(\.0+)?)? ?(Z|UTC|[+-]00(:?00)?)$/;
/** Milliseconds since 1970; other numbers may be a year, seconds, or a day with its time, such as `202401051030`. */
const milliseconds = /^-?(?!(?:19|20)\d{10}$)\d{11,13}$/;
/** Days as numbers and seconds since 1970, if all cells of a column are such; otherwise they can be other numbers. */
const dayKey = /^((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;
const seconds = /^1[0-8]\d{8}$/;
const quarter = /^(\d{4})-?Q([1-4])$/i;

/**
 * @param cells cells of the column
 * @returns a function that converts a cell of this column to the type that charts need; other cells are returned
 * unchanged
 */
export function cellReader(
  { kind, type }: TypedColumn,
  cells: readonly unknown[],
  usage: Usage,
): (cell: unknown) => unknown {
  if (usage.temporal) return dateReader(cells, usage.utc);
  if (kind === 'boolean') return readBoolean;
  if (kind === 'number') return usage.quantitative ? readNumber : readSafeNumber;
  if (kind === 'json' || nestedType.test(type)) return readJson;
  return usage.quantitative && cells.every(isNumberOrNothing) ? readNumber : (cell) => cell;
}

const isNumberOrNothing = (cell: unknown): boolean => cell === null || typeof readNumber(cell) === 'number';

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

/**
 * A date without a zone is a calendar day. It must not shift to the previous day in western time zones, as it would if
 * parsed as UTC and shown in local time. The same applies to a column that contains only UTC midnights.
 */
function dateReader(cells: readonly unknown[], utc: boolean): (cell: unknown) => unknown {
  const areAll = (form: RegExp): boolean => cells.every((cell) => isNull(cell) || form.test(String(cell).trim()));
  const [areDays, areSeconds] = [areAll(dayKey), areAll(seconds)];
  const texts = cells.filter((cell) => typeof cell === 'string');
  const calendar = !utc && texts.every((text) => midnightUtc.test(text));
  const zone = utc ? 'Z' : '';
  return (cell) => {
    if (isNull(cell)) return cell;
    if (areSeconds) return Number(cell) * 1_000;
    // A year or a day can also be a number.
    const text = String(cell).trim();
    const day = calendarDate(areDays ? text.replace(dayKey, '$1-$2-$3') : text);
    if (day !== undefined) return day + zone;
    if (typeof cell !== 'string') return cell;
    if (milliseconds.test(text)) return Number(text);
    if (calendar) return text.replace(midnightUtc, '$1T00:00:00');
    const inQuarter = quarter.exec(text);
    if (inQuarter) return `${inQuarter[1]}-${String(Number(inQuarter[2]) * 3 - 2).padStart(2, '0')}-01T00:00:00${zone}`;
    return text.replace(isoTime, `$1T$2${zone}`);
  };
}

/** @returns the first moment of a day, month or year written as a date alone, without a zone and so in local time */
export function calendarDate(text: string): string | undefined {
  return /^\d{4}(-\d{2}(-\d{2})?)?$/.test(text) ? `${text}-01-01`.slice(0, 10) + 'T00:00:00' : undefined;
}
