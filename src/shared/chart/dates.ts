/** @returns the first moment of a day, month or year written as a date alone, without a zone and so in local time */
export function calendarDate(text: string): string | undefined {
  return /^\d{4}(-\d{2}(-\d{2})?)?$/.test(text) ? `${text}-01-01`.slice(0, 10) + 'T00:00:00' : undefined;
}
