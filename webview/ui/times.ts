/** Formats the times of questions and threads as briefly as possible. */
type Options = Intl.DateTimeFormatOptions;
const clock: Options = { hour: '2-digit', minute: '2-digit' };
const day: Options = { month: 'short', day: 'numeric' };
const formats = new Map<string, Intl.DateTimeFormat>();

function format(time: number, options: Options): string {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(undefined, options);
  formats.set(key, known);
  return known.format(time);
}

/**
 * @param time in milliseconds since the epoch
 * @param rest format options that are added if the day is not today, such as the time
 * @returns the time if it is today, otherwise the date, with the year if it is not the current one
 */
export function briefTime(time: number, rest: Options = {}, now = new Date()): string {
  const then = new Date(time);
  if (then.toDateString() === now.toDateString()) return format(time, clock);
  return format(time, { ...(then.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }), ...day, ...rest });
}

/** @returns the time, preceded by the date if it is not today */
export const dayAndTime = (time: number, now?: Date): string => briefTime(time, clock, now);

/** @returns the full date with the day of the week, and the time */
export const fullTime = (time: number): string => format(time, { dateStyle: 'full', timeStyle: 'short' });
