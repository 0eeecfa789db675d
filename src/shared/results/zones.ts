/** Offsets of time zones that a timestamp names, such as `Europe/Berlin`. */

const QUARTER_HOUR = 900_000;

/** Returns the offset from UTC in milliseconds at a time in milliseconds since 1970. */
type OffsetAt = (time: number) => number;

const known = new Map<string, OffsetAt | undefined>();

/** @returns whether the runtime knows the IANA name of a time zone */
export const isZone = (name: string): boolean => offsetAtOf(name) !== undefined;

/**
 * @param time milliseconds since 1970
 * @param name IANA name of a time zone; an unknown one is UTC
 * @returns the offset of the zone from UTC in milliseconds
 */
export const offsetAt = (time: number, name: string): number => offsetAtOf(name)?.(time) ?? 0;

/**
 * @param local clock time in the zone, in milliseconds since 1970 as if it were UTC
 * @param name IANA name of a time zone; an unknown one is UTC
 * @returns the offset of the zone from UTC in milliseconds; that of the earlier time if the clock shows it twice
 */
export function offsetOfZone(local: number, name: string): number {
  const offsetAt = offsetAtOf(name) ?? (() => 0);
  // No offset is longer than a day, so one before and one after the time are both sides of a change of the clock.
  const [before, after] = [offsetAt(local - 86_400_000), offsetAt(local + 86_400_000)];
  return before === after || offsetAt(local - before) === before ? before : after;
}

function offsetAtOf(name: string): OffsetAt | undefined {
  if (!known.has(name)) known.set(name, createOffsetAt(name));
  return known.get(name);
}

function createOffsetAt(name: string): OffsetAt | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
  // Formatting takes longer than reading a whole timestamp, and clocks change only at quarters of an hour.
  const offsets = new Map<number, number>();
  return (time) => {
    const quarter = Math.floor(time / QUARTER_HOUR);
    const offset = offsets.get(quarter) ?? parseOffset(format.format(quarter * QUARTER_HOUR));
    offsets.set(quarter, offset);
    return offset;
  };
}

/** Parses the end of `1/1/2024, GMT+05:30`; `GMT` alone is UTC. */
function parseOffset(text: string): number {
  const [, sign, hours, minutes, seconds = 0] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (sign === undefined) return 0;
  const offset = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -offset : offset;
}
