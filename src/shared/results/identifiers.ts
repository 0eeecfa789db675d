/** Recognizes number columns that name things, such as customers, postal codes and months, instead of measuring them. */
import { cellText, isNull, type Row } from './cells.ts';

const IDENTIFIER =
  /^(?:(?:id|key|code|sk|pk|fk|zip|(?:ean|upc|gtin|isbn)(?:\d{1,2})?|sku|uid|phone|telephone|fax|ref|reference)s?|plz|postal|insee|siren|siret|ssn|npi|fips|geoid|naics|imei|iccid|mmsi|msisdn|guid|asin|cusip|cik|account|epoch|timestamp|unixtime|ts)$/;
/** In one word: `orderkey`, `zipcode`, `policynumber`, `Kundennummer`. */
const COMPOUND =
  /^(?:\p{L}+code|(?!(?:don|hoc|joc|mon|tur|whis)key)\p{L}{3,}key|(?!(?:avg|max|min|sum|total)number)\p{L}{3,}number|\p{L}{4,}(?:nummer|nr))$/u;
/** In one word, after the name of a thing: `custid`, but not `paid`. */
const THING =
  /^(?:account|address|agent|album|artist|batch|booking|campaign|case|category|city|claim|client|company|contact|contract|country|course|cust|customer|dept|device|document|driver|emp|employee|event|flight|invoice|item|job|lead|location|lot|member|message|order|partner|part|patient|payment|policy|product|project|region|session|shipment|store|student|supp|supplier|task|team|ticket|track|transaction|trip|txn|user|vehicle|vendor|visitor|visit|warehouse)(?:id|no)$/;
/** The first word: `id_customer`, `code_postal`. */
const FIRST = /^(?:id|code|num[eé]ro|epoch|unix|timestamp)$/;
/** A number only after the name of a thing: `order_number`, but neither `number` nor `total_number`. */
const NUMBER = /^(?:number|nummer|no|nr|num|nbr)s?$/;
/** Words beside those of an identifier that make it a count, such as `distinct_customer_ids`. */
const COUNTING = /^(?:count|number|num|nr|no|total|sum|avg|average|mean|median|distinct|unique|per)$/;

const TIME =
  /^(?:(?:cal)?(?:year|month|week)|yr|fy|quarter|qtr|mth|wk|day|hour|period|cohort|snapshot|partition|y{4}(?:mm|ww|q|qq|mmdd)?|ym|yw|yq|ymd|year(?:month|week|quarter)|fiscper|d[st]|dateint|\p{L}*date|(?!vor)\p{L}*(?:jahr|monat|quartal)|woche|datum|ann[eé]e|trimestre|mois|semaine|a[nñ]o|mes)$/u;
/** What databases append to the name of another column. */
const REPEATED = /[_:]\d{1,2}$/;
/** Words before a unit of time that make it a measure, such as `revenue_last_year`. */
const RELATIVE = /^(?:last|previous|prior|this|current|next|same|per|by|in|of|to)$/;
/** 20240131, or 2024013123 with the hour. */
const DAY = /^[12]\d{3}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])?$/;
/** 2024, 20241 (a quarter), 202401 (a month or a week), 2024001 (a fiscal period). */
const PERIOD = /^[12]\d{3}(?:[1-4]|0[1-9]|[1-4]\d|5[0-3]|0(?:0[1-9]|1[0-6]))?$/;
const YEAR = /^[12]\d{3}$/;

/**
 * Integers name things if a word of the column's name is an identifier (id, key, code, phone, order number), usually the
 * last, or a unit of time whose values are all years, quarters, months, weeks or days such as 2024, 202401 and 20240131.
 * @param rows rows of the table, or the first of them
 * @param index index of a column of numbers
 */
export function namesThings(name: string, rows: readonly Row[], index: number): boolean {
  const words = name
    .replace(REPEATED, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
  const last = words.pop() ?? '';
  const [first = ''] = words;
  const before = words.at(-1) ?? '';
  const isEvery = (...patterns: RegExp[]): boolean =>
    rows.every((row) => isNull(row[index]) || patterns.some((pattern) => pattern.test(cellText(row[index]))));
  if (TIME.test(last)) return isEvery(DAY) || (!RELATIVE.test(before) && isEvery(PERIOD, DAY));
  // The first or last day of a period, and years such as `year_built` and `year_of_birth`.
  if (/^(?:start|end)$/.test(last) && TIME.test(before)) return isEvery(DAY);
  if (first === 'year' && /^(?:of|built|founded)$/.test(words[1] ?? last)) return isEvery(YEAR);
  const isNumber = words.length > 0 && (last === 'at' || NUMBER.test(last));
  const isLast = isNumber || [IDENTIFIER, COMPOUND, THING].some((pattern) => pattern.test(last));
  const isFirst = FIRST.test(first) && !COUNTING.test(last);
  return (isLast || isFirst) && !words.some((word) => COUNTING.test(word)) && isEvery(/^-?\d+(?:\.0+)?$/);
}
