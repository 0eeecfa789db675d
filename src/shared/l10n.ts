/** Translated strings, for host and webview alike. The English text is the key. */
let bundle: Readonly<Record<string, string>> = {};

/** Sets the strings of the display language; without it the English texts are shown. */
export function useBundle(strings: Readonly<Record<string, string>>): void {
  bundle = strings;
}

/**
 * @param text English text, with `{0}`, `{1}` … where the values go
 * @returns the text in the display language, with the values in place
 */
export function t(text: string, ...values: readonly (string | number)[]): string {
  const found = Object.hasOwn(bundle, text) ? (bundle[text] ?? text) : text;
  return found.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
}
