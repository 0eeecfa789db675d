/** Outside text for places where VS Code renders parts of a plain string. */

/**
 * For notifications, prompts and labels, which turn `[text](command:…)` into a live link and `$(name)` into an icon.
 * @returns the text with a space inside such sequences, so that they are shown as they are
 */
export const plainText = (text: string): string => text.replaceAll('](', '] (').replaceAll('$(', '$ (');

/**
 * For Markdown that only shows text. Character references survive every Markdown reader; backslashes do not stop
 * autolinks (`https://…`, `www.…`, `name@host`).
 * @returns Markdown that renders as the text, with its line breaks and without links, images, HTML or formatting
 */
export const plainMarkdown = (text: string): string =>
  text
    .replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/^[ \t]+/gm, (indent) => '&nbsp;'.repeat(indent.length))
    .replace(/\r\n?|\n/g, '  \n');
