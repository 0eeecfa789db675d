/** Code in Markdown. */

/** @returns the code in a fence that nothing inside it can close */
export function fenced(code: string, language: string): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
