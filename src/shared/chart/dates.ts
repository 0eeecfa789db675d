/** @returns the start of a day, month or year that is written as a date without a zone, in local time */
export function calendarDate(text: string): string | undefined {
  return /^\d{4}(-\d{2}(-\d{2})?)?$/.test(text) ? `${text}-01-01`.slice(0, 10) + 'T00:00:00' : undefined;
}
