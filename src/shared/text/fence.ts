/** Fenced code blocks in Markdown. */

/** @returns a fence longer than any run of backticks in the code */
export function fenceFor(code: string): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** @returns the code as a fenced block */
export function fenced(code: string, language: string): string {
  const fence = fenceFor(code);
  return `${fence}${language}\n${code}\n${fence}`;
}
