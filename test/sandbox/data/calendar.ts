/** The calendar of the sandbox. "Now" is a fixed day, so that answers are deterministic. */

/** The first day with orders. */
export const FIRST_DAY = '2023-01-01';

/** The last day of the data, and "today" in questions: "last quarter" is the last quarter of 2024. */
export const TODAY = '2025-02-14';

const DAY_MS = 86_400_000;

/** @returns the ISO day `days` after the ISO day `day`; both in UTC */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** @returns every ISO day from `first` to `last`, both included */
export function daysBetween(first: string, last: string): string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => addDays(first, index));
}
