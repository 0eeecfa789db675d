/** Recognizes number columns that name things, such as customers, postal codes and months, instead of measuring them. */
import { cellText, isNull, type Row } from './cells.ts';

const IDENTIFIER =
  /^(?:(?:id|key|code|zip|zipcode|postcode|postalcode|pincode|barcode|sku|ean|upc|gtin|isbn|uid|phone|telephone|fax|ref|reference)s?|plz|(?:customer|client|user|account|order|item|product|store|employee|vendor|supplier|invoice)(?:id|key|code|no|number))$/;
/** A number only after the name of a thing: `order_number`, but neither `number` nor `total_number`. */
const NUMBER = /^(?:number|no|nr|num|nbr)s?$/;
/** Words before those of an identifier that make it a count, such as `distinct_customer_ids`. */
const COUNTING = /^(?:count|number|num|nr|no|total|sum|avg|average|mean|median|distinct|unique|per)$/;

const TIME = /^(?:year|quarter|month|week|day|date|period|yyyy|yyyymm|yyyymmdd|yearmonth|yearweek|ym)$/;
/** Words before a unit of time that make it a measure, such as `revenue_last_year`. */
const RELATIVE = /^(?:last|previous|prior|this|current|next|same|per|by|in|of|to)$/;
/** 2024, 20241 (a quarter), 202401 (a month or a week), 20240131. */
const PERIOD = /^[12]\d{3}(?:[1-4]|0[1-9]|[1-4]\d|5[0-3]|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))?$/;

/**
 * Integers name things if the last word of the column's name is an identifier (id, key, code, phone, order number) or a
 * unit of time whose values are all years, quarters, months, weeks or days such as 2024, 202401 and 20240131.
 * @param rows rows of the table, or the first of them
 * @param index index of a column of numbers
 */
export function namesThings(name: string, rows: readonly Row[], index: number): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
  const last = words.pop() ?? '';
  const follows = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  const isEvery = (pattern: RegExp): boolean =>
    rows.every((row) => isNull(row[index]) || pattern.test(cellText(row[index])));
  if (TIME.test(last)) return !follows(RELATIVE) && isEvery(PERIOD);
  const isIdentifier = IDENTIFIER.test(last) || (NUMBER.test(last) && words.length > 0);
  return isIdentifier && !follows(COUNTING) && isEvery(/^-?\d+(?:\.0+)?$/);
}
