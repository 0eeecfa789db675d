/** Escapes text for Markdown, and for labels in which VS Code renders links and icons. */

/**
 * For notifications, prompts and labels, where VS Code renders `[text](command:…)` as a link and `$(name)` as an icon.
 * @returns the text with a space inside such sequences, so that they are shown literally
 */
export const plainText = (text: string): string => text.replaceAll('](', '] (').replaceAll('$(', '$ (');

/**
 * For Markdown that shows only text. Uses character references, because backslashes do not prevent autolinks
 * (`https://…`, `www.…`, `name@host`).
 * @returns Markdown that renders as the text, with its line breaks and without links, images, HTML or formatting
 */
export const plainMarkdown = (text: string): string =>
  text
    .replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/^[ \t]+/gm, (indent) => '&nbsp;'.repeat(indent.length))
    .replace(/\r\n?|\n/g, '  \n');

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
