/** Trimming in linear time: a regular expression such as `/0+$/` tries again at each character of a run. */

/** @returns the text without those of the given characters that it ends with */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
