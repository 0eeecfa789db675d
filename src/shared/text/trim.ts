/** Trims text in linear time. A regular expression such as `/0+$/` retries at each character of a run. */

/** @returns the text without trailing characters of the given set */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
