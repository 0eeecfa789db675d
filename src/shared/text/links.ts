/** Restricts the links of answers: their addresses are the output of a model. */

const schemes = new Set(['http:', 'https:', 'mailto:']);

/**
 * @param address as written in the Markdown
 * @returns the normalized address to open and to show, with the host name in ASCII; `undefined` unless it is an
 *   absolute `http`, `https` or `mailto` address
 */
export function allowedAddress(address: string): string | undefined {
  try {
    const url = new URL(address);
    return schemes.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
