/** Points in time as they stand beside what has happened: as brief as they can be. */
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
 * @param rest what is told besides a day that is not today, such as the time too
 * @returns the time of today, else the day, with its year where that is not this one
 */
export function briefTime(time: number, rest: Options = {}, now = new Date()): string {
  const then = new Date(time);
  if (then.toDateString() === now.toDateString()) return format(time, clock);
  return format(time, { ...(then.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }), ...day, ...rest });
}

/** @returns the day, where it is not today, and the time */
export const dayAndTime = (time: number, now?: Date): string => briefTime(time, clock, now);

/** @returns all of it, in words */
export const fullTime = (time: number): string => format(time, { dateStyle: 'full', timeStyle: 'short' });
