/** Code in Markdown. */

/** @returns a fence that nothing in the code can close */
export function fenceFor(code: string): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** @returns the code in its fence */
export function fenced(code: string, language: string): string {
  const fence = fenceFor(code);
  return `${fence}${language}\n${code}\n${fence}`;
}
